import { type RefObject, useEffect, useRef, useState } from "react";
import { isSkimming } from "@/lib/page-layout";

/** Pages that rush by are asked for when the column has been still for so long. */
const settleMs = 100;

interface Range {
  first: number;
  last: number;
}

/**
 * The pages in view, but not those that only rush by: images of pages that nobody stops at are never asked for. A jump
 * (`jumpedTo` is where it went) is no rush.
 */
export function useSettledRange(
  inView: Range,
  scrollTop: number,
  viewportHeight: number,
  jumpedTo: RefObject<number>,
): Range {
  const { first, last } = inView;
  const [settled, setSettled] = useState<Range>({ first, last });
  const before = useRef({ top: scrollTop, at: performance.now() });
  useEffect(() => {
    const { top, at } = before.current;
    const now = performance.now();
    before.current = { top: scrollTop, at: now };
    const settle = () =>
      setSettled((known) => (known.first === first && known.last === last ? known : { first, last }));
    if (scrollTop === jumpedTo.current || !isSkimming(scrollTop - top, now - at, viewportHeight)) {
      settle();
      return;
    }
    const timer = setTimeout(settle, settleMs);
    return () => clearTimeout(timer);
  }, [first, last, scrollTop, viewportHeight, jumpedTo]);
  return settled;
}
