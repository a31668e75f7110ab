import { FileDown } from "lucide-react";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FilesHovering } from "@/ipc/bindings";
import { useEngineEvent } from "@/ipc/queries";
import { useTargetCollection } from "./use-add-files";

/** What releasing the files that are held over the window would do. */
export function DropOverlay() {
  const { t } = useTranslation();
  const [count, setCount] = useState<number | null>(null);
  const collection = useTargetCollection() ?? t("library.title");
  const hide = useCallback(() => setCount(null), []);
  useEngineEvent(
    "filesHovering",
    useCallback((hovering: FilesHovering) => setCount(hovering.count), []),
  );
  useEngineEvent("filesDropped", hide);
  useEngineEvent("hoverEnded", hide);

  if (count === null) {
    return null;
  }
  return (
    <div
      role="status"
      aria-live="assertive"
      data-testid="drop-overlay"
      className="fixed inset-0 z-50 grid place-items-center bg-chrome/85 p-6"
    >
      <div className="grid h-full w-full place-items-center rounded-xl border-2 border-accent border-dashed">
        <div className="text-center">
          <FileDown aria-hidden size={28} strokeWidth={1.5} className="mx-auto text-accent" />
          <p className="mt-3 font-read text-[22px]">{t("library.drop", { count, collection })}</p>
          <p className="mt-1 text-muted">{t("library.dropHint")}</p>
        </div>
      </div>
    </div>
  );
}
