import { useEffect, useRef, useState } from "react";
import { type Formula, formulaOptions } from "@/lib/maths";

/** Formulas are rare, and what draws them is not small: it is fetched with the first one. */
const drawer = () => import("katex").then((module) => module.default);

/**
 * A formula, as MathML, which the window draws with its own fonts and reads out. Until it is drawn, and where it cannot
 * be, its source is shown. Nothing in it may load or link to anything.
 */
export function Maths({ source, display }: Formula) {
  const place = useRef<HTMLSpanElement>(null);
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    let left = false;
    setDrawn(false);
    const draw = async () => {
      const katex = await drawer();
      if (left || place.current === null) {
        return;
      }
      try {
        katex.render(source, place.current, formulaOptions({ source, display }));
        setDrawn(true);
      } catch {
        setDrawn(false);
      }
    };
    void draw();
    return () => {
      left = true;
    };
  }, [source, display]);
  return (
    <span className="maths" data-display={display} data-testid="maths">
      <span ref={place} hidden={!drawn} />
      {!drawn && <code>{source}</code>}
    </span>
  );
}
