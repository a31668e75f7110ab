import { useMutation } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { StateGlyph } from "@/components/state-glyph";
import type { ListedDocument } from "@/ipc/bindings";
import { sayError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { tagsOf } from "@/lib/document-order";
import { isReadable, stateShape } from "@/lib/document-state";
import { targetOfDocument, useView } from "@/state/view";
import { DocumentDetails } from "./document-details";
import { DocumentMenu } from "./document-menu";
import { useDeleteDocuments } from "./use-delete-documents";

const plainRow = 28;
const explainedRow = 44;

function rowKey(document: ListedDocument): string {
  return `${document.collection}/${document.document_id ?? document.uri}`;
}

/** A row that is not simply ready says why in a second line. */
function needsExplaining(document: ListedDocument): boolean {
  return document.state !== "ready";
}

/** Documents, only as many of them in the page as are seen. */
export function DocumentList({ documents }: { documents: readonly ListedDocument[] }) {
  const { t } = useTranslation();
  const { commands } = useIpc();
  const scroller = useRef<HTMLDivElement>(null);
  const [detailsOf, setDetailsOf] = useState<ListedDocument | null>(null);
  const knownTags = useMemo(() => tagsOf(documents).map(({ tag }) => tag), [documents]);
  const remove = useDeleteDocuments();
  const openFile = useMutation({
    mutationFn: ({ document, how }: { document: ListedDocument; how: "open" | "reveal" }) => {
      const run = how === "open" ? commands.openOriginal : commands.revealOriginal;
      return unwrap(run(document.collection, document.document_id ?? ""));
    },
  });
  const failed = remove.error ?? openFile.error;
  const rows = useVirtualizer({
    count: documents.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => {
      const document = documents[index];
      return document !== undefined && needsExplaining(document) ? explainedRow : plainRow;
    },
    getItemKey: (index) => {
      const document = documents[index];
      return document === undefined ? index : rowKey(document);
    },
    overscan: 12,
    initialRect: { width: 240, height: 600 },
  });

  return (
    <>
      {failed !== null && (
        <p role="alert" className="px-3 py-1 text-warn text-xs">
          {sayError(failed)}
        </p>
      )}
      <div ref={scroller} className="scroller min-h-0 grow overflow-y-auto px-1.5 pb-2">
        <ul
          aria-label={t("library.documents")}
          className="relative"
          style={{ height: rows.getTotalSize() }}
          data-testid="documents"
        >
          {rows.getVirtualItems().map((row) => {
            const document = documents[row.index];
            return (
              document !== undefined && (
                <li
                  key={row.key}
                  className="absolute inset-x-0 top-0"
                  style={{ height: row.size, transform: `translateY(${row.start}px)` }}
                  aria-setsize={documents.length}
                  aria-posinset={row.index + 1}
                >
                  <DocumentRow
                    document={document}
                    onOpen={(how) => openFile.mutate({ document, how })}
                    onDetails={() => setDetailsOf(document)}
                    onDelete={() => {
                      const { collection, document_id: documentId, title } = document;
                      if (documentId !== null) {
                        remove.mutate([{ collection, documentId, title }]);
                      }
                    }}
                  />
                </li>
              )
            );
          })}
        </ul>
      </div>
      {detailsOf !== null && (
        <DocumentDetails
          key={rowKey(detailsOf)}
          document={detailsOf}
          knownTags={knownTags}
          onClose={() => setDetailsOf(null)}
        />
      )}
    </>
  );
}

interface DocumentRowProps {
  document: ListedDocument;
  onOpen: (how: "open" | "reveal") => void;
  onDetails: () => void;
  onDelete: () => void;
}

function DocumentRow({ document, onOpen, onDetails, onDelete }: DocumentRowProps) {
  const { t } = useTranslation();
  const documentId = document.document_id;
  const open = useView((state) => state.open);
  const setView = useView((state) => state.set);
  const scoped = useView((state) => state.scopeDocuments.some((candidate) => candidate.documentId === documentId));
  const toggle = useView((state) => state.toggleScopeDocument);
  const shownInReader = useView((state) => state.readerOpen && state.target?.documentId === documentId);
  const readable = documentId !== null && isReadable(document.state);
  const failed = stateShape(document.state) === "failed" || stateShape(document.state) === "missing";
  const locked = document.state === "needs_password";
  const second = locked ? t("library.enterPassword") : (document.message ?? t(`state.${document.state}`));

  return (
    <div
      className={`group flex h-full items-start rounded px-1.5 pt-[5px] hover:bg-hover ${shownInReader ? "bg-hover" : ""}`}
      data-testid="document-row"
      data-state={document.state}
      data-document-id={documentId ?? ""}
    >
      <span className="relative mt-[2px] mr-2 size-3.5 shrink-0">
        <span
          className={`absolute top-px left-px ${scoped ? "invisible" : "group-hover:invisible group-focus-within:invisible"}`}
        >
          <StateGlyph state={document.state} />
        </span>
        {documentId === null ? (
          <span className="invisible absolute top-px left-px group-hover:visible">
            <StateGlyph state={document.state} />
          </span>
        ) : (
          <input
            type="checkbox"
            checked={scoped}
            onChange={() => toggle({ collection: document.collection, documentId, title: document.title })}
            aria-label={t("library.limitToDocument", { title: document.title })}
            className={`absolute inset-0 size-3.5 accent-accent focus-visible:opacity-100 ${scoped ? "" : "opacity-0 group-focus-within:opacity-100 group-hover:opacity-100"}`}
          />
        )}
      </span>
      <button
        type="button"
        className="min-w-0 grow text-left"
        title={[document.title, document.uri.replace(/^file:\/\//, ""), document.tags.join(", ")]
          .filter(Boolean)
          .join("\n")}
        aria-label={[
          readable ? t("library.open", { title: document.title }) : document.title,
          ...(readable && !needsExplaining(document) ? [] : [second]),
        ].join(": ")}
        onClick={() =>
          documentId !== null && readable
            ? open(targetOfDocument({ collection: document.collection, documentId, title: document.title }))
            : setView({ queueOpen: true, unlocking: locked ? document.uri : null })
        }
      >
        <span className="block truncate leading-[18px]">{document.title}</span>{" "}
        {needsExplaining(document) && (
          <span className={`block truncate text-2xs leading-4 ${failed ? "text-warn" : "text-muted"}`}>{second}</span>
        )}
      </button>
      <span className="ml-2 shrink-0 text-2xs text-muted leading-[18px] tabular-nums">
        {document.page_count === null || document.page_count === 0 ? "" : document.page_count}
      </span>
      {documentId !== null && (
        <DocumentMenu title={document.title} onOpen={onOpen} onDetails={onDetails} onDelete={onDelete} />
      )}
    </div>
  );
}
