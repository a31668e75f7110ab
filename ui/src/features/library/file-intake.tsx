import { useMutation } from "@tanstack/react-query";
import { FileDown, X } from "lucide-react";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/button";
import { Notice } from "@/components/notice";
import type { FilesDropped, FilesHovering } from "@/ipc/bindings";
import { toApiError } from "@/ipc/client";
import { useEngineEvent } from "@/ipc/queries";
import { useAction } from "@/lib/actions";
import { useAddFiles, useDropTarget, useTargetCollection } from "./use-add-files";

/** How files come in, whichever part of the window is shown: the dialog, the drop, and what goes wrong with either. */
export function FileIntake() {
  const { t } = useTranslation();
  useDropTarget();
  const [hovering, setHovering] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const chooseAndAdd = useAddFiles();
  const adding = useMutation({
    mutationFn: chooseAndAdd,
    onSuccess: () => setRefusal(null),
    onError: (error) => setRefusal(toApiError(error).message),
  });
  useAction(
    "addFiles",
    useCallback(() => adding.mutate(), [adding.mutate]),
  );
  useEngineEvent(
    "filesHovering",
    useCallback((event: FilesHovering) => setHovering(event.count), []),
  );
  useEngineEvent(
    "filesDropped",
    useCallback((event: FilesDropped) => {
      setHovering(null);
      setRefusal(event.error?.message ?? null);
    }, []),
  );
  useEngineEvent(
    "hoverEnded",
    useCallback(() => setHovering(null), []),
  );

  return (
    <>
      {hovering !== null && <DropOverlay count={hovering} />}
      {refusal !== null && (
        <div className="fixed bottom-4 left-4 z-40 flex w-96 max-w-[calc(100vw-32px)] items-start gap-1 rounded-md bg-paper shadow-xl">
          <div className="grow">
            <Notice title={t("library.cannotAdd")} message={refusal} />
          </div>
          <IconButton label={t("app.close")} onClick={() => setRefusal(null)} className="mt-2 mr-1">
            <X size={14} />
          </IconButton>
        </div>
      )}
    </>
  );
}

/** What releasing the files that are held over the window would do. */
function DropOverlay({ count }: { count: number }) {
  const { t } = useTranslation();
  const collection = useTargetCollection() ?? t("library.firstCollection");
  return (
    <div
      role="status"
      aria-live="assertive"
      data-testid="drop-overlay"
      className="fixed inset-0 z-50 grid place-items-center bg-chrome/90 p-6"
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
