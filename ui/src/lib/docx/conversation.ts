/** A conversation as a Word document: an answer a section, its numbered references each with the place on the page. */

import { fromBase64 } from "../base64";
import { type PictureOf, placeOf, referenceAnchor } from "../export-conversation";
import { i18next } from "../i18n";
import { type Quotable, type Reference, referencesOf } from "../references";
import { markdownToDocx, paragraph, run, type Writing } from "./markdown";
import { Lists, namespaces, packDocx, Relations } from "./package";
import { element, xmlPart } from "./xml";

/** English Metric Units, in which drawings are measured: 914 400 an inch. */
const emuPerInch = 914_400;
/** The width of the text on a page of A4 with the margins below. */
const textWidthInches = 6.0;
/** Pixels an inch of a picture. */
const pictureDensity = 150;

/** Bookmark names may hold no hyphen. */
function bookmarkName(answer: number, index: number): string {
  return `ref_${referenceAnchor(answer, index).replaceAll("-", "_")}`;
}

/** The bytes of the document. `pictureOf` gives the place of a reference on its page, where there is one. */
export function conversationAsDocx(
  title: string,
  answers: readonly Quotable[],
  pictureOf: PictureOf,
  made: Date,
): Uint8Array {
  const relations = new Relations();
  const lists = new Lists();
  let drawings = 0;
  let bookmarks = 0;

  const pictureParagraph = (answer: number, reference: Reference): string => {
    const picture = pictureOf(answer, reference.index);
    if (picture === null) {
      return "";
    }
    drawings += 1;
    const inches = Math.min(textWidthInches, picture.width / pictureDensity);
    const width = Math.round(inches * emuPerInch);
    const height = Math.round((width * picture.height) / picture.width);
    return paragraph(
      element(
        "w:r",
        {},
        drawing(drawings, relations.picture(fromBase64(picture.base64)), reference, { width, height }),
      ),
      { style: "Picture" },
    );
  };

  const referenceParagraphs = (answer: number, reference: Reference): string => {
    bookmarks += 1;
    const where = reference.place === "" ? reference.title : `${reference.title}, ${reference.place}`;
    const content = [
      element("w:bookmarkStart", { "w:id": bookmarks, "w:name": bookmarkName(answer, reference.index) }),
      run(`[${reference.index}] `, { bold: true }),
      element("w:bookmarkEnd", { "w:id": bookmarks }),
      run(where, { italic: true }),
      run(`. “${reference.quote}”`),
      reference.doubt === null ? "" : run(` ${reference.doubt}`, { style: "Doubt" }),
    ];
    return paragraph(content.join(""), { style: "Reference" }) + pictureParagraph(answer, reference);
  };

  const sections = answers.map((answer, at) => {
    const references = referencesOf(answer, placeOf);
    const known = new Set(references.map(({ index }) => index));
    const writing: Writing = {
      relations,
      lists,
      anchorOf: (index) => (known.has(index) ? bookmarkName(at, index) : null),
    };
    return [
      paragraph(run(answer.question), { style: "Heading1" }),
      markdownToDocx(answer.text, (index) => known.has(index), writing),
      ...answer.notes.map((note) => paragraph(run(note), { style: "Note" })),
      references.length === 0 ? "" : paragraph(run(i18next.t("export.references")), { style: "Heading2" }),
      ...references.map((reference) => referenceParagraphs(at, reference)),
    ].join("");
  });

  const page = element(
    "w:sectPr",
    {},
    element("w:pgSz", { "w:w": 11_906, "w:h": 16_838 }),
    element("w:pgMar", {
      "w:top": 1_440,
      "w:right": 1_440,
      "w:bottom": 1_440,
      "w:left": 1_440,
      "w:header": 708,
      "w:footer": 708,
      "w:gutter": 0,
    }),
  );
  const document = xmlPart(
    element(
      "w:document",
      namespaces,
      element("w:body", {}, paragraph(run(title), { style: "Title" }), ...sections, page),
    ),
  );
  return packDocx({ title, made, language: i18next.language, document, relations, lists });
}

/** A picture in the line of text. */
function drawing(
  number: number,
  relation: string,
  reference: Reference,
  { width, height }: { width: number; height: number },
): string {
  const name = `${reference.title}, ${reference.place}`;
  const extent = { cx: width, cy: height };
  return element(
    "w:drawing",
    {},
    element(
      "wp:inline",
      { distT: 0, distB: 0, distL: 0, distR: 0 },
      element("wp:extent", extent),
      element("wp:docPr", { id: number, name, descr: reference.quote }),
      element(
        "a:graphic",
        {},
        element(
          "a:graphicData",
          { uri: "http://schemas.openxmlformats.org/drawingml/2006/picture" },
          element(
            "pic:pic",
            {},
            element("pic:nvPicPr", {}, element("pic:cNvPr", { id: number, name }), element("pic:cNvPicPr", {})),
            element(
              "pic:blipFill",
              {},
              element("a:blip", { "r:embed": relation }),
              element("a:stretch", {}, element("a:fillRect", {})),
            ),
            element(
              "pic:spPr",
              {},
              element("a:xfrm", {}, element("a:off", { x: 0, y: 0 }), element("a:ext", extent)),
              element("a:prstGeom", { prst: "rect" }, element("a:avLst", {})),
              element("a:ln", { w: 6_350 }, element("a:solidFill", {}, element("a:srgbClr", { val: "CCCCCC" }))),
            ),
          ),
        ),
      ),
    ),
  );
}
