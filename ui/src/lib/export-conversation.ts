import type { Citation } from "@/ipc/bindings";
import { placeName } from "./format";
import { i18next } from "./i18n";
import { type Quotable, type Reference, referenceLine, referencesOf } from "./references";

/** The place of a reference on its page, as a PNG picture. */
export interface Picture {
  /** The file's bytes. */
  base64: string;
  /** Pixels. */
  width: number;
  height: number;
}

/** The picture of a reference: of the answer with this position and the citation with this number. */
export type PictureOf = (answer: number, index: number) => Picture | null;

/** How a citation's place is named where it leaves the window. */
export function placeOf(citation: Citation): string {
  return placeName(citation.locator, citation.pages);
}

/** An answer and its references as text, for the clipboard. */
export function answerAsText(answer: Quotable, withQuotes: boolean): string {
  const references = referencesOf(answer, placeOf).map((reference) => referenceLine(reference, withQuotes));
  return [answer.text.trim(), references.join("\n")].filter((part) => part !== "").join("\n\n");
}

/** Characters that Markdown would take for its own in a line of plain words. */
function escapedMarkdown(text: string): string {
  return text.replaceAll(/([\\`*_[\]<>#|])/g, "\\$1");
}

/** A conversation as Markdown: a section for each answer, with its numbered references. */
export function conversationAsMarkdown(title: string, answers: readonly Quotable[]): string {
  const sections = answers.map((answer) => {
    const references = referencesOf(answer, placeOf).map((reference) =>
      escapedMarkdown(referenceLine(reference, true)).replace(/^\\\[(\d+)\\\]/, "$1."),
    );
    return [
      `## ${escapedMarkdown(answer.question)}`,
      answer.text.trim(),
      ...answer.notes.map((note) => `*${escapedMarkdown(note)}*`),
      references.length === 0 ? "" : `### ${i18next.t("export.references")}\n\n${references.join("\n")}`,
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  });
  return `${[`# ${escapedMarkdown(title)}`, ...sections].join("\n\n")}\n`;
}

function escapedHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

const style =
  "body{max-width:42rem;margin:3rem auto;padding:0 1rem;font:17px/1.6 Georgia,serif;color:#22201c}" +
  "h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2.5rem}table{border-collapse:collapse}" +
  "td,th{border-bottom:1px solid #ccc;padding:.2rem .8rem .2rem 0;text-align:left}" +
  "blockquote{margin-left:0;padding-left:1rem;border-left:2px solid #ccc}" +
  "a.n{font-size:.8em;vertical-align:super;text-decoration:none}" +
  ".references{font-size:.85rem;line-height:1.45;color:#444}.doubt{color:#9a3c12}" +
  ".note{font-size:.85rem;color:#666;margin:.2rem 0}.references li{margin-bottom:1rem}" +
  ".references img{display:block;max-width:100%;height:auto;margin-top:.4rem;border:1px solid #ccc}" +
  "@media print{.references li{break-inside:avoid}}";

/** Pictures are drawn at twice the width they are shown at. */
const pictureDensity = 2;

/** Where the references of an answer are, for its numbers to lead to. */
export function referenceAnchor(answer: number, index: number): string {
  return `a${answer + 1}-${index}`;
}

function referenceItem(reference: Reference, answer: number, picture: Picture | null): string {
  const where = reference.place === "" ? reference.title : `${reference.title}, ${reference.place}`;
  const doubt = reference.doubt === null ? "" : ` <span class="doubt">${escapedHtml(reference.doubt)}</span>`;
  const shown =
    picture === null
      ? ""
      : `<img src="data:image/png;base64,${picture.base64}" width="${Math.round(picture.width / pictureDensity)}" height="${Math.round(picture.height / pictureDensity)}" alt="${escapedHtml(i18next.t("export.picture", { place: where }))}">`;
  return `<li id="${referenceAnchor(answer, reference.index)}" value="${reference.index}"><cite>${escapedHtml(where)}</cite>. “${escapedHtml(reference.quote)}”${doubt}${shown}</li>`;
}

/**
 * A conversation as a page of its own, with nothing to load. `bodyOf` makes the HTML of an answer's text, in which its
 * numbers lead to `referenceAnchor`; `pictureOf` gives the places of its references.
 */
export function conversationAsHtml(
  title: string,
  answers: readonly Quotable[],
  bodyOf: (answer: Quotable, at: number) => string,
  pictureOf: PictureOf,
): string {
  const sections = answers.map((answer, at) => {
    const references = referencesOf(answer, placeOf).map((reference) =>
      referenceItem(reference, at, pictureOf(at, reference.index)),
    );
    const notes = answer.notes.map((note) => `<p class="note">${escapedHtml(note)}</p>`).join("");
    const list =
      references.length === 0
        ? ""
        : `<h3>${escapedHtml(i18next.t("export.references"))}</h3><ol class="references">${references.join("")}</ol>`;
    return `<section><h2>${escapedHtml(answer.question)}</h2>${bodyOf(answer, at)}${notes}${list}</section>`;
  });
  return `<!doctype html><html lang="${i18next.language}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'"><title>${escapedHtml(title)}</title><style>${style}</style></head><body><h1>${escapedHtml(title)}</h1>${sections.join("")}</body></html>\n`;
}

/** A name for a file made from a title. */
export function fileNameFor(title: string, ending: string): string {
  const name = title
    .replaceAll(/[\p{Cc}\\/:*?"<>|]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 80)
    .replace(/[. ]+$/, "");
  return `${name === "" ? "Recto" : name}.${ending}`;
}
