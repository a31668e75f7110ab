import { useEffect, useRef, useState } from "react";

/**
 * How long a text that grows is left as it is, for each letter it has: the longer it is, the longer it takes to be read
 * as Markdown and laid out again, and the window must have time for other things.
 */
const restPerLetterMs = 0.02;

/** A text that comes in pieces, in steps that leave time between them. What does not go on from what was shown is shown at once. */
export function usePaced(text: string): string {
  const [shown, setShown] = useState(text);
  const shownAt = useRef(Number.NEGATIVE_INFINITY);
  const goesOn = text.length > shown.length && text.startsWith(shown);
  useEffect(() => {
    if (text === shown) {
      return undefined;
    }
    const show = () => {
      shownAt.current = performance.now();
      setShown(text);
    };
    const rest = goesOn ? shownAt.current + text.length * restPerLetterMs - performance.now() : 0;
    if (rest <= 0) {
      show();
      return undefined;
    }
    const timer = setTimeout(show, rest);
    return () => clearTimeout(timer);
  }, [text, shown, goesOn]);
  return goesOn ? shown : text;
}
