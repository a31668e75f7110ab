import { useMutation } from "@tanstack/react-query";
import { FileDown, X } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "@/components/button";
import { Notice } from "@/components/notice";
import type { AddPreview, FilesDropped, FilesHovering } from "@/ipc/bindings";
import { sayError } from "@/ipc/client";
import { useEngineEvent } from "@/ipc/queries";
import { useAction } from "@/lib/actions";
import { sizeOf } from "@/lib/bytes";
import { explainedError } from "@/lib/explained";
import { numberOf } from "@/lib/format";
import { useView } from "@/state/view";
import { AddDialog } from "./add-dialog";
import { AddSummary, isRemarkable } from "./add-summary";
import { type Chosen, useAddPaths, useChooseFiles, useDropTarget, useTargetCollection } from "./use-add-files";

/** How long it is said that files came in. */
const saidMs = 6_000;

/** What came of files that were added. */
type Outcome = { kind: "queued"; count: number } | { kind: "refused"; message: string };

/** How files come in, whichever part of the window is shown: the dialog, the drop, and what came of either. */
export function FileIntake() {
  useDropTarget();
  const { t } = useTranslation();
  const collection = useTargetCollection() ?? t("library.firstCollection");
  const [hovering, setHovering] = useState<number | null>(null);
  const [counted, setCounted] = useState<AddPreview | null>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const refused = (error: unknown) => setOutcome({ kind: "refused", message: sayError(error) });
  const adding = useMutation({
    mutationFn: useAddPaths(),
    onSuccess: (count) => setOutcome({ kind: "queued", count }),
    onError: refused,
  });
  const choosing = useMutation({
    mutationFn: useChooseFiles(),
    onSuccess: (files) => {
      setOutcome(null);
      if (files !== null && isRemarkable(files.preview)) {
        setChosen(files);
      } else if (files !== null) {
        adding.mutate(files.paths);
      }
    },
    onError: refused,
  });
  useAction(
    "addFiles",
    useCallback(() => choosing.mutate(), [choosing.mutate]),
  );
  useEngineEvent(
    "filesHovering",
    useCallback((event: FilesHovering) => {
      setHovering(event.count);
      setCounted(null);
    }, []),
  );
  useEngineEvent("hoverCounted", setCounted);
  useEngineEvent(
    "filesDropped",
    useCallback((event: FilesDropped) => {
      setHovering(null);
      setOutcome(
        event.error === null
          ? { kind: "queued", count: event.queued }
          : { kind: "refused", message: explainedError(event.error) },
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
      {hovering !== null && <DropOverlay count={hovering} preview={counted} collection={collection} />}
      {chosen !== null && (
        <AddDialog
          preview={chosen.preview}
          collection={collection}
          onAdd={() => {
            adding.mutate(chosen.paths);
            setChosen(null);
          }}
          onClose={() => setChosen(null)}
        />
      )}
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

interface DropOverlayProps {
  /** Files and folders held over the window. */
  count: number;
  /** What is known of them by now. */
  preview: AddPreview | null;
  collection: string;
}

/** What releasing the files that are held over the window would do. */
function DropOverlay({ count, preview, collection }: DropOverlayProps) {
  const { t } = useTranslation();
  const files = preview?.files ?? 0;
  return (
    <div
      role="status"
      aria-live="assertive"
      data-testid="drop-overlay"
      className="fixed inset-0 z-50 grid place-items-center bg-chrome p-6"
    >
      <div className="grid h-full w-full place-items-center rounded-xl border-2 border-accent border-dashed">
        <div className="max-w-[56ch] text-center">
          <FileDown aria-hidden size={28} strokeWidth={1.5} className="mx-auto text-accent" />
          <p className="mt-3 text-balance font-read text-[22px] leading-8">
            {preview === null
              ? t("library.drop", { count, number: numberOf(count), collection })
              : files === 0 && preview.complete
                ? t("library.addNothing")
                : t("library.addSized", {
                    count: files,
                    number: numberOf(files),
                    size: sizeOf(preview.bytes),
                    collection,
                  })}
          </p>
          {preview !== null && (
            <div className="mt-1">
              <AddSummary preview={preview} />
            </div>
          )}
          <p className="mt-1 text-muted">
            {preview !== null && !preview.complete ? t("library.counting") : t("library.dropHint")}
          </p>
        </div>
      </div>
    </div>
  );
}
