import { X } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useDocuments } from "@/ipc/queries";
import { useAction } from "@/lib/actions";
import { type ReaderTab, tabKey } from "@/state/reader-tabs";
import { useViewParts } from "@/state/view";

/** The documents that are open. One alone is simply named. */
export function TabBar() {
  const { t } = useTranslation();
  const { tabs, target, showTab, stepTab, closeTab } = useViewParts("tabs", "target", "showTab", "stepTab", "closeTab");
  const titles = useTitles();
  const list = useRef<HTMLUListElement>(null);
  const shown = target === null ? null : tabKey(target);
  useAction(
    "nextTab",
    useCallback(() => stepTab(1), [stepTab]),
  );
  useAction(
    "previousTab",
    useCallback(() => stepTab(-1), [stepTab]),
  );
  useAction(
    "closeTab",
    useCallback(() => closeTab(), [closeTab]),
  );
  useEffect(() => {
    if (shown !== null) {
      list.current?.querySelector("[aria-current=true]")?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    }
  }, [shown]);
  const titleOf = (tab: ReaderTab) => tab.target.title || titles.get(tab.key) || t("reader.untitled");
  const only = tabs.length === 1 ? tabs[0] : undefined;
  if (only !== undefined || tabs.length === 0) {
    const title = only === undefined ? t("reader.title") : titleOf(only);
    return (
      <p className="min-w-0 grow truncate pl-3 font-medium" title={title} data-testid="reader-title">
        {title}
      </p>
    );
  }
  return (
    <nav aria-label={t("reader.tabs")} className="min-w-0 grow self-stretch">
      <ul ref={list} className="tabs flex h-full overflow-x-auto overflow-y-hidden">
        {tabs.map((tab) => (
          <Tab
            key={tab.key}
            title={titleOf(tab)}
            shown={tab.key === shown}
            onShow={() => showTab(tab.key)}
            onClose={() => closeTab(tab.key)}
          />
        ))}
      </ul>
    </nav>
  );
}

/** Titles by tab; a tab that was kept from the last time knows none. */
function useTitles(): ReadonlyMap<string, string> {
  const documents = useDocuments(null).data;
  return useMemo(
    () =>
      new Map(
        (documents ?? []).map((document) => [
          tabKey({ collection: document.collection, documentId: document.document_id ?? "" }),
          document.title,
        ]),
      ),
    [documents],
  );
}

interface TabProps {
  title: string;
  shown: boolean;
  onShow: () => void;
  onClose: () => void;
}

function Tab({ title, shown, onShow, onClose }: TabProps) {
  const { t } = useTranslation();
  return (
    <li
      className="group relative flex min-w-20 max-w-52 shrink items-center border-line border-r data-[shown=true]:bg-paper data-[shown=false]:hover:bg-hover"
      data-shown={shown}
      data-testid="reader-tab"
    >
      <button
        type="button"
        aria-current={shown}
        title={title}
        onClick={onShow}
        onAuxClick={(event) => event.button === 1 && onClose()}
        onKeyDown={(event) => event.key === "Delete" && onClose()}
        data-testid={shown ? "reader-title" : undefined}
        className="h-full min-w-0 grow truncate pr-1 pl-3 text-left text-muted text-xs outline-offset-[-2px] aria-[current=true]:font-medium aria-[current=true]:text-ink"
      >
        {title}
      </button>
      <button
        type="button"
        aria-label={t("reader.closeTab", { title })}
        title={t("reader.closeTab", { title })}
        onClick={onClose}
        className={`mr-1 grid size-6 shrink-0 place-items-center rounded text-muted hover:bg-hover hover:text-ink focus-visible:opacity-100 ${shown ? "" : "opacity-0 group-hover:opacity-100"}`}
      >
        <X aria-hidden size={12} />
      </button>
    </li>
  );
}
