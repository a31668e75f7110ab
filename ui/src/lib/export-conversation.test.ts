import { describe, expect, it } from "vitest";
import { citation } from "@/test/samples";
import "./i18n";
import { answerAsText, conversationAsHtml, conversationAsMarkdown, fileNameFor } from "./export-conversation";

const picture = { base64: "iVBORw0KGgo=", width: 900, height: 300 };
const none = () => null;

const answer = {
  notes: ["1 quote verbatim · 1 not found on the page"],
  question: "How large was <growth>?",
  text: "Revenue rose.[2] Margins too.[1] The year [2023] was good.",
  citations: [
    citation({ index: 2, quote: "Revenue\nrose by 15%." }),
    citation({
      index: 1,
      title: "Notes",
      locator: { kind: "heading", path: ["Outlook"] },
      verdict: "not_located",
      quote: "Margins *rose*.",
    }),
    citation({ index: 3, quote: "Never named." }),
  ],
};

describe("a copied answer", () => {
  it("ends with the references its text names, by number, with their pages", () => {
    expect(answerAsText(answer, false)).toBe(
      "Revenue rose.[2] Margins too.[1] The year [2023] was good.\n\n" +
        "[1] Notes, Outlook. (Not found on the page)\n" +
        "[2] Annual report, p. 371 · PDF 7.",
    );
  });

  it("has the quotes too when they are asked for", () => {
    expect(answerAsText(answer, true)).toContain("[2] Annual report, p. 371 · PDF 7. “Revenue rose by 15%.”");
  });

  it("has no list of references without any", () => {
    expect(answerAsText({ question: "?", text: "That.", citations: [], notes: [] }, true)).toBe("That.");
  });
});

describe("an exported conversation", () => {
  it("is Markdown in which words of documents are not taken for marks", () => {
    const text = conversationAsMarkdown("Growth", [answer]);
    expect(text).toContain("# Growth\n\n## How large was \\<growth\\>?");
    expect(text).toContain(
      "### References\n\n1. Notes, Outlook. “Margins \\*rose\\*.” (Not found on the page)\n2. Annual",
    );
  });

  it("is a page in which nothing of a document or a question is code", () => {
    const page = conversationAsHtml("<b>", [answer], (_, at) => `<p>body ${at}</p>`, none);
    expect(page).toContain("<title>&lt;b&gt;</title>");
    expect(page).toContain('<h2>How large was &lt;growth&gt;?</h2><p>body 0</p><p class="note">1 quote');
    expect(page).toContain('<li id="a1-2" value="2">');
    expect(page).not.toContain("Never named");
    expect(page).toContain("default-src 'none'");
  });

  it("shows the place of a reference on its page, with nothing to load", () => {
    const page = conversationAsHtml(
      "Growth",
      [answer],
      () => "",
      (at, index) => (at === 0 && index === 2 ? picture : null),
    );
    expect(page.match(/<img/g)).toHaveLength(1);
    expect(page).toContain('<img src="data:image/png;base64,iVBORw0KGgo=" width="450" height="150"');
    expect(page).toContain('alt="The place on the page: Annual report, p. 371 · PDF 7"');
    expect(page).toContain("img-src data:;");
  });

  it("tells what was verified and searched", () => {
    expect(conversationAsMarkdown("Growth", [answer])).toContain("*1 quote verbatim · 1 not found on the page*");
  });

  it("is kept under a name that every system takes", () => {
    expect(fileNameFor('What "is" 3/4?\n', "md")).toBe("What is 3 4.md");
    expect(fileNameFor("???", "html")).toBe("Recto.html");
  });
});
