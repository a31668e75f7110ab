import {
  ArrowLeft,
  ArrowRight,
  ChevronDown,
  ChevronUp,
  Highlighter,
  LayoutGrid,
  ListTree,
  MoveHorizontal,
  RotateCw,
  Search,
  Square,
  X,
  ZoomIn,
  ZoomOut,
} from "lucide-react";
import { memo, type ReactNode, useCallback } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/button";
import type { DocumentView } from "@/ipc/bindings";
import { runAction, useAction } from "@/lib/actions";
import { type Shortcut, shortcutLabel } from "@/lib/keyboard";
import { type ReaderTarget, useView, useViewParts } from "@/state/view";
import { useCitationsHere } from "./marks";
import { PageBox } from "./page-box";
import { PartStepper } from "./part-stepper";
import { useReaderParts } from "./reader-state";
import { TabBar } from "./tab-bar";

const zoomStep = 1.2;

interface ToolbarProps {
  view: DocumentView | null;
  target: ReaderTarget | null;
}

/** The document's name, its page, its size, and the way through the citations. */
export function ReaderToolbar({ view, target }: ToolbarProps) {
  const { t } = useTranslation();
  const { closeReader, goBack, goForward } = useViewParts("closeReader", "goBack", "goForward");
  const canGoBack = useView((state) => state.back.length > 0);
  const canGoForward = useView((state) => state.forward.length > 0);
  useAction("goBack", goBack);
  useAction("goForward", goForward);
  const paged = (view?.pages.length ?? 0) > 0;
  return (
    <header className="shrink-0 border-line border-b bg-chrome">
      <div className="flex h-9 items-center gap-1 pr-1.5">
        <TabBar />
        <Group>
          <Tool name="goBack" label={t("reader.back")} onClick={goBack} disabled={!canGoBack}>
            <ArrowLeft size={15} />
          </Tool>
          <Tool name="goForward" label={t("reader.forward")} onClick={goForward} disabled={!canGoForward}>
            <ArrowRight size={15} />
          </Tool>
        </Group>
        <IconButton label={t("reader.close")} onClick={closeReader} data-testid="close-reader">
          <X size={15} />
        </IconButton>
      </div>
      <div className="@container flex min-h-8 flex-wrap items-center gap-x-2 border-line border-t px-1.5 text-muted text-xs">
        {view !== null && <PanelToggles paged={paged} />}
        {view !== null && paged && <PageBox key={view.document_id} view={view} />}
        <span className="grow" />
        {target !== null && <CitationSteps target={target} />}
        {view !== null && (
          <Group>
            <Tool name="find" label={t("reader.find")} onClick={() => runAction("find")}>
              <Search size={15} />
            </Tool>
          </Group>
        )}
        {paged && <SizeTools />}
      </div>
    </header>
  );
}

interface ToolProps extends Omit<Parameters<typeof IconButton>[0], "name"> {
  name: Shortcut["action"];
}

/** A button that says its shortcut. */
function Tool({ name, label, className = "", ...rest }: ToolProps) {
  return <IconButton label={`${label} (${shortcutLabel(name)})`} {...rest} className={`w-6.5 ${className}`} />;
}

const PanelToggles = memo(function PanelToggles({ paged }: { paged: boolean }) {
  const { t } = useTranslation();
  const { panel, togglePanel } = useReaderParts("panel", "togglePanel");
  const contents = useCallback(() => togglePanel("contents"), [togglePanel]);
  const thumbnails = useCallback(() => togglePanel("thumbnails"), [togglePanel]);
  useAction("toggleContents", contents);
  useAction("toggleThumbnails", thumbnails);
  return (
    <Group>
      <Tool
        name="toggleContents"
        label={t("reader.contents")}
        aria-pressed={panel === "contents"}
        className="aria-pressed:text-accent"
        onClick={contents}
      >
        <ListTree size={15} />
      </Tool>
      {paged && (
        <Tool
          name="toggleThumbnails"
          label={t("reader.thumbnails")}
          aria-pressed={panel === "thumbnails"}
          className="aria-pressed:text-accent"
          onClick={thumbnails}
        >
          <LayoutGrid size={14} />
        </Tool>
      )}
    </Group>
  );
});

/** Through the citations of the answer, and through the parts of the open one. */
function CitationSteps({ target }: { target: ReaderTarget }) {
  const { t } = useTranslation();
  const walk = useView((state) => state.walk);
  const stepCitation = useView((state) => state.stepCitation);
  const openCitation = useView((state) => state.openCitation);
  const { showAll, toggleShowAll } = useReaderParts("showAll", "toggleShowAll");
  const here = useCitationsHere(target.documentId);
  useAction("showAllCitations", toggleShowAll);
  useAction(
    "openCitation",
    useCallback((digit: number | null) => digit !== null && openCitation(digit), [openCitation]),
  );
  const current = target.answerKey !== null && target.answerKey === walk?.answerKey;
  return (
    <>
      {(walk?.citations.length ?? 0) > 0 && (
        <Group>
          <Tool
            name="previousCitation"
            label={t("reader.previous")}
            onClick={() => stepCitation(-1)}
            data-testid="previous-citation"
          >
            <ChevronUp size={15} />
          </Tool>
          <span className="min-w-5 text-center font-semibold tabular-nums" data-testid="current-citation">
            {current && target.citationIndex !== null ? `[${target.citationIndex}]` : "–"}
          </span>
          <Tool
            name="nextCitation"
            label={t("reader.next")}
            onClick={() => stepCitation(1)}
            data-testid="next-citation"
          >
            <ChevronDown size={15} />
          </Tool>
          {here.length > 1 && (
            <Tool
              name="showAllCitations"
              label={t("reader.showAll")}
              aria-pressed={showAll}
              className="aria-pressed:text-accent"
              onClick={toggleShowAll}
            >
              <Highlighter size={14} />
            </Tool>
          )}
        </Group>
      )}
      <PartStepper target={target} />
    </>
  );
}

const SizeTools = memo(function SizeTools() {
  const { t } = useTranslation();
  const { zoom, fit, fitted, zoomBy, fitTo, turnRight } = useReaderParts(
    "zoom",
    "fit",
    "fitted",
    "zoomBy",
    "fitTo",
    "turnRight",
  );
  const larger = useCallback(() => zoomBy(zoomStep), [zoomBy]);
  const smaller = useCallback(() => zoomBy(1 / zoomStep), [zoomBy]);
  const fitWidth = useCallback(() => fitTo("width"), [fitTo]);
  const fitPage = useCallback(() => fitTo("page"), [fitTo]);
  useAction("zoomIn", larger);
  useAction("zoomOut", smaller);
  useAction("fitWidth", fitWidth);
  useAction("fitPage", fitPage);
  useAction("turnPages", turnRight);
  return (
    <Group>
      <Tool name="zoomOut" label={t("reader.zoomOut")} onClick={smaller}>
        <ZoomOut size={15} />
      </Tool>
      <span className="hidden w-11 text-center tabular-nums @[560px]:inline" data-testid="zoom">
        {t("reader.zoom", { percent: Math.round((zoom ?? fitted) * 100) })}
      </span>
      <Tool name="zoomIn" label={t("reader.zoomIn")} onClick={larger}>
        <ZoomIn size={15} />
      </Tool>
      <Tool
        name="fitWidth"
        label={t("reader.fit")}
        onClick={fitWidth}
        aria-pressed={zoom === null && fit === "width"}
        className="aria-pressed:text-accent"
      >
        <MoveHorizontal size={15} />
      </Tool>
      <Tool
        name="fitPage"
        label={t("reader.fitPage")}
        onClick={fitPage}
        aria-pressed={zoom === null && fit === "page"}
        className="aria-pressed:text-accent"
      >
        <Square size={13} />
      </Tool>
      <Tool name="turnPages" label={t("reader.turn")} onClick={turnRight}>
        <RotateCw size={14} />
      </Tool>
    </Group>
  );
});

function Group({ children }: { children: ReactNode }) {
  return <div className="flex items-center">{children}</div>;
}
