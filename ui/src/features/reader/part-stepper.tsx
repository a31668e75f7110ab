import { ChevronLeft, ChevronRight } from "lucide-react";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/button";
import { useAction } from "@/lib/actions";
import { shortcutLabel } from "@/lib/keyboard";
import { partsOf } from "@/lib/parts";
import type { ReaderTarget } from "@/state/view";
import { useReader, useReaderParts } from "./reader-state";

/** `part 1 of 2 ▸` for a citation whose words lie on several pages or in several places. */
export function PartStepper({ target }: { target: ReaderTarget }) {
  const { t } = useTranslation();
  const { part, setPart, goTo } = useReaderParts("part", "setPart", "goTo");
  const parts = useMemo(() => partsOf(target), [target]);
  const step = useCallback(
    (by: 1 | -1) => {
      const next = useReader.getState().part + by;
      const to = parts[next];
      if (to !== undefined) {
        setPart(next);
        goTo(to.kind === "page" ? { kind: "page", page: to.page, box: to.box } : { kind: "item", ref: to.span.ref });
      }
    },
    [parts, setPart, goTo],
  );
  useAction(
    "nextPart",
    useCallback(() => step(1), [step]),
  );
  useAction(
    "previousPart",
    useCallback(() => step(-1), [step]),
  );
  if (parts.length < 2) {
    return null;
  }
  return (
    <div className="flex items-center" data-testid="parts">
      <IconButton
        label={`${t("reader.previousPart")} (${shortcutLabel("previousPart")})`}
        disabled={part === 0}
        onClick={() => step(-1)}
      >
        <ChevronLeft size={15} />
      </IconButton>
      <span className="whitespace-nowrap tabular-nums" role="status">
        {t("reader.part", { at: part + 1, total: parts.length })}
      </span>
      <IconButton
        label={`${t("reader.nextPart")} (${shortcutLabel("nextPart")})`}
        disabled={part === parts.length - 1}
        onClick={() => step(1)}
      >
        <ChevronRight size={15} />
      </IconButton>
    </div>
  );
}
