import { useMutation } from "@tanstack/react-query";
import { FileDown, X } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "@/components/button";
import { Notice } from "@/components/notice";
import type { FilesDropped, FilesHovering } from "@/ipc/bindings";
import { toApiError } from "@/ipc/client";
import { useEngineEvent } from "@/ipc/queries";
import { useAction } from "@/lib/actions";
import { numberOf } from "@/lib/format";
import { useView } from "@/state/view";
import { useAddFiles, useDropTarget, useTargetCollection } from "./use-add-files";

/** How long it is said that files came in. */
const saidMs = 6_000;

/** What came of files that were added. */
type Outcome = { kind: "queued"; count: number } | { kind: "refused"; message: string };

/** How files come in, whichever part of the window is shown: the dialog, the drop, and what came of either. */
export function FileIntake() {
  const { t } = useTranslation();
  useDropTarget();
  const [hovering, setHovering] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const chooseAndAdd = useAddFiles();
  const adding = useMutation({
    mutationFn: chooseAndAdd,
    onSuccess: (count) => setOutcome(count === null ? null : { kind: "queued", count }),
    onError: (error) => setOutcome({ kind: "refused", message: toApiError(error).message }),
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
      setOutcome(
        event.error === null
          ? { kind: "queued", count: event.queued }
          : { kind: "refused", message: event.error.message },
      );
    }, []),
  );
  useEngineEvent(
    "hoverEnded",
    useCallback(() => setHovering(null), []),
  );
  const close = useCallback(() => setOutcome(null), []);

  return (
    <>
      {hovering !== null && <DropOverlay count={hovering} />}
      <div role="status" className="fixed bottom-4 left-4 z-40 w-96 max-w-[calc(100vw-32px)]">
        {outcome?.kind === "queued" && <Queued count={outcome.count} onClose={close} />}
      </div>
      {outcome?.kind === "refused" && (
        <div className="fixed bottom-4 left-4 z-40 w-96 max-w-[calc(100vw-32px)]">
          <Said onClose={close}>
            <Notice title={t("library.cannotAdd")} message={outcome.message} />
          </Said>
        </div>
      )}
    </>
  );
}

function Said({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className="flex items-start gap-1 rounded-md bg-paper shadow-xl">
      <div className="min-w-0 grow">{children}</div>
      <IconButton label={t("app.close")} onClick={onClose} className="mt-2 mr-1">
        <X size={14} />
      </IconButton>
    </div>
  );
}

/** Says for a moment that files came in. */
function Queued({ count, onClose }: { count: number; onClose: () => void }) {
  const { t } = useTranslation();
  const set = useView((state) => state.set);
  useEffect(() => {
    const timer = setTimeout(onClose, saidMs);
    return () => clearTimeout(timer);
  }, [onClose]);
  return (
    <Said onClose={onClose}>
      <div className="flex flex-wrap items-center gap-x-2 py-2.5 pl-4" data-testid="queued">
        <p>{count === 0 ? t("library.queuedNone") : t("library.queued", { count })}</p>
        <Button
          kind="quiet"
          onClick={() => {
            set({ queueOpen: true });
            onClose();
          }}
        >
          {t("library.showQueue")}
        </Button>
      </div>
    </Said>
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
        <div className="max-w-[56ch] text-center">
          <FileDown aria-hidden size={28} strokeWidth={1.5} className="mx-auto text-accent" />
          <p className="mt-3 text-balance font-read text-[22px] leading-8">
            {t("library.drop", { count, number: numberOf(count), collection })}
          </p>
          <p className="mt-1 text-muted">{t("library.dropHint")}</p>
        </div>
      </div>
    </div>
  );
}
