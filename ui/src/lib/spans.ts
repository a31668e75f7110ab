/** A stretch of an item's text, in characters as the engine counts them: code points, not UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** A piece of an item's text with everything that lies over it, in the order it was given. */
export interface MarkedPiece<Mark extends Span> {
  /** Where the piece begins, in characters. */
  start: number;
  text: string;
  marks: Mark[];
}

/** Cuts a text at the ends of its marks, which may overlap, touch or reach past the end. */
export function markSpans<Mark extends Span>(text: string, marks: readonly Mark[]): MarkedPiece<Mark>[] {
  if (marks.length === 0) {
    return text === "" ? [] : [{ start: 0, text, marks: [] }];
  }
  const characters = [...text];
  const within = (at: number) => Math.max(0, Math.min(at, characters.length));
  const real = marks.filter((mark) => within(mark.end) > within(mark.start));
  const cuts = new Set([0, characters.length, ...real.flatMap((mark) => [within(mark.start), within(mark.end)])]);
  const ordered = [...cuts].sort((one, other) => one - other);
  return ordered.slice(0, -1).map((start, at) => {
    const end = ordered[at + 1] ?? characters.length;
    return {
      start,
      text: characters.slice(start, end).join(""),
      marks: real.filter((mark) => within(mark.start) <= start && within(mark.end) >= end),
    };
  });
}
