import type { CitationBox, ItemSpan, LaidOutItem, PageLink, PageSize, PageText } from "./bindings";

/** Pages drawn from words whose places are known, so that boxes of the in-memory engine lie exactly over their words. */

type BlockKind = "title" | "heading" | "text" | "row";

export interface Block {
  kind: BlockKind;
  text: string;
}

interface PlacedWord {
  text: string;
  left: number;
  top: number;
  width: number;
  height: number;
  kind: BlockKind;
  /** Where it begins in the page's text. */
  start: number;
}

export interface FakePage {
  size: PageSize;
  blocks: Block[];
  /** Links over words of the page. */
  links?: { words: string; uri: string | null; page: number | null }[];
}

export interface FakeDocument {
  collection: string;
  documentId: string;
  sha256: string;
  title: string;
  uri: string;
  mediaType: string;
  pages: FakePage[];
  items: LaidOutItem[];
  tags: string[];
  /** Pages whose text was recognised from pixels. */
  recognised: number[];
}

const margin = 72;
const styles: Record<BlockKind, { size: number; lead: number; after: number; weight: number }> = {
  title: { size: 17, lead: 23, after: 14, weight: 700 },
  heading: { size: 11.5, lead: 16, after: 8, weight: 700 },
  text: { size: 10, lead: 14.5, after: 9, weight: 400 },
  row: { size: 9.5, lead: 15, after: 0, weight: 400 },
};
const footerHeight = 44;
/** Widths of letters as shares of the font size: near enough to a book face that words sit naturally. */
const narrow = new Set("iljtfr.,;:'’|!()[] ");
const wide = new Set("mwMW—%@");

function letterWidth(letter: string): number {
  if (narrow.has(letter)) {
    return 0.3;
  }
  if (wide.has(letter)) {
    return 0.8;
  }
  return /[A-Z0-9$]/.test(letter) ? 0.58 : 0.49;
}

function wordWidth(word: string, size: number): number {
  return [...word].reduce((sum, letter) => sum + letterWidth(letter), 0) * size;
}

/** Sets a page's words, ragged right. */
function placeWords(page: FakePage): PlacedWord[] {
  const words: PlacedWord[] = [];
  const right = page.size.width - margin;
  let top = margin;
  let start = 0;
  for (const block of page.blocks) {
    const { size, lead, after } = styles[block.kind];
    let left = margin;
    const cells = block.kind === "row" ? block.text.split(" | ") : null;
    if (cells !== null) {
      cells.forEach((cell, column) => {
        let cellLeft =
          column === 0 ? margin : right - (cells.length - 1 - column) * 84 - wordWidth(cell, size) - cell.length * 0.1;
        for (const word of cell.split(" ")) {
          const width = wordWidth(word, size);
          words.push({ text: word, left: cellLeft, top, width, height: lead, kind: "row", start });
          start += word.length + 1;
          cellLeft += width + size * 0.27;
        }
      });
      top += lead + after;
      continue;
    }
    for (const word of block.text.split(" ")) {
      const width = wordWidth(word, size);
      if (left + width > right) {
        left = margin;
        top += lead;
      }
      words.push({ text: word, left, top, width, height: lead, kind: block.kind, start });
      start += word.length + 1;
      left += width + size * 0.27;
    }
    top += lead + after;
  }
  return words;
}

const placed = new WeakMap<FakePage, PlacedWord[]>();

function wordsOf(page: FakePage): PlacedWord[] {
  let words = placed.get(page);
  if (words === undefined) {
    words = placeWords(page);
    placed.set(page, words);
  }
  return words;
}

/** The words of a page in reading order, joined by single spaces. */
export function textOfPage(page: FakePage): string {
  return wordsOf(page)
    .map((word) => word.text)
    .join(" ");
}

/** Boxes over `quote` on a page, one a line; empty when it is not there. */
export function locateOnPage(page: FakePage, quote: string, kind: CitationBox["kind"]): CitationBox[] {
  const wanted = quote.replaceAll(" | ", " ");
  const from = textOfPage(page).indexOf(wanted);
  return from === -1 ? [] : boxesBetween(page, from, from + wanted.length, kind);
}

/** Boxes over a stretch of the page's text, one a line. */
export function boxesBetween(page: FakePage, from: number, until: number, kind: CitationBox["kind"]): CitationBox[] {
  const words = wordsOf(page);
  const lines: CitationBox[] = [];
  for (const word of words) {
    if (word.start + word.text.length <= from || word.start >= until) {
      continue;
    }
    const line = lines.at(-1);
    const box = { left: word.left, top: word.top, right: word.left + word.width, bottom: word.top + word.height - 2 };
    if (line !== undefined && Math.abs(line.top - box.top) < 1) {
      line.right = box.right;
    } else {
      lines.push({ page: page.size.number, ...box, kind });
    }
  }
  return lines;
}

/** The words of a page as the engine stores them. */
export function pageTextOf(document: FakeDocument, page: FakePage): PageText {
  let line = -1;
  let lastTop = Number.NaN;
  const words = wordsOf(page)
    .filter((word) => word.text !== "")
    .map((word) => {
      if (word.top !== lastTop) {
        line += 1;
        lastTop = word.top;
      }
      const { text, left, top } = word;
      return { text, line, left, top, right: left + word.width, bottom: top + word.height - 2 };
    });
  const links = (page.links ?? []).flatMap(({ words: linked, uri, page: target }): PageLink[] =>
    locateOnPage(page, linked, "quote").map(({ kind: _, ...at }) => ({ at, uri, page: target })),
  );
  return { page: page.size.number, words, links, recognised: document.recognised.includes(page.size.number) };
}

/** Where `quote` stands in the items of a document without pages. */
export function locateInItems(items: readonly LaidOutItem[], quote: string): ItemSpan[] {
  return items.flatMap((item) => {
    const start = item.text.indexOf(quote);
    return start === -1 ? [] : [{ ref: item.ref, start, end: start + quote.length }];
  });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A page, or a part of it, as an SVG data address; `width` is that of the whole page in pixels. */
export function drawPage(
  document: FakeDocument,
  page: FakePage,
  width: number,
  crop?: { left: number; top: number; right: number; bottom: number },
): string {
  const view = crop ?? { left: 0, top: 0, right: page.size.width, bottom: page.size.height };
  const viewWidth = view.right - view.left;
  const viewHeight = view.bottom - view.top;
  const shownWidth = Math.round((width * viewWidth) / page.size.width);
  const texts = wordsOf(page).map((word) => {
    const style = styles[word.kind];
    return `<text x="${word.left.toFixed(1)}" y="${(word.top + style.size).toFixed(1)}" font-size="${style.size}" font-weight="${style.weight}" textLength="${word.width.toFixed(1)}" lengthAdjust="spacingAndGlyphs">${escaped(word.text)}</text>`;
  });
  const footer = page.size.label ?? String(page.size.number);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${shownWidth}" height="${Math.round((shownWidth * viewHeight) / viewWidth)}" viewBox="${view.left} ${view.top} ${viewWidth} ${viewHeight}"><rect width="${page.size.width}" height="${page.size.height}" fill="#fff"/><g font-family="'Liberation Serif', 'Times New Roman', serif" fill="#161616">${texts.join("")}<text x="${page.size.width / 2}" y="${page.size.height - footerHeight}" font-size="9" text-anchor="middle">${escaped(footer)}</text><text x="${margin}" y="${page.size.height - footerHeight}" font-size="7.5" fill="#777">${escaped(document.title)}</text></g></svg>`;
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}
