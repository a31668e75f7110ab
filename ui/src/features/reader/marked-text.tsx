import { markSpans } from "@/lib/spans";
import type { TextMark } from "./marks";

interface MarkedTextProps {
  text: string;
  marks: readonly TextMark[];
  /** Lets the marks pulse again when the same place is opened again. */
  opening: number;
}

/** Words with what is cited, read and looked for in them marked; the layer on top gives the colour. */
export function MarkedText({ text, marks, opening }: MarkedTextProps) {
  return markSpans(text, marks).map((piece) => {
    const top = piece.marks.at(-1);
    if (top === undefined) {
      return piece.text;
    }
    const citation = piece.marks.find((mark) => mark.citation !== null)?.citation ?? undefined;
    const cited = piece.marks.find((mark) => mark.kind === "quote") ?? top;
    return (
      <mark
        key={`${opening}-${piece.start}`}
        data-kind={top.kind}
        data-current={piece.marks.some((mark) => mark.current)}
        data-citation={citation}
        data-testid={`mark-${top.kind === "find" && top !== cited ? cited.kind : top.kind}`}
        data-pulse={top.kind === "quote"}
      >
        {piece.text}
      </mark>
    );
  });
}
