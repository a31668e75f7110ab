/** A stretch of an item's text, in characters as the engine counts them: code points, not UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** A piece of an item's text, marked or not. */
export interface MarkedPiece {
  text: string;
  marked: boolean;
}

/** Splits a text at its spans, which may overlap, touch or reach past the end. */
export function markSpans(text: string, spans: readonly Span[]): MarkedPiece[] {
  if (spans.length === 0) {
    return text === "" ? [] : [{ text, marked: false }];
  }
  const characters = [...text];
  const pieces: MarkedPiece[] = [];
  let from = 0;
  for (const span of [...spans].sort((one, other) => one.start - other.start)) {
    const start = Math.max(from, Math.min(span.start, characters.length));
    const end = Math.max(start, Math.min(span.end, characters.length));
    if (end === start) {
      continue;
    }
    if (start > from) {
      pieces.push({ text: characters.slice(from, start).join(""), marked: false });
    }
    pieces.push({ text: characters.slice(start, end).join(""), marked: true });
    from = end;
  }
  if (from < characters.length) {
    pieces.push({ text: characters.slice(from).join(""), marked: false });
  }
  return pieces;
}
