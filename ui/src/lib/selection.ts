/** What a person has selected over pages whose words lie apart from each other. */

export interface SelectedText {
  /** Words with spaces between them, and a line break wherever the page has one. */
  text: string;
  /** Pages the words are on, 1-based; none for documents without pages. */
  pages: number[];
}

/** The selected text inside `root`; null when nothing there is selected. */
export function selectedText(selection: Selection | null, root: Element): SelectedText | null {
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) {
    return null;
  }
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(root)) {
    return null;
  }
  const words = [...root.querySelectorAll<HTMLElement>("[data-word]")].filter((word) => range.intersectsNode(word));
  if (words.length > 0) {
    return joined(words, range);
  }
  const text = root.contains(range.commonAncestorContainer) ? selection.toString().trim() : "";
  return text === "" ? null : { text, pages: [] };
}

function joined(words: readonly HTMLElement[], range: Range): SelectedText | null {
  const pages = new Set<number>();
  let text = "";
  let before: string | null = null;
  for (const word of words) {
    const piece = selectedPart(word, range).trim();
    if (piece === "") {
      continue;
    }
    const page = Number(word.closest<HTMLElement>("[data-page]")?.dataset.page ?? 0);
    const line = `${page}/${word.dataset.word}`;
    text += before === null ? piece : `${before === line ? " " : "\n"}${piece}`;
    before = line;
    pages.add(page);
  }
  return text === "" ? null : { text, pages: [...pages].filter((page) => page > 0) };
}

/** The letters of a word that are selected: all of them but at the two ends. */
function selectedPart(word: HTMLElement, range: Range): string {
  const text = word.textContent ?? "";
  const from = word.contains(range.startContainer) && range.startContainer.nodeType === Node.TEXT_NODE;
  const to = word.contains(range.endContainer) && range.endContainer.nodeType === Node.TEXT_NODE;
  return text.slice(from ? range.startOffset : 0, to ? range.endOffset : text.length);
}

/** Selected words on one line, as they are quoted. */
export function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
