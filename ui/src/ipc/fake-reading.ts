import type { ContentsEntry, LaidOutItem, LocateMatch, Locator, SearchResult } from "./bindings";
import { boxesBetween, type FakeDocument, type FakePage, locateOnPage, textOfPage } from "./fake-pages";

/** What the in-memory engine answers about the inside of a document: its headings, and where words stand in it. */

/** The headings of a document in reading order. */
export function contentsOf(document: FakeDocument): ContentsEntry[] {
  const onPages = document.pages.flatMap((page) =>
    page.blocks.flatMap((block, at): ContentsEntry[] => {
      if ((block.kind !== "title" && block.kind !== "heading") || block.text.trim() === "") {
        return [];
      }
      const level = block.kind === "title" ? 1 : 2;
      return [{ level, title: block.text, page: page.size.number, ref: `#/pages/${page.size.number}/${at}` }];
    }),
  );
  const laidOut = document.items.flatMap((item): ContentsEntry[] =>
    item.label === "title" || item.label === "section_header"
      ? [{ level: item.label === "title" ? 1 : item.level + 1, title: item.text, page: null, ref: item.ref }]
      : [],
  );
  return [...onPages, ...laidOut];
}

/** Where each occurrence of `words` begins in `text`, whatever their case. */
function occurrences(text: string, words: string): number[] {
  const found: number[] = [];
  const inside = text.toLowerCase();
  const wanted = words.toLowerCase();
  for (let at = inside.indexOf(wanted); at !== -1; at = inside.indexOf(wanted, at + wanted.length)) {
    found.push(at);
  }
  return found;
}

/** Every place of `words` in a document, in reading order. */
export function findIn(document: FakeDocument, words: string): LocateMatch[] {
  const wanted = words.trim().replaceAll(/\s+/g, " ");
  if (wanted === "") {
    return [];
  }
  const onPages = document.pages.flatMap((page) =>
    occurrences(textOfPage(page), wanted).map((from): LocateMatch => {
      const until = from + wanted.length;
      return {
        kind: "verbatim",
        pages: [{ number: page.size.number, label: page.size.label }],
        text: textOfPage(page).slice(from, until),
        boxes: boxesBetween(page, from, until, "quote").map(({ kind: _, ...box }) => box),
        spans: [],
      };
    }),
  );
  const inItems = document.items.flatMap((item) =>
    occurrences(item.text, wanted).map((from): LocateMatch => {
      const start = [...item.text.slice(0, from)].length;
      return {
        kind: "verbatim",
        pages: [],
        text: item.text.slice(from, from + wanted.length),
        boxes: [],
        spans: [{ ref: item.ref, start, end: start + [...wanted].length }],
      };
    }),
  );
  return [...onPages, ...inItems];
}

interface Passage {
  text: string;
  page: FakePage | null;
  item: LaidOutItem | null;
  headings: string[];
}

function passagesOf(document: FakeDocument): Passage[] {
  let headings: string[] = [];
  const onPages = document.pages.flatMap((page) =>
    page.blocks.flatMap((block): Passage[] => {
      if (block.kind !== "text") {
        headings = block.kind === "row" || block.text.trim() === "" ? headings : [block.text];
        return [];
      }
      return [{ text: block.text, page, item: null, headings }];
    }),
  );
  const inItems = document.items.map((item): Passage => {
    headings = item.label === "section_header" ? [item.text] : headings;
    return { text: item.text, page: null, item, headings };
  });
  return [...onPages, ...inItems];
}

/** The passages of `documents` that hold every word of `query`, most occurrences first. */
export function searchIn(documents: readonly FakeDocument[], query: string, limit: number): SearchResult[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0) {
    return [];
  }
  return documents
    .flatMap((document) => passagesOf(document).map((passage) => ({ document, passage })))
    .map(({ document, passage }) => {
      const counts = words.map((word) => occurrences(passage.text, word).length);
      return { document, passage, score: counts.includes(0) ? 0 : counts.reduce((sum, count) => sum + count, 0) };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ document, passage, score }, at) => resultOf(document, passage, score, at + 1));
}

function resultOf(document: FakeDocument, passage: Passage, score: number, rank: number): SearchResult {
  const { page, item, text, headings } = passage;
  const pages = page === null ? [] : [{ number: page.size.number, label: page.size.label }];
  const locator: Locator =
    page === null ? (item?.place ?? { kind: "heading", path: headings }) : { kind: "page", pages };
  return {
    rank,
    score,
    confidence: null,
    role: "evidence",
    neighbour_of: null,
    locator,
    spans: item === null ? [] : [{ ref: item.ref, start: 0, end: [...item.text].length }],
    collection: document.collection,
    document_id: document.documentId,
    title: document.title,
    uri: document.uri,
    chunk_id: `${document.documentId}/${page?.size.number ?? item?.ref}/${rank}`,
    chunk_ids: [],
    pages,
    headings,
    labels: ["text"],
    doc_item_refs: item === null ? [] : [item.ref],
    text,
    boxes: page === null ? [] : locateOnPage(page, text, "passage").map(({ kind: _, ...box }) => box),
  };
}
