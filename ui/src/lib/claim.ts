/** Which words of an answer a citation stands for. */

/** The blocks that a claim never leaves. */
const blocks = "p, li, td, th, h1, h2, h3, h4, blockquote";

/**
 * The stretch of text that ends at `chip`: the quotation before it, or else the sentence. Null where there is no text.
 *
 * A chip that directly follows another one stands for the same words.
 */
export function claimRange(chip: Element, isChip: (element: Element) => boolean): Range | null {
  const block = chip.closest(blocks);
  if (block === null) {
    return null;
  }
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  const nodes: { node: Text; start: number }[] = [];
  let text = "";
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const inside = node.parentElement;
    if (chip.contains(node) || (chip.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0) {
      break;
    }
    if (inside === null || inside.closest(blocks) !== block || ancestorIsChip(inside, block, isChip)) {
      continue;
    }
    nodes.push({ node: node as Text, start: text.length });
    text += (node as Text).data;
  }
  const end = text.trimEnd().length;
  const start = claimStart(text.slice(0, end));
  const from = nodes.findLast((piece) => piece.start <= start);
  const to = nodes.findLast((piece) => piece.start < end);
  if (from === undefined || to === undefined || start >= end) {
    return null;
  }
  const range = document.createRange();
  range.setStart(from.node, start - from.start);
  range.setEnd(to.node, end - to.start);
  return range;
}

function ancestorIsChip(element: Element, block: Element, isChip: (element: Element) => boolean): boolean {
  for (let at: Element | null = element; at !== null && at !== block; at = at.parentElement) {
    if (isChip(at)) {
      return true;
    }
  }
  return false;
}

/** Where the quotation or the sentence at the end of `text` begins. */
export function claimStart(text: string): number {
  if (/”[.,;]?$/.test(text)) {
    const opening = text.lastIndexOf("“");
    if (opening !== -1) {
      return opening;
    }
  }
  const sentences = [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)];
  return sentences.findLast((sentence) => /[\p{L}\p{N}]/u.test(sentence.segment))?.index ?? 0;
}
