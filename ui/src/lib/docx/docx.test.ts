import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { citation } from "@/test/samples";
import "../i18n";
import { fromBase64 } from "../base64";
import { conversationAsDocx } from "./conversation";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==";
const made = new Date("2026-05-04T10:20:30Z");

const answer = {
  question: "How large was <growth> & why?",
  text: `Revenue **rose** by *15 %*.[2] See [the site](https://example.com/a?b=1&c=2) or [this](javascript:alert(1)).[1]

> Margins rose. [1]

- services
  1. contracts
  2. software
- sensing

7. seventh

| Year | Revenue |
| ---- | ------: |
| 2024 | 1,577   |

\`\`\`python
print(1)
print(2)
\`\`\`

So \\(g = \\frac{a}{b}\\) and not [2023]. <script>alert(1)</script> ![chart](https://evil.example/x.png)`,
  notes: ["2 quotes verbatim"],
  citations: [
    citation({ index: 1, quote: "Margins\nrose.", verdict: "not_located" as const }),
    citation({ index: 2, quote: 'Revenue "rose" \u0001by 15%.' }),
    citation({ index: 3, quote: "Never named." }),
  ],
};

function unpacked() {
  const pictureOf = (at: number, index: number) =>
    at === 0 && index === 2 ? { base64: png, width: 900, height: 300 } : null;
  const parts = unzipSync(conversationAsDocx("Growth", [answer, answer], pictureOf, made));
  const xml = (name: string) => {
    const bytes = parts[name];
    if (bytes === undefined) {
      throw new Error(`${name} is missing`);
    }
    const document = new DOMParser().parseFromString(strFromU8(bytes), "application/xml");
    expect(document.querySelector("parsererror")?.textContent ?? null).toBeNull();
    return document;
  };
  return { parts, xml };
}

/** Elements by their name with its prefix. */
function all(document: Document | Element, name: string): Element[] {
  return [...document.getElementsByTagName(name)];
}

const paragraphs = (document: Document) =>
  all(document, "w:p").map((paragraph) => ({
    style: all(paragraph, "w:pStyle")[0]?.getAttribute("w:val") ?? null,
    text: paragraph.textContent,
  }));

describe("a conversation as a Word document", () => {
  it("is a package in which every part is well-formed and every reference has its target", () => {
    const { parts, xml } = unpacked();
    const named = all(xml("[Content_Types].xml"), "Override").map((part) => part.getAttribute("PartName")?.slice(1));
    for (const name of named) {
      expect(Object.keys(parts)).toContain(name);
      xml(name ?? "");
    }
    const relations = all(xml("word/_rels/document.xml.rels"), "Relationship");
    const ids = relations.map((relation) => relation.getAttribute("Id"));
    expect(new Set(ids).size).toBe(ids.length);
    for (const relation of relations.filter((one) => one.getAttribute("TargetMode") !== "External")) {
      expect(Object.keys(parts)).toContain(`word/${relation.getAttribute("Target")}`);
    }
    const text = xml("word/document.xml");
    const used = [
      ...all(text, "a:blip").map((blip) => blip.getAttribute("r:embed")),
      ...all(text, "w:hyperlink").map((link) => link.getAttribute("r:id")),
    ].filter((id) => id !== null);
    expect(used).toHaveLength(3);
    expect(used.every((id) => ids.includes(id))).toBe(true);
    const styles = all(xml("word/styles.xml"), "w:style").map((style) => style.getAttribute("w:styleId"));
    for (const use of [...all(text, "w:pStyle"), ...all(text, "w:rStyle")]) {
      expect(styles).toContain(use.getAttribute("w:val"));
    }
  });

  it("has the references by number, each named once, to which the numbers of the text lead", () => {
    const text = unpacked().xml("word/document.xml");
    const bookmarks = all(text, "w:bookmarkStart").map((mark) => mark.getAttribute("w:name"));
    expect(bookmarks).toEqual(["ref_a1_1", "ref_a1_2", "ref_a2_1", "ref_a2_2"]);
    const anchors = all(text, "w:hyperlink").map((link) => link.getAttribute("w:anchor"));
    expect(anchors.filter((anchor) => anchor !== null).slice(0, 3)).toEqual(["ref_a1_2", "ref_a1_1", "ref_a1_1"]);
    expect(anchors.every((anchor) => anchor === null || bookmarks.includes(anchor))).toBe(true);
    const references = paragraphs(text).filter(({ style }) => style === "Reference");
    expect(references[0]?.text).toBe("[1] Annual report, p. 371 · PDF 7. “Margins rose.” Not found on the page");
    expect(references[1]?.text).toBe('[2] Annual report, p. 371 · PDF 7. “Revenue "rose" by 15%.”');
    expect(text.documentElement.textContent).not.toContain("Never named");
  });

  it("has the picture of a reference below it, in its own proportions and with the quote for those who cannot see it", () => {
    const { parts, xml } = unpacked();
    expect(parts["word/media/image1.png"]).toEqual(fromBase64(png));
    const text = xml("word/document.xml");
    const [extent] = all(text, "wp:extent");
    const size = (name: string) => Number(extent?.getAttribute(name));
    expect(size("cx") / size("cy")).toBeCloseTo(3);
    expect(size("cx") / 914_400).toBeCloseTo(6);
    expect(all(text, "wp:docPr")[0]?.getAttribute("descr")).toBe('Revenue "rose" by 15%.');
    const styles = paragraphs(text).map(({ style }) => style);
    expect(styles[styles.indexOf("Picture") - 1]).toBe("Reference");
  });

  it("keeps the shape of the answer", () => {
    const { xml } = unpacked();
    const text = xml("word/document.xml");
    const found = paragraphs(text);
    expect(found[0]).toEqual({ style: "Title", text: "Growth" });
    expect(found[1]).toEqual({ style: "Heading1", text: "How large was <growth> & why?" });
    expect(found[2]?.text).toBe("Revenue rose by 15 %.[2] See the site or this.[1]");
    expect(found[3]).toEqual({ style: "Quote", text: "Margins rose. [1]" });
    const listed = all(text, "w:numPr").map((set) => [
      all(set, "w:ilvl")[0]?.getAttribute("w:val"),
      all(set, "w:numId")[0]?.getAttribute("w:val"),
    ]);
    expect(listed.slice(0, 5)).toEqual([
      ["0", "1"],
      ["1", "2"],
      ["1", "2"],
      ["0", "1"],
      ["0", "3"],
    ]);
    const third = all(xml("word/numbering.xml"), "w:num").find((num) => num.getAttribute("w:numId") === "3");
    expect(all(third as Element, "w:startOverride")[0]?.getAttribute("w:val")).toBe("7");
    expect(
      all(text, "w:tr")
        .slice(0, 2)
        .map((row) => all(row, "w:tc").map((cell) => cell.textContent)),
    ).toEqual([
      ["Year", "Revenue"],
      ["2024", "1,577"],
    ]);
    const code = found.find(({ style }) => style === "Code");
    expect(code?.text).toBe("print(1)print(2)");
    expect(found.some((one) => one.text === "2 quotes verbatim" && one.style === "Note")).toBe(true);
  });

  it("has nothing of a document or a model as code, and links to the web alone", () => {
    const { xml } = unpacked();
    const outside = all(xml("word/_rels/document.xml.rels"), "Relationship")
      .filter((relation) => relation.getAttribute("TargetMode") === "External")
      .map((relation) => relation.getAttribute("Target"));
    expect(outside).toEqual(["https://example.com/a?b=1&c=2"]);
    const text = paragraphs(xml("word/document.xml")).map((paragraph) => paragraph.text);
    expect(text).toContain("So g = \\frac{a}{b} and not [2023]. <script>alert(1)</script> [chart]");
  });
});
