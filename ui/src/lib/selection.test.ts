import { afterEach, describe, expect, it } from "vitest";
import { onOneLine, selectedText } from "./selection";

/** Two pages of words; a word is `line:text`. */
function pagesOf(...pages: string[][]): HTMLElement {
  const root = document.createElement("div");
  pages.forEach((words, at) => {
    const page = root.appendChild(document.createElement("div"));
    page.dataset.page = String(at + 1);
    for (const written of words) {
      const [line, text] = written.split(":");
      const word = page.appendChild(document.createElement("span"));
      word.dataset.word = line;
      word.textContent = `${text} `;
    }
  });
  document.body.append(root);
  return root;
}

function select(root: HTMLElement, from: [word: number, offset: number], to: [word: number, offset: number]) {
  const words = root.querySelectorAll("[data-word]");
  const selection = window.getSelection();
  const range = document.createRange();
  range.setStart(words[from[0]]?.firstChild as Node, from[1]);
  range.setEnd(words[to[0]]?.firstChild as Node, to[1]);
  selection?.removeAllRanges();
  selection?.addRange(range);
  return selection;
}

afterEach(() => {
  window.getSelection()?.removeAllRanges();
  document.body.replaceChildren();
});

describe("selectedText", () => {
  it("puts a space between words, and a break where a line or a page ends", () => {
    const root = pagesOf(["0:Net", "0:revenue", "1:rose"], ["0:again"]);
    expect(selectedText(select(root, [0, 0], [3, 5]), root)).toEqual({
      text: "Net revenue\nrose\nagain",
      pages: [1, 2],
    });
  });

  it("takes of the words at both ends what is selected of them", () => {
    const root = pagesOf(["0:calibration", "0:contracts"]);
    expect(selectedText(select(root, [0, 4], [1, 8]), root)?.text).toBe("bration contract");
  });

  it("is nothing without a selection, or with one elsewhere", () => {
    const root = pagesOf(["0:word"]);
    const elsewhere = pagesOf(["0:other"]);
    expect(selectedText(window.getSelection(), root)).toBeNull();
    expect(selectedText(select(elsewhere, [0, 0], [0, 5]), root)).toBeNull();
  });

  it("takes the text as it stands where there are no pages", () => {
    const root = document.body.appendChild(document.createElement("article"));
    root.innerHTML = "<p>No change to the dividend.</p>";
    window.getSelection()?.selectAllChildren(root);
    expect(selectedText(window.getSelection(), root)).toEqual({ text: "No change to the dividend.", pages: [] });
  });

  it("is quoted on one line", () => {
    expect(onOneLine(" Net revenue\nrose  by ")).toBe("Net revenue rose by");
  });
});
