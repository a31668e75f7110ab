import { Files, MessagesSquare, Plus } from "lucide-react";
import { type ReactNode, type Ref, type RefObject, useCallback, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Group, Panel, Separator } from "react-resizable-panels";
import { IconButton } from "@/components/button";
import { ErrorBoundary } from "@/components/error-boundary";
import { Notice } from "@/components/notice";
import { ConversationPane } from "@/features/conversation/conversation-pane";
import { HistoryPanel } from "@/features/conversation/history-panel";
import { EmptyLibrary } from "@/features/library/empty-library";
import { FileIntake } from "@/features/library/file-intake";
import { LibraryPane } from "@/features/library/library-pane";
import { CommandPalette } from "@/features/palette/command-palette";
import { QueueDrawer } from "@/features/queue/queue-drawer";
import { ReadingNow } from "@/features/queue/reading-now";
import { ReaderPane } from "@/features/reader/reader-pane";
import { useRememberedTabs } from "@/features/reader/use-tabs";
import { SearchPane } from "@/features/search/search-pane";
import { Diagnostics } from "@/features/settings/diagnostics";
import { SettingsDialog } from "@/features/settings/settings-dialog";
import { sayError } from "@/ipc/client";
import { useChanges, useLibraryStatus } from "@/ipc/queries";
import { runAction, useAction } from "@/lib/actions";
import { useWindowWidth } from "@/lib/media";
import { recall, remember } from "@/lib/remembered";
import { followAppearance } from "@/state/appearance";
import { useView } from "@/state/view";
import { HelpDialog } from "./help-dialog";
import { TopBar } from "./top-bar";
import { UndoNotices } from "./undo-notices";
import { useCyclePanes } from "./use-cycle-panes";
import { useShortcuts } from "./use-shortcuts";

/** Below this the library is a row of icons; below the second the reader lies under the conversation. */
const libraryCollapses = 1000;
const readerMovesDown = 800;

/** The window: library, conversation, reader. */
export function App() {
  const { t } = useTranslation();
  const status = useLibraryStatus();
  useChanges();
  useShortcuts();
  useEffect(followAppearance, []);
  if (status.isPending) {
    return <p className="p-6 text-muted">{t("app.starting")}</p>;
  }
  if (status.isError) {
    return (
      <div className="mx-auto max-w-lg p-8">
        <Notice title={t("app.cannotOpen")} message={sayError(status.error)} onRetry={() => void status.refetch()} />
        <div className="mt-6">
          <Diagnostics />
        </div>
      </div>
    );
  }
  return <Workspace status={status.data} />;
}

function Workspace({ status }: { status: NonNullable<ReturnType<typeof useLibraryStatus>["data"]> }) {
  const { t } = useTranslation();
  const width = useWindowWidth();
  const narrow = width < libraryCollapses;
  const stacked = width < readerMovesDown;
  const libraryOpen = useView((state) => state.libraryOpen);
  const searchOpen = useView((state) => state.searchOpen);
  const openSearch = useView((state) => state.openSearch);
  const openCitation = useView((state) => state.openCitation);
  const step = useView((state) => state.stepCitation);
  const conversation = useRef<HTMLDivElement>(null);
  const library = useRef<HTMLDivElement>(null);

  // The reader answers to these itself while it is there; without it they open it.
  useAction(
    "openCitation",
    useCallback((digit: number | null) => digit !== null && openCitation(digit), [openCitation]),
  );
  useAction("focusLibrary", useFocusInside(library));
  useAction("focusConversation", useFocusInside(conversation));
  useCyclePanes();
  useRememberedTabs();
  useAction(
    "search",
    useCallback(() => {
      openSearch();
      document.querySelector<HTMLInputElement>("[data-testid=search-field]")?.select();
    }, [openSearch]),
  );
  useAction(
    "nextCitation",
    useCallback(() => step(1), [step]),
  );
  useAction(
    "previousCitation",
    useCallback(() => step(-1), [step]),
  );

  return (
    <div className="flex h-full flex-col">
      <button
        type="button"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-paper focus:p-2"
        onClick={() => runAction("focusQuestion")}
      >
        {t("app.skip")}
      </button>
      <TopBar status={status} narrow={narrow} />
      <main className="relative flex min-h-0 grow">
        {narrow && <LibraryRail />}
        <Panes
          key={`${narrow}-${stacked}`}
          narrow={narrow}
          stacked={stacked}
          library={<LibraryColumn ref={library} />}
          conversation={
            <section
              ref={conversation}
              aria-label={t("history.one")}
              className="relative h-full min-w-0"
              data-testid="conversation"
            >
              {/* Kept as it is under the search, with what was typed and where it was scrolled to. */}
              <div className="h-full" inert={searchOpen}>
                <Guarded>
                  <ConversationPane whenEmpty={<EmptyLibrary />} whenReading={<ReadingNow />} />
                </Guarded>
              </div>
              {searchOpen && (
                <Guarded>
                  <SearchPane />
                </Guarded>
              )}
            </section>
          }
          reader={
            <Guarded>
              <ReaderPane />
            </Guarded>
          }
        />
        {narrow && <LibrarySheet />}
        <QueueDrawer />
      </main>
      <FileIntake />
      {narrow && !libraryOpen && <UndoNotices floating />}
      <CommandPalette />
      <HelpDialog />
      <SettingsDialog status={status} />
    </div>
  );
}

function useFocusInside(ref: RefObject<HTMLElement | null>): () => void {
  return useCallback(() => {
    const inside = ref.current?.querySelectorAll<HTMLElement>("button, input, textarea, [tabindex='0']") ?? [];
    // What lies under the search takes no focus.
    [...inside].find((element) => element.closest("[inert]") === null)?.focus();
  }, [ref]);
}

interface PanesProps {
  narrow: boolean;
  stacked: boolean;
  library: ReactNode;
  conversation: ReactNode;
  reader: ReactNode;
}

/** What is in them stays as it is when the reader opens and closes beside it. */
function Panes({ narrow, stacked, library, conversation, reader }: PanesProps) {
  const { t } = useTranslation();
  const readerOpen = useView((state) => state.readerOpen);
  const readerKey = stacked ? "reader.height" : "reader.width";
  return (
    <Group orientation={stacked ? "vertical" : "horizontal"} className="min-w-0 grow">
      {!narrow && (
        <>
          <Panel
            id="pane-library"
            defaultSize={recall("library.width") ?? "240px"}
            minSize="180px"
            maxSize="400px"
            groupResizeBehavior="preserve-pixel-size"
            onResize={(size) => remember("library.width", `${Math.round(size.inPixels)}px`)}
          >
            {library}
          </Panel>
          <Separator className="handle" aria-label={t("app.resizeLibrary")} />
        </>
      )}
      <Panel id="pane-conversation" minSize={stacked ? "160px" : "320px"}>
        {conversation}
      </Panel>
      {readerOpen && (
        <>
          <Separator className="handle" aria-label={t("app.resizeReader")} />
          <Panel
            id="pane-reader"
            defaultSize={recall(readerKey) ?? (stacked ? "50%" : "46%")}
            minSize={stacked ? "160px" : "280px"}
            onResize={(size) => remember(readerKey, `${size.asPercentage.toFixed(2)}%`)}
          >
            {reader}
          </Panel>
        </>
      )}
    </Group>
  );
}

function LibraryColumn({ ref }: { ref?: Ref<HTMLDivElement> }) {
  return (
    <aside ref={ref} className="flex h-full min-h-0 flex-col bg-chrome" data-testid="library">
      <div className="min-h-0 grow">
        <Guarded>
          <LibraryPane />
        </Guarded>
      </div>
      <UndoNotices />
      <Guarded>
        <HistoryPanel />
      </Guarded>
    </aside>
  );
}

/** The library as icons, for a narrow window. */
function LibraryRail() {
  const { t } = useTranslation();
  const open = useView((state) => state.libraryOpen);
  const set = useView((state) => state.set);
  const toggle = () => set({ libraryOpen: !open });
  return (
    <nav
      aria-label={t("library.title")}
      className="flex w-10 shrink-0 flex-col items-center gap-1 border-line border-r bg-chrome pt-2"
    >
      <IconButton label={t("library.documents")} aria-expanded={open} onClick={toggle}>
        <Files size={16} />
      </IconButton>
      <IconButton label={t("history.title")} aria-expanded={open} onClick={toggle}>
        <MessagesSquare size={16} />
      </IconButton>
      <IconButton label={t("library.add")} onClick={() => runAction("addFiles")}>
        <Plus size={16} />
      </IconButton>
    </nav>
  );
}

/** The library over the conversation, for as long as it is asked for. */
function LibrarySheet() {
  const open = useView((state) => state.libraryOpen);
  if (!open) {
    return null;
  }
  return (
    <div className="absolute inset-y-0 left-10 z-30 w-[280px] border-line border-r bg-chrome shadow-xl">
      <LibraryColumn />
    </div>
  );
}

function Guarded({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <ErrorBoundary
      fallback={(message, retry) => (
        <div className="p-4">
          <Notice title={t("app.crashed")} message={message} onRetry={retry} />
        </div>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}
