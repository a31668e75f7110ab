import type { CitationBox, ItemSpan } from "@/ipc/bindings";

/** A part of a citation that lies apart from the others: a page of its own, or an item of its own. */
export type CitationPart = { kind: "page"; page: number; box: CitationBox } | { kind: "item"; span: ItemSpan };

/** The parts of what is cited, in the order of the document; the cited words alone where they are known. */
export function partsOf(cited: { boxes: readonly CitationBox[]; spans: readonly ItemSpan[] }): CitationPart[] {
  const quotes = cited.boxes.filter((box) => box.kind === "quote");
  const boxes = quotes.length > 0 ? quotes : cited.boxes;
  const firstOnPage = new Map<number, CitationBox>();
  for (const box of boxes) {
    if (!firstOnPage.has(box.page)) {
      firstOnPage.set(box.page, box);
    }
  }
  if (firstOnPage.size > 0) {
    return [...firstOnPage]
      .sort(([one], [other]) => one - other)
      .map(([page, box]): CitationPart => ({ kind: "page", page, box }));
  }
  return cited.spans.map((span): CitationPart => ({ kind: "item", span }));
}

/** The page that a citation's words begin on, with its boxes there; null where no page is known. */
export function placeOnPage(cited: { boxes: readonly CitationBox[] }): { page: number; boxes: CitationBox[] } | null {
  const quotes = cited.boxes.filter((box) => box.kind === "quote");
  const boxes = quotes.length > 0 ? quotes : cited.boxes;
  const page = boxes[0]?.page;
  return page === undefined ? null : { page, boxes: boxes.filter((box) => box.page === page) };
}
