import { BookOpen } from "lucide-react";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "@/components/notice";
import { sayError } from "@/ipc/client";
import { useDocumentView } from "@/ipc/queries";
import { useAction } from "@/lib/actions";
import { type ReaderTarget, useView } from "@/state/view";
import { DocumentBody } from "./document-body";
import { useReader, useReaderParts } from "./reader-state";
import { ReaderToolbar } from "./reader-toolbar";
import { useTabLook } from "./use-tabs";

/** The document that is open, at the place that was asked for. */
export function ReaderPane() {
  const { t } = useTranslation();
  const target = useView((state) => state.target);
  const opening = useView((state) => state.opening);
  const closeReader = useView((state) => state.closeReader);
  const step = useView((state) => state.stepCitation);
  const view = useDocumentView(target);
  const heading = useRef<HTMLHeadingElement>(null);
  const focusReader = useFocusOnOpen(heading, opening);
  const { setPage, setPart } = useReaderParts("setPage", "setPart");

  // Escape takes away the last thing that was asked for.
  useAction(
    "closeReader",
    useCallback(() => {
      const { findOpen, setFind } = useReader.getState();
      const selection = window.getSelection();
      if (selection?.isCollapsed === false) {
        selection.removeAllRanges();
      } else if (findOpen) {
        setFind({ findOpen: false });
      } else {
        closeReader();
      }
    }, [closeReader]),
  );
  useAction("focusReader", focusReader);
  useAction(
    "nextCitation",
    useCallback(() => step(1), [step]),
  );
  useAction(
    "previousCitation",
    useCallback(() => step(-1), [step]),
  );
  const shown = useRef(0);
  useEffect(() => {
    if (target !== null && shown.current !== opening) {
      shown.current = opening;
      setPage(target.page);
      setPart(0);
    }
  }, [target, opening, setPage, setPart]);
  useTabLook();

  return (
    <section
      aria-label={t("reader.title")}
      className="flex h-full min-h-0 flex-col bg-desk"
      data-testid="reader"
      data-document-id={target?.documentId ?? ""}
    >
      <h2 ref={heading} tabIndex={-1} className="sr-only">
        {target?.title ?? t("reader.title")}
      </h2>
      <ReaderToolbar view={view.data ?? null} target={target} />
      {target === null && (
        <div className="grid grow place-items-center px-8 text-center text-muted">
          <p>
            <BookOpen aria-hidden size={24} strokeWidth={1.5} className="mx-auto mb-3" />
            {t("reader.none")}
          </p>
        </div>
      )}
      {target !== null && view.isPending && <p className="p-6 text-muted">{t("app.loading")}</p>}
      {target !== null && view.isError && (
        <Gone target={target} message={sayError(view.error)} onRetry={() => void view.refetch()} />
      )}
      {target !== null && view.data !== undefined && (
        <DocumentBody key={`${view.data.document_id}/${view.data.sha256}`} view={view.data} target={target} />
      )}
    </section>
  );
}

/**
 * Brings the focus to the reader when something is opened in it, and back to where it came from when the reader closes.
 * Returns what brings it there on request.
 */
function useFocusOnOpen(heading: RefObject<HTMLElement | null>, opening: number): () => void {
  const cameFrom = useRef<HTMLElement | null>(null);
  const [lastOpening, setLastOpening] = useState(0);
  const focus = useCallback(() => {
    const active = document.activeElement;
    if (active instanceof HTMLElement && active.closest("[data-testid=reader]") === null) {
      cameFrom.current = active;
    }
    heading.current?.focus({ preventScroll: true });
  }, [heading]);
  useEffect(() => {
    if (opening !== lastOpening) {
      setLastOpening(opening);
      if (opening !== useView.getState().quietOpening) {
        focus();
      }
    }
  }, [opening, lastOpening, focus]);
  useEffect(
    () => () => {
      cameFrom.current?.focus({ preventScroll: true });
    },
    [],
  );
  return focus;
}

/** A document that can no longer be opened still shows the words that were cited. */
function Gone({ target, message, onRetry }: { target: ReaderTarget; message: string; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="scroller space-y-4 overflow-y-auto p-6">
      <Notice title={t("reader.missingTitle")} message={message} onRetry={onRetry} />
      {target.quote !== "" && (
        <figure className="rounded-md bg-paper p-4">
          <figcaption className="text-muted text-xs">{t("reader.missingQuote")}</figcaption>
          <blockquote className="mt-2 font-read text-[17px] leading-7">“{target.quote}”</blockquote>
        </figure>
      )}
    </div>
  );
}
