import { useEffect, useRef, useState } from "react";

/** After a text was drawn, it is left as it is for so many times as long as that took: the window has other things to do. */
const restShare = 3;

/**
 * A text that comes in pieces, in steps that leave the window time between them however long the text takes to be read as
 * Markdown and laid out. What does not go on from what was shown is shown at once.
 */
export function usePaced(text: string, now: () => number = () => performance.now()): string {
  const [shown, setShown] = useState(text);
  const drawing = useRef({ began: 0, took: 0 });
  const clock = useRef(now);
  const goesOn = text.length > shown.length && text.startsWith(shown);
  useEffect(() => {
    const { current } = drawing;
    if (shown !== "" && current.began > 0) {
      current.took = clock.current() - current.began;
    }
  }, [shown]);
  useEffect(() => {
    if (text === shown) {
      return undefined;
    }
    const show = () => {
      drawing.current.began = clock.current();
      setShown(text);
    };
    const { began, took } = drawing.current;
    const rest = goesOn ? began + took * (1 + restShare) - clock.current() : 0;
    if (rest <= 0) {
      show();
      return undefined;
    }
    const timer = setTimeout(show, rest);
    return () => clearTimeout(timer);
  }, [text, shown, goesOn]);
  return goesOn ? shown : text;
}
