import type { Citation } from "@/ipc/bindings";
import { i18next } from "./i18n";
import { splitMarkers } from "./markers";

/** What a reference is made of. */
export interface Reference {
  index: number;
  title: string;
  /** `p. 371 · PDF 7`; empty where a document has no such places. */
  place: string;
  quote: string;
  /** What is wrong with it, in words; null when nothing is. */
  doubt: string | null;
}

/** An answer as it leaves the window: its question, its text, and what its numbers stand for. */
export interface Quotable {
  question: string;
  /** Markdown with `[n]` markers. */
  text: string;
  citations: readonly Citation[];
  /** Sentences that follow it: what was verified and what was searched. */
  notes: readonly string[];
}

/** The references of an answer by number; only those its text names. */
export function referencesOf(answer: Quotable, placeOf: (citation: Citation) => string): Reference[] {
  const known = new Set(answer.citations.map((citation) => citation.index));
  const named = new Set(
    splitMarkers(answer.text, (index) => known.has(index)).flatMap((piece) =>
      piece.kind === "marker" ? [piece.index] : [],
    ),
  );
  return answer.citations
    .filter((citation) => named.has(citation.index))
    .sort((one, other) => one.index - other.index)
    .map((citation) => ({
      index: citation.index,
      title: citation.title,
      place: placeOf(citation),
      quote: citation.quote.replaceAll(/\s+/g, " ").trim(),
      doubt: doubtOf(citation),
    }));
}

function doubtOf(citation: Citation): string | null {
  if (citation.verdict === "not_located") {
    return i18next.t("verdict.says.not_located");
  }
  return citation.numbers.missing.length > 0
    ? i18next.t("verdict.missing", { figures: citation.numbers.missing.join(", ") })
    : null;
}

/** One reference on one line: `[1] Annual report, p. 371 · PDF 7. “Revenue rose.”` */
export function referenceLine(reference: Reference, withQuote: boolean): string {
  const where = reference.place === "" ? reference.title : `${reference.title}, ${reference.place}`;
  const quote = withQuote ? ` “${reference.quote}”` : "";
  const doubt = reference.doubt === null ? "" : ` (${reference.doubt})`;
  return `[${reference.index}] ${where}.${quote}${doubt}`;
}
