import { CircleQuestionMark, Lock, PanelLeft, Search, Send, Settings } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/button";
import { QueueStrip } from "@/features/queue/queue-strip";
import type { LibraryStatus } from "@/ipc/bindings";
import { shortcutLabel } from "@/lib/keyboard";
import { hostsOf, leavingOf } from "@/lib/leaving";
import { givenLibraryName } from "@/lib/library-name";
import { useView } from "@/state/view";

/** The library, where questions go, and the queue. */
export function TopBar({ status, narrow }: { status: LibraryStatus; narrow: boolean }) {
  const { t } = useTranslation();
  const libraryOpen = useView((state) => state.libraryOpen);
  const set = useView((state) => state.set);
  const name = givenLibraryName(status.path) ?? t("library.mine");
  return (
    <header className="grid h-10 shrink-0 grid-cols-[minmax(0,1fr)_minmax(6rem,16rem)_minmax(max-content,1fr)] items-center gap-3 border-line border-b bg-chrome pr-2 pl-3">
      <div className="flex min-w-0 items-center gap-3">
        {narrow && (
          <IconButton
            label={libraryOpen ? t("app.hideLibrary") : t("app.showLibrary")}
            aria-expanded={libraryOpen}
            onClick={() => set({ libraryOpen: !libraryOpen })}
            className="-ml-1.5"
            data-testid="toggle-library"
          >
            <PanelLeft size={16} />
          </IconButton>
        )}
        <h1 className="truncate font-read font-semibold text-[16px]" title={status.path}>
          {name}
        </h1>
        {status.read_only && <p className="truncate text-warn text-xs">{t("app.readOnly")}</p>}
      </div>
      <button
        type="button"
        onClick={() => set({ paletteOpen: true })}
        data-testid="open-palette"
        className="flex h-7 min-w-0 items-center gap-2 rounded border border-line bg-paper px-2 text-left text-muted text-xs hover:text-ink"
      >
        <Search aria-hidden size={13} className="shrink-0" />
        <span className="grow truncate">{t("palette.open")}</span>
        <span className="shrink-0">{shortcutLabel("palette")}</span>
      </button>
      <div className="flex min-w-0 items-center justify-end gap-2">
        <ModelStatusLine status={status} />
        <QueueStrip />
        <IconButton
          label={`${t("settings.title")} (${shortcutLabel("settings")})`}
          onClick={() => set({ settings: "appearance" })}
          data-testid="open-settings"
        >
          <Settings size={15} />
        </IconButton>
        <IconButton label={`${t("app.help")} (${shortcutLabel("help")})`} onClick={() => set({ helpOpen: true })}>
          <CircleQuestionMark size={15} />
        </IconButton>
      </div>
    </header>
  );
}

/** What writes the answers, and whether anything leaves this machine. */
function ModelStatusLine({ status }: { status: LibraryStatus }) {
  const { t } = useTranslation();
  const model = status.models.chat_model;
  const leaving = leavingOf(status.models);
  const set = useView((state) => state.set);
  return (
    <button
      type="button"
      title={t("settings.openModels")}
      onClick={() => set({ settings: "models" })}
      className="flex h-7 min-w-0 max-w-[42vw] items-center gap-1.5 rounded px-1.5 text-muted text-xs hover:bg-hover"
      data-testid="model-status"
    >
      {leaving.length === 0 ? (
        <Lock aria-hidden size={12} className="shrink-0" />
      ) : (
        <Send aria-hidden size={12} className="shrink-0 text-warn" />
      )}
      <span className="truncate">
        <span className="text-ink">{model ?? t("app.quotesOnly")}</span> ·{" "}
        {leaving.length === 0 ? (
          t("app.local")
        ) : (
          <span className="text-warn">{t("app.sendsTo", { host: hostsOf(leaving) })}</span>
        )}
      </span>
    </button>
  );
}
