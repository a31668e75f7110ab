import { ChevronDown, ChevronUp, Search, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/button";
import { shortcutLabel } from "@/lib/keyboard";
import { useReaderParts } from "./reader-state";
import type { useFind } from "./use-find";

/** Where words are typed that are looked for in the open document. */
export function FindBar({ find, onClose }: { find: ReturnType<typeof useFind>; onClose: () => void }) {
  const { t } = useTranslation();
  const { findOpen, findWords, setFind } = useReaderParts("findOpen", "findWords", "setFind");
  if (!findOpen) {
    return null;
  }
  const { matches, findAt, step, looking, failed, words } = find;
  const said = failed
    ? t("reader.findFailed")
    : words === "" || (looking && matches.length === 0)
      ? ""
      : matches.length === 0
        ? t("reader.findNone")
        : t("reader.findCount", { at: findAt + 1, total: matches.length });
  return (
    // biome-ignore lint/a11y/useSemanticElements: older webviews do not know the element
    <div
      role="search"
      className="flex h-9 shrink-0 items-center gap-1 border-line border-b bg-chrome pr-1.5 pl-3"
      aria-label={t("reader.find")}
    >
      <Search aria-hidden size={13} className="shrink-0 text-muted" />
      <input
        // biome-ignore lint/a11y/noAutofocus: the bar appears because the person asked for it
        autoFocus
        onFocus={(event) => event.target.select()}
        value={findWords}
        onChange={(event) => setFind({ findWords: event.target.value, findAt: 0 })}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing) {
            event.preventDefault();
            step(event.shiftKey ? -1 : 1);
          }
          if (event.key === "Escape") {
            event.preventDefault();
            onClose();
          }
        }}
        aria-label={t("reader.find")}
        placeholder={t("reader.find")}
        data-testid="find-words"
        className="h-6 min-w-0 grow bg-transparent px-1 text-ink outline-none placeholder:text-muted"
      />
      <span
        role="status"
        className={`shrink-0 text-xs tabular-nums ${failed || (words !== "" && matches.length === 0) ? "text-warn" : "text-muted"}`}
        data-testid="find-count"
      >
        {said}
      </span>
      <IconButton
        label={`${t("reader.findPrevious")} (${shortcutLabel("findPrevious")})`}
        disabled={matches.length === 0}
        onClick={() => step(-1)}
      >
        <ChevronUp size={15} />
      </IconButton>
      <IconButton
        label={`${t("reader.findNext")} (${shortcutLabel("findNext")})`}
        disabled={matches.length === 0}
        onClick={() => step(1)}
      >
        <ChevronDown size={15} />
      </IconButton>
      <IconButton label={t("reader.findClose")} onClick={onClose}>
        <X size={15} />
      </IconButton>
    </div>
  );
}
