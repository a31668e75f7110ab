/** The parts of a Word document beside its text, and the file they are packed into (ECMA-376, Office Open XML). */

import { strToU8, zipSync } from "fflate";
import { element, escapedXml, xmlPart } from "./xml";

const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** The namespaces that the text of a document uses. */
export const namespaces = {
  "xmlns:w": main,
  "xmlns:r": relationships,
  "xmlns:wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
  "xmlns:a": "http://schemas.openxmlformats.org/drawingml/2006/main",
  "xmlns:pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
};

/** What the text of a document refers to outside itself. */
export class Relations {
  private readonly links = new Map<string, string>();
  private readonly pictures: { id: string; name: string; bytes: Uint8Array }[] = [];
  private count = 2; // styles and numbering are the first two

  private next(): string {
    this.count += 1;
    return `rId${this.count}`;
  }

  /** The id of an address outside. */
  link(address: string): string {
    const known = this.links.get(address) ?? this.next();
    this.links.set(address, known);
    return known;
  }

  /** The id of a PNG picture. */
  picture(bytes: Uint8Array): string {
    const id = this.next();
    this.pictures.push({ id, name: `image${this.pictures.length + 1}.png`, bytes });
    return id;
  }

  media(): Record<string, Uint8Array> {
    return Object.fromEntries(this.pictures.map(({ name, bytes }) => [`word/media/${name}`, bytes]));
  }

  part(): string {
    const one = (id: string, kind: string, target: string, outside = false) =>
      element("Relationship", {
        Id: id,
        Type: `${relationships}/${kind}`,
        Target: target,
        ...(outside ? { TargetMode: "External" } : {}),
      });
    return xmlPart(
      element(
        "Relationships",
        { xmlns: "http://schemas.openxmlformats.org/package/2006/relationships" },
        one("rId1", "styles", "styles.xml"),
        one("rId2", "numbering", "numbering.xml"),
        ...[...this.links].map(([address, id]) => one(id, "hyperlink", address, true)),
        ...this.pictures.map(({ id, name }) => one(id, "image", `media/${name}`)),
      ),
    );
  }
}

/** The lists of a document: each ordered one counts by itself. */
export class Lists {
  /** Where the ordered lists begin; number 1 is that of the bullets. */
  private readonly starts: number[] = [];

  get bullets(): number {
    return 1;
  }

  /** Begins an ordered list. Returns its number. */
  ordered(start: number): number {
    this.starts.push(start);
    return this.starts.length + 1;
  }

  part(): string {
    const levels = (kind: "bullet" | "decimal") =>
      Array.from({ length: 9 }, (_, level) =>
        element(
          "w:lvl",
          { "w:ilvl": level },
          element("w:start", { "w:val": 1 }),
          element("w:numFmt", { "w:val": kind }),
          element("w:lvlText", { "w:val": kind === "bullet" ? (level % 2 === 0 ? "•" : "–") : `%${level + 1}.` }),
          element("w:lvlJc", { "w:val": "left" }),
          element("w:pPr", {}, element("w:ind", { "w:left": 420 * (level + 1), "w:hanging": 420 })),
        ),
      );
    const abstract = (id: number, kind: "bullet" | "decimal") =>
      element(
        "w:abstractNum",
        { "w:abstractNumId": id },
        element("w:multiLevelType", { "w:val": "hybridMultilevel" }),
        ...levels(kind),
      );
    const ordered = this.starts.map((start, at) =>
      element(
        "w:num",
        { "w:numId": at + 2 },
        element("w:abstractNumId", { "w:val": 1 }),
        ...Array.from({ length: 9 }, (_, level) =>
          element(
            "w:lvlOverride",
            { "w:ilvl": level },
            element("w:startOverride", { "w:val": level === 0 ? start : 1 }),
          ),
        ),
      ),
    );
    return xmlPart(
      element(
        "w:numbering",
        { "xmlns:w": main },
        abstract(0, "bullet"),
        abstract(1, "decimal"),
        element("w:num", { "w:numId": 1 }, element("w:abstractNumId", { "w:val": 0 })),
        ...ordered,
      ),
    );
  }
}

interface Style {
  id: string;
  name: string;
  kind?: "paragraph" | "character" | "table";
  /** Properties of the paragraph and of its text, as XML. */
  paragraph?: string;
  text?: string;
}

const size = (halfPoints: number) => element("w:sz", { "w:val": halfPoints });
const colour = (value: string) => element("w:color", { "w:val": value });
const spacing = (before: number, after: number) => element("w:spacing", { "w:before": before, "w:after": after });
const bold = element("w:b", {});
const keepNext = element("w:keepNext", {});
const outline = (level: number) => element("w:outlineLvl", { "w:val": level });
const font = (name: string) => element("w:rFonts", { "w:ascii": name, "w:hAnsi": name, "w:cs": name });

const styles: readonly Style[] = [
  { id: "Title", name: "Title", paragraph: spacing(0, 240), text: bold + size(36) },
  { id: "Heading1", name: "heading 1", paragraph: keepNext + spacing(480, 120) + outline(0), text: bold + size(28) },
  { id: "Heading2", name: "heading 2", paragraph: keepNext + spacing(280, 80) + outline(1), text: bold + size(24) },
  { id: "Heading3", name: "heading 3", paragraph: keepNext + spacing(240, 80) + outline(2), text: bold + size(22) },
  {
    id: "Quote",
    name: "Quote",
    paragraph:
      element("w:pBdr", {}, element("w:left", { "w:val": "single", "w:sz": 12, "w:space": 10, "w:color": "BBBBBB" })) +
      element("w:ind", { "w:left": 360 }),
  },
  {
    id: "Code",
    name: "Code",
    paragraph: element("w:shd", { "w:val": "clear", "w:color": "auto", "w:fill": "F3F1EC" }) + spacing(120, 120),
    text: font("Consolas") + size(18),
  },
  { id: "Reference", name: "Reference", paragraph: keepNext + spacing(160, 60), text: size(20) },
  { id: "Picture", name: "Picture", paragraph: spacing(0, 160) + element("w:ind", { "w:left": 360 }) },
  { id: "Note", name: "Note", paragraph: spacing(60, 60), text: colour("666666") + size(18) },
  {
    id: "Marker",
    name: "Marker",
    kind: "character",
    text: colour("1F5F8B") + element("w:vertAlign", { "w:val": "superscript" }),
  },
  {
    id: "Hyperlink",
    name: "Hyperlink",
    kind: "character",
    text: colour("1F5F8B") + element("w:u", { "w:val": "single" }),
  },
  { id: "Doubt", name: "Doubt", kind: "character", text: colour("9A3C12") },
  { id: "CodeText", name: "Code Text", kind: "character", text: font("Consolas") },
  { id: "Formula", name: "Formula", kind: "character", text: font("Cambria Math") + element("w:i", {}) },
];

function stylesPart(language: string): string {
  const one = ({ id, name, kind = "paragraph", paragraph = "", text = "" }: Style) =>
    element(
      "w:style",
      { "w:type": kind, "w:styleId": id },
      element("w:name", { "w:val": name }),
      kind === "paragraph" ? element("w:basedOn", { "w:val": "Normal" }) : "",
      kind === "paragraph" && /^Heading/.test(id) ? element("w:next", { "w:val": "Normal" }) : "",
      element("w:qFormat", {}),
      paragraph === "" ? "" : element("w:pPr", {}, paragraph),
      text === "" ? "" : element("w:rPr", {}, text),
    );
  return xmlPart(
    element(
      "w:styles",
      { "xmlns:w": main },
      element(
        "w:docDefaults",
        {},
        element(
          "w:rPrDefault",
          {},
          element("w:rPr", {}, font("Georgia"), size(22), element("w:lang", { "w:val": language })),
        ),
        element(
          "w:pPrDefault",
          {},
          element("w:pPr", {}, element("w:spacing", { "w:after": 140, "w:line": 288, "w:lineRule": "auto" })),
        ),
      ),
      element(
        "w:style",
        { "w:type": "paragraph", "w:default": 1, "w:styleId": "Normal" },
        element("w:name", { "w:val": "Normal" }),
        element("w:qFormat", {}),
      ),
      ...styles.map(one),
    ),
  );
}

const contentTypes = xmlPart(
  element(
    "Types",
    { xmlns: "http://schemas.openxmlformats.org/package/2006/content-types" },
    element("Default", {
      Extension: "rels",
      ContentType: "application/vnd.openxmlformats-package.relationships+xml",
    }),
    element("Default", { Extension: "xml", ContentType: "application/xml" }),
    element("Default", { Extension: "png", ContentType: "image/png" }),
    ...[
      ["/word/document.xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"],
      ["/word/styles.xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"],
      ["/word/numbering.xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"],
      ["/docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml"],
    ].map(([part, type]) => element("Override", { PartName: part ?? "", ContentType: type ?? "" })),
  ),
);

const packageRelations = xmlPart(
  element(
    "Relationships",
    { xmlns: "http://schemas.openxmlformats.org/package/2006/relationships" },
    element("Relationship", { Id: "rId1", Type: `${relationships}/officeDocument`, Target: "word/document.xml" }),
    element("Relationship", {
      Id: "rId2",
      Type: "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties",
      Target: "docProps/core.xml",
    }),
  ),
);

function coreProperties(title: string, made: Date): string {
  const moment = `${made.toISOString().slice(0, 19)}Z`;
  const at = (name: string) => element(name, { "xsi:type": "dcterms:W3CDTF" }, moment);
  return xmlPart(
    element(
      "cp:coreProperties",
      {
        "xmlns:cp": "http://schemas.openxmlformats.org/package/2006/metadata/core-properties",
        "xmlns:dc": "http://purl.org/dc/elements/1.1/",
        "xmlns:dcterms": "http://purl.org/dc/terms/",
        "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
      },
      element("dc:title", {}, escapedXml(title)),
      element("dc:creator", {}, "Recto"),
      at("dcterms:created"),
      at("dcterms:modified"),
    ),
  );
}

export interface DocxParts {
  title: string;
  made: Date;
  language: string;
  /** `word/document.xml`. */
  document: string;
  relations: Relations;
  lists: Lists;
}

/** The bytes of the file. */
export function packDocx({ title, made, language, document, relations, lists }: DocxParts): Uint8Array {
  const text: Record<string, string> = {
    "[Content_Types].xml": contentTypes,
    "_rels/.rels": packageRelations,
    "docProps/core.xml": coreProperties(title, made),
    "word/document.xml": document,
    "word/_rels/document.xml.rels": relations.part(),
    "word/styles.xml": stylesPart(language),
    "word/numbering.xml": lists.part(),
  };
  const parts = Object.fromEntries(Object.entries(text).map(([name, content]) => [name, strToU8(content)]));
  // Pictures are compressed already.
  const media = Object.fromEntries(
    Object.entries(relations.media()).map(([name, bytes]) => [name, [bytes, { level: 0 }] as const]),
  );
  return zipSync({ ...parts, ...media } as Parameters<typeof zipSync>[0], { mtime: made });
}
