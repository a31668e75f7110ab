import { useTranslation } from "react-i18next";
import type { DocumentState } from "@/ipc/bindings";
import { stateShape } from "@/lib/document-state";

/** A document's state by shape and colour: a disc, a half disc, a triangle, a struck circle. */
export function StateGlyph({ state, label }: { state: DocumentState; label?: string }) {
  const { t } = useTranslation();
  const shape = stateShape(state);
  return (
    <span className="inline-flex size-3 shrink-0" role="img" aria-label={label ?? t(`state.${state}`)}>
      <svg viewBox="0 0 12 12" className="size-3" aria-hidden="true">
        {shape === "ready" && <circle cx="6" cy="6" r="3.5" className="fill-accent" />}
        {shape === "ready" && state === "ready_with_gaps" && (
          <path d="M6 1.5v9" className="stroke-paper" strokeWidth="1.6" />
        )}
        {shape === "working" && (
          <>
            <circle cx="6" cy="6" r="3.75" className="fill-none stroke-muted" strokeWidth="1.5" />
            <path d="M6 2.25a3.75 3.75 0 0 1 0 7.5z" className="fill-muted" />
          </>
        )}
        {shape === "failed" && <path d="M6 1.5 11 10.5H1z" className="fill-warn" />}
        {shape === "missing" && (
          <path
            d="M6 2.25a3.75 3.75 0 1 1 0 7.5a3.75 3.75 0 0 1 0-7.5zM2 10 10 2"
            className="fill-none stroke-warn"
            strokeWidth="1.5"
          />
        )}
      </svg>
    </span>
  );
}
