import { Tooltip } from "@base-ui/react/tooltip";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";

interface CheckedFigureProps {
  kind?: string;
  /** The citation whose words lack it, or that it was computed from. */
  index?: string;
  children?: ReactNode;
}

const openDelay = 80;

/** A figure of the answer that the check did not find in the cited words, or that follows from figures in them. */
export function CheckedFigure({ kind, index, children }: CheckedFigureProps) {
  const { t } = useTranslation();
  const said = kind === "computed" ? t("verdict.figureComputed", { index }) : t("verdict.figureMissing", { index });
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <Tooltip.Root open={open} onOpenChange={setOpen}>
      <Tooltip.Trigger
        delay={openDelay}
        render={
          <button
            type="button"
            className="checked-figure"
            aria-describedby={open ? id : undefined}
            data-kind={kind}
            data-testid={`figure-${kind}`}
          >
            {children}
          </button>
        }
      />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={5} side="top" collisionPadding={12} className="z-40">
          <Tooltip.Popup
            id={id}
            role="tooltip"
            className="max-w-80 rounded-md border border-line bg-paper px-2.5 py-1.5 text-ink text-xs shadow-xl"
          >
            {said}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
