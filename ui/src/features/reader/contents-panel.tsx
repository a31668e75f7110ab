import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "@/components/notice";
import type { ContentsEntry, DocumentView } from "@/ipc/bindings";
import { sayError } from "@/ipc/client";
import { useContents } from "@/ipc/queries";
import { useReader } from "./reader-state";
import { useGoTo } from "./use-go-to";

const rowHeight = 26;
const indent = 12;

/** The entry whose text the page in view belongs to: the last that begins on it or before; -1 for none. */
export function entryAt(entries: readonly ContentsEntry[], page: number): number {
  return entries.findLastIndex((entry) => entry.page !== null && entry.page <= page);
}

/** The headings of the document; a click goes there. */
export function ContentsPanel({ view }: { view: DocumentView }) {
  const { t } = useTranslation();
  const contents = useContents(view, true);
  if (contents.isError) {
    return (
      <div className="p-2">
        <Notice
          title={t("reader.contentsFailed")}
          message={sayError(contents.error)}
          onRetry={() => void contents.refetch()}
        />
      </div>
    );
  }
  if (contents.data === undefined) {
    return <p className="p-3 text-muted text-xs">{t("app.loading")}</p>;
  }
  if (contents.data.length === 0) {
    return <p className="p-3 text-muted text-xs">{t("reader.contentsNone")}</p>;
  }
  return <Entries entries={contents.data} view={view} />;
}

function Entries({ entries, view }: { entries: readonly ContentsEntry[]; view: DocumentView }) {
  const scroller = useRef<HTMLDivElement>(null);
  const page = useReader((state) => state.page);
  const goTo = useGoTo();
  const current = entryAt(entries, page);
  const outermost = entries.reduce((least, entry) => Math.min(least, entry.level), Number.POSITIVE_INFINITY);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    initialRect: { width: 200, height: 600 },
  });
  useEffect(() => {
    if (current >= 0) {
      rows.scrollToIndex(current, { align: "auto" });
    }
  }, [current, rows]);
  const labels = view.pages;
  return (
    <div ref={scroller} className="scroller min-h-0 grow overflow-y-auto px-1 py-1">
      <ol className="relative" style={{ height: rows.getTotalSize() }} data-testid="contents">
        {rows.getVirtualItems().map((row) => {
          const entry = entries[row.index];
          if (entry === undefined) {
            return null;
          }
          const { page: begins, ref } = entry;
          const name = begins === null ? "" : (labels[begins - 1]?.label ?? String(begins));
          return (
            <li
              key={row.key}
              className="absolute inset-x-0 top-0"
              style={{ height: row.size, transform: `translateY(${row.start}px)` }}
            >
              <button
                type="button"
                aria-current={row.index === current ? "location" : undefined}
                title={entry.title}
                disabled={begins === null && ref === null}
                className="flex h-full w-full items-center gap-2 rounded pr-1.5 text-left text-xs hover:bg-hover aria-[current]:bg-hover aria-[current]:font-medium"
                style={{ paddingLeft: 6 + indent * Math.min(entry.level - outermost, 5) }}
                onClick={() => {
                  if (begins !== null) {
                    goTo({ kind: "page", page: begins, box: null });
                  } else if (ref !== null) {
                    goTo({ kind: "item", ref });
                  }
                }}
              >
                <span className="min-w-0 grow truncate">{entry.title}</span>
                <span className="shrink-0 text-2xs text-muted tabular-nums">{name}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
