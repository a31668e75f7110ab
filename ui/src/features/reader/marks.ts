import { useMemo } from "react";
import type { Citation, CitationBox, ItemSpan, LocateMatch, PageBox } from "@/ipc/bindings";
import { type ReaderTarget, useView } from "@/state/view";
import { useReader } from "./reader-state";

/** What lies over a page: the passage, the quote, other citations of the answer, and the words looked for. */
export interface PageMark extends PageBox {
  kind: CitationBox["kind"] | "other" | "find";
  /** The citation it belongs to. */
  citation: number | null;
  /** Whether it is the place found that was gone to. */
  current: boolean;
}

/** The same over the text of an item. */
export interface TextMark {
  start: number;
  end: number;
  kind: PageMark["kind"];
  citation: number | null;
  current: boolean;
}

/** The layers from the lowest to the highest. */
const order: readonly PageMark["kind"][] = ["passage", "other", "quote", "find"];

const noCitations: readonly Citation[] = [];

/** The citations of the open answer that lie in a document. */
export function useCitationsHere(documentId: string): readonly Citation[] {
  const walk = useView((state) => state.walk);
  return useMemo(
    () => walk?.citations.filter((citation) => citation.document_id === documentId) ?? noCitations,
    [walk, documentId],
  );
}

/** The citations marked beside the open one. */
function useOthers(target: ReaderTarget): readonly Citation[] {
  const here = useCitationsHere(target.documentId);
  const showAll = useReader((state) => state.showAll);
  return useMemo(
    () => (showAll ? here.filter((citation) => citation.index !== target.citationIndex) : noCitations),
    [here, showAll, target.citationIndex],
  );
}

/** Everything marked on pages, by page number. */
export function usePageMarks(
  target: ReaderTarget,
  found: readonly LocateMatch[],
): ReadonlyMap<number, readonly PageMark[]> {
  const others = useOthers(target);
  const at = useReader((state) => state.findAt);
  return useMemo(() => {
    const marks: PageMark[] = [
      ...target.boxes.map((box) => ({ ...box, citation: target.citationIndex, current: false })),
      ...others.flatMap(({ boxes, index }) =>
        boxes
          .filter((box) => box.kind === "quote")
          .map((box) => ({ ...box, kind: "other" as const, citation: index, current: false })),
      ),
      ...found.flatMap(({ boxes }, place) =>
        boxes.map((box) => ({ ...box, kind: "find" as const, citation: null, current: place === at })),
      ),
    ];
    return grouped(marks, (mark) => mark.page);
  }, [target.boxes, target.citationIndex, others, found, at]);
}

/** Everything marked in items, by `self_ref`. */
export function useTextMarks(
  target: ReaderTarget,
  found: readonly LocateMatch[],
): ReadonlyMap<string, readonly TextMark[]> {
  const others = useOthers(target);
  const at = useReader((state) => state.findAt);
  return useMemo(() => {
    const mark = (span: ItemSpan, kind: PageMark["kind"], citation: number | null, current: boolean) => ({
      ...span,
      kind,
      citation,
      current,
    });
    const marks = [
      ...target.spans.map((span) => mark(span, target.spanKind, target.citationIndex, false)),
      ...others.flatMap(({ spans, index }) => spans.map((span) => mark(span, "other", index, false))),
      ...found.flatMap(({ spans }, place) => spans.map((span) => mark(span, "find", null, place === at))),
    ];
    return grouped(marks, (one) => one.ref);
  }, [target.spans, target.spanKind, target.citationIndex, others, found, at]);
}

function grouped<Key, Mark extends { kind: PageMark["kind"] }>(
  marks: readonly Mark[],
  keyOf: (mark: Mark) => Key,
): ReadonlyMap<Key, readonly Mark[]> {
  const groups = new Map<Key, Mark[]>();
  for (const kind of order) {
    for (const mark of marks) {
      if (mark.kind === kind) {
        const group = groups.get(keyOf(mark));
        if (group === undefined) {
          groups.set(keyOf(mark), [mark]);
        } else {
          group.push(mark);
        }
      }
    }
  }
  return groups;
}
