import type { ListedDocument } from "@/ipc/bindings";
import { stateShape } from "./document-state";
import { fitOf } from "./matching";

/** What the list of documents is ordered by. */
export const orders = ["title", "added", "pages", "state"] as const;
export type DocumentOrder = (typeof orders)[number];

/** Which documents of a collection are listed. */
export interface DocumentFilter {
  /** Letters of the title. */
  words: string;
  /** All of which a document must carry. */
  tags: readonly string[];
  /** Only those that cannot be read and searched whole. */
  problemsOnly: boolean;
}

/** `Note 2` before `Note 10`. */
const byTitle = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const shapes = ["failed", "missing", "working", "ready"];

function compare(one: ListedDocument, other: ListedDocument, order: DocumentOrder): number {
  switch (order) {
    case "title":
      return 0;
    case "added":
      return other.created_at.localeCompare(one.created_at);
    case "pages":
      return (other.page_count ?? -1) - (one.page_count ?? -1);
    case "state":
      return shapes.indexOf(stateShape(one.state)) - shapes.indexOf(stateShape(other.state));
  }
}

/** Whether something about the document needs the person's eye. */
export function hasProblem(document: ListedDocument): boolean {
  const shape = stateShape(document.state);
  return shape === "failed" || shape === "missing" || document.state === "ready_with_gaps";
}

/** The documents that pass the filter, in order; those that are alike by their titles. */
export function arrange(
  documents: readonly ListedDocument[],
  filter: DocumentFilter,
  order: DocumentOrder,
): ListedDocument[] {
  return documents
    .filter(
      (document) =>
        fitOf(document.title, filter.words) !== null &&
        filter.tags.every((tag) => document.tags.includes(tag)) &&
        (!filter.problemsOnly || hasProblem(document)),
    )
    .sort((one, other) => compare(one, other, order) || byTitle.compare(one.title, other.title));
}

/** Every tag of the documents with how many carry it, in alphabetical order. */
export function tagsOf(documents: readonly ListedDocument[]): { tag: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const tag of documents.flatMap((document) => document.tags)) {
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].map(([tag, count]) => ({ tag, count })).sort((one, other) => byTitle.compare(one.tag, other.tag));
}
