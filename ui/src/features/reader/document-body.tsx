import { type ClipboardEvent, useCallback, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentView } from "@/ipc/bindings";
import { selectedText } from "@/lib/selection";
import type { ReaderTarget } from "@/state/view";
import { ContentsPanel } from "./contents-panel";
import { FindBar } from "./find-bar";
import { LaidOutDocument } from "./laid-out-document";
import { LockedBar } from "./locked-bar";
import { PageColumn } from "./page-column";
import { useReaderParts } from "./reader-state";
import { SelectionMenu } from "./selection-menu";
import { ThumbnailsPanel } from "./thumbnails-panel";
import { useFind } from "./use-find";

/** The open document between its side panel and what can be done with its words. */
export function DocumentBody({ view, target }: { view: DocumentView; target: ReaderTarget }) {
  const { t } = useTranslation();
  const text = useRef<HTMLDivElement>(null);
  const find = useFind(view);
  const { panel, setFind } = useReaderParts("panel", "setFind");
  const paged = view.pages.length > 0;
  const closeFind = useCallback(() => {
    setFind({ findOpen: false });
    text.current?.querySelector<HTMLElement>("[role=region]")?.focus({ preventScroll: true });
  }, [setFind]);
  const onCopy = (event: ClipboardEvent) => {
    const selected = text.current === null ? null : selectedText(window.getSelection(), text.current);
    if (selected !== null) {
      event.clipboardData.setData("text/plain", selected.text);
      event.preventDefault();
    }
  };
  return (
    <>
      <LockedBar view={view} />
      <FindBar find={find} onClose={closeFind} />
      <div className="flex min-h-0 grow">
        {(panel === "contents" || (panel === "thumbnails" && paged)) && (
          <aside
            aria-label={panel === "contents" ? t("reader.contents") : t("reader.thumbnails")}
            className={`flex shrink-0 flex-col border-line border-r bg-chrome ${panel === "contents" ? "w-56 max-w-[45%]" : "w-36"}`}
          >
            {panel === "contents" ? <ContentsPanel view={view} /> : <ThumbnailsPanel view={view} />}
          </aside>
        )}
        <div ref={text} className="flex min-h-0 min-w-0 grow" onCopy={onCopy}>
          {paged ? (
            <PageColumn view={view} target={target} found={find.matches} />
          ) : (
            <LaidOutDocument view={view} target={target} found={find.matches} />
          )}
        </div>
      </div>
      <SelectionMenu root={text} view={view} />
    </>
  );
}
