/** An answer's Markdown as the paragraphs of a Word document. */

import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { remarkMarkers, type TreeNode } from "../markers";
import { formulaIn, protectFormulas } from "../maths";
import type { Lists, Relations } from "./package";
import { element, escapedXml } from "./xml";

/** What is written while a text becomes paragraphs. */
export interface Writing {
  relations: Relations;
  lists: Lists;
  /** The bookmark that a citation's number leads to; null where it leads nowhere. */
  anchorOf: (index: number) => string | null;
}

/** The parts of a syntax tree that are written; `mdast` nodes fit. */
interface Node extends TreeNode {
  depth?: number;
  ordered?: boolean | null;
  start?: number | null;
  checked?: boolean | null;
  url?: string;
  alt?: string | null;
  identifier?: string;
  align?: readonly (string | null)[] | null;
  children?: Node[];
}

/** How the text of a run looks. */
interface Look {
  bold?: boolean;
  italic?: boolean;
  struck?: boolean;
  style?: string;
}

/** Where a paragraph stands. */
interface Place {
  style?: string | undefined;
  list?: { number: number; level: number } | undefined;
  indent?: number | undefined;
}

const noLook: Look = {};

/** The paragraphs of a text, as XML. */
export function markdownToDocx(markdown: string, isKnown: (index: number) => boolean, writing: Writing): string {
  const text = protectFormulas(markdown);
  const tree = unified().use(remarkParse).use(remarkGfm).parse(text) as Node;
  remarkMarkers({ isKnown })(tree, { value: text });
  return (tree.children ?? []).map((node) => block(node, {}, writing)).join("");
}

/** Text in the look given; line breaks stay. */
export function run(text: string, look: Look = noLook): string {
  if (text === "") {
    return "";
  }
  const properties = [
    look.style === undefined ? "" : element("w:rStyle", { "w:val": look.style }),
    look.bold === true ? element("w:b", {}) : "",
    look.italic === true ? element("w:i", {}) : "",
    look.struck === true ? element("w:strike", {}) : "",
  ].join("");
  const lines = text.split("\n").map((line) => element("w:t", { "xml:space": "preserve" }, escapedXml(line)));
  return element("w:r", {}, properties === "" ? "" : element("w:rPr", {}, properties), lines.join("<w:br/>"));
}

/** A paragraph of runs. */
export function paragraph(content: string, place: Place = {}): string {
  const properties = [
    place.style === undefined ? "" : element("w:pStyle", { "w:val": place.style }),
    place.list === undefined
      ? ""
      : element(
          "w:numPr",
          {},
          element("w:ilvl", { "w:val": place.list.level }),
          element("w:numId", { "w:val": place.list.number }),
        ),
    place.indent === undefined ? "" : element("w:ind", { "w:left": place.indent }),
  ].join("");
  return element("w:p", {}, properties === "" ? "" : element("w:pPr", {}, properties), content);
}

/** Text that leads to a place in the same document. */
export function linkToBookmark(anchor: string, text: string): string {
  return element("w:hyperlink", { "w:anchor": anchor, "w:history": 1 }, run(text, { style: "Marker" }));
}

function block(node: Node, place: Place, writing: Writing): string {
  const children = node.children ?? [];
  switch (node.type) {
    case "paragraph":
      return paragraph(inline(children, noLook, writing), place);
    case "heading":
      // Below the question and beside its references, whatever level the answer gave it.
      return paragraph(inline(children, noLook, writing), { style: "Heading3" });
    case "blockquote":
      return children.map((child) => block(child, { ...place, style: "Quote" }, writing)).join("");
    case "list":
      return list(node, place, writing);
    case "code":
      return paragraph(run(node.value ?? ""), { style: "Code" });
    case "table":
      return table(node, writing);
    case "thematicBreak":
      return element(
        "w:p",
        {},
        element(
          "w:pPr",
          {},
          element(
            "w:pBdr",
            {},
            element("w:bottom", { "w:val": "single", "w:sz": 4, "w:space": 1, "w:color": "BBBBBB" }),
          ),
        ),
      );
    case "html":
      return paragraph(run(node.value ?? ""), place);
    case "definition":
      return "";
    default:
      return children.length === 0 ? "" : children.map((child) => block(child, place, writing)).join("");
  }
}

/** Deepest level that Word numbers. */
const deepest = 8;

function list(node: Node, place: Place, writing: Writing): string {
  const level = Math.min(deepest, place.list === undefined ? 0 : place.list.level + 1);
  const number = node.ordered === true ? writing.lists.ordered(node.start ?? 1) : writing.lists.bullets;
  const inside = { list: { number, level } };
  // What follows in the same entry stands below it, without a number of its own.
  const below = { indent: 420 * (level + 1) };
  return (node.children ?? [])
    .map((entry) => {
      const [first, ...rest] = entry.children ?? [];
      const box = entry.checked === true ? "☒ " : entry.checked === false ? "☐ " : "";
      const begin =
        first?.type === "paragraph"
          ? paragraph(run(box) + inline(first.children ?? [], noLook, writing), { ...inside, style: place.style })
          : paragraph(run(box), inside) + (first === undefined ? "" : block(first, inside, writing));
      return begin + rest.map((child) => block(child, child.type === "list" ? inside : below, writing)).join("");
    })
    .join("");
}

function table(node: Node, writing: Writing): string {
  const rows = node.children ?? [];
  const columns = Math.max(1, ...rows.map((row) => row.children?.length ?? 0));
  const edge = (name: string) => element(name, { "w:val": "single", "w:sz": 4, "w:space": 0, "w:color": "BBBBBB" });
  const properties = element(
    "w:tblPr",
    {},
    element("w:tblW", { "w:w": 0, "w:type": "auto" }),
    element(
      "w:tblBorders",
      {},
      ["w:top", "w:left", "w:bottom", "w:right", "w:insideH", "w:insideV"].map(edge).join(""),
    ),
    element(
      "w:tblCellMar",
      {},
      element("w:left", { "w:w": 90, "w:type": "dxa" }),
      element("w:right", { "w:w": 90, "w:type": "dxa" }),
    ),
  );
  const grid = element("w:tblGrid", {}, element("w:gridCol", { "w:w": Math.floor(9000 / columns) }).repeat(columns));
  const written = rows.map((row, at) => {
    const cells = Array.from({ length: columns }, (_, column) => {
      const align = node.align?.[column];
      const content = inline(row.children?.[column]?.children ?? [], { bold: at === 0 }, writing);
      const set = [
        element("w:spacing", { "w:before": 40, "w:after": 40 }),
        align === "right" || align === "center" ? element("w:jc", { "w:val": align }) : "",
      ];
      return element(
        "w:tc",
        {},
        element("w:tcPr", {}, element("w:tcW", { "w:w": 0, "w:type": "auto" })),
        element("w:p", {}, element("w:pPr", {}, ...set), content),
      );
    });
    return element("w:tr", {}, at === 0 ? element("w:trPr", {}, element("w:tblHeader", {})) : "", ...cells);
  });
  // Word joins tables that follow each other without a paragraph between.
  return element("w:tbl", {}, properties, grid, ...written) + paragraph("");
}

function inline(nodes: readonly Node[], look: Look, writing: Writing): string {
  return nodes.map((node) => inlineOne(node, look, writing)).join("");
}

function inlineOne(node: Node, look: Look, writing: Writing): string {
  const children = node.children ?? [];
  switch (node.type) {
    case "text":
      return run((node.value ?? "").replaceAll("\n", " "), look);
    case "strong":
      return inline(children, { ...look, bold: true }, writing);
    case "emphasis":
      return inline(children, { ...look, italic: true }, writing);
    case "delete":
      return inline(children, { ...look, struck: true }, writing);
    case "inlineCode": {
      const formula = formulaIn(node.value ?? "");
      return formula === null
        ? run(node.value ?? "", { ...look, style: "CodeText" })
        : run(formula.source, { style: "Formula" });
    }
    case "break":
      return element("w:r", {}, "<w:br/>");
    case "html":
      return run(node.value ?? "", look);
    case "image":
      return run(`[${node.alt ?? ""}]`, look);
    case "footnoteReference":
      return run(`[^${node.identifier ?? ""}]`, look);
    case "citation": {
      const index = Number(node.data?.hProperties?.index);
      const anchor = writing.anchorOf(index);
      return anchor === null ? run(`[${index}]`, look) : linkToBookmark(anchor, `[${index}]`);
    }
    case "link": {
      const address = node.url ?? "";
      // As in the window, only web and mail addresses are links.
      return /^(https?|mailto):/i.test(address)
        ? element(
            "w:hyperlink",
            { "r:id": writing.relations.link(address) },
            inline(children, { ...look, style: "Hyperlink" }, writing),
          )
        : inline(children, look, writing);
    }
    default:
      return inline(children, look, writing);
  }
}
