import { ArrowLeft, ArrowRight, ChevronDown, ChevronUp, MoveHorizontal, X, ZoomIn, ZoomOut } from "lucide-react";
import { type FormEvent, type ReactNode, useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/button";
import type { DocumentView } from "@/ipc/bindings";
import { useAction } from "@/lib/actions";
import { findPage } from "@/lib/format";
import { shortcutLabel } from "@/lib/keyboard";
import { type ReaderTarget, useView } from "@/state/view";
import { useReader } from "./reader-state";

const zoomStep = 1.2;

/** The document's name, its page, its size, and the way through the citations. */
export function ReaderToolbar({ view, target }: { view: DocumentView | null; target: ReaderTarget | null }) {
  const { t } = useTranslation();
  const { closeReader, goBack, goForward, stepCitation, openCitation, walk, back, forward } = useView();
  const { zoom, fitted, zoomBy, fitWidth } = useReader();
  const larger = useCallback(() => zoomBy(zoomStep), [zoomBy]);
  const smaller = useCallback(() => zoomBy(1 / zoomStep), [zoomBy]);
  useAction("zoomIn", larger);
  useAction("zoomOut", smaller);
  useAction("fitWidth", fitWidth);
  useAction("goBack", goBack);
  useAction("goForward", goForward);
  useAction(
    "openCitation",
    useCallback((digit: number | null) => digit !== null && openCitation(digit), [openCitation]),
  );
  const paged = (view?.pages.length ?? 0) > 0;
  const citations = walk?.citations.length ?? 0;
  const current = target !== null && target.answerKey !== null && target.answerKey === walk?.answerKey;

  return (
    <header className="shrink-0 border-line border-b bg-chrome">
      <div className="flex h-9 items-center gap-1 pr-1.5 pl-3">
        <p className="min-w-0 grow truncate font-medium" title={target?.title} data-testid="reader-title">
          {target?.title ?? t("reader.title")}
        </p>
        <Group>
          <IconButton
            label={`${t("reader.back")} (${shortcutLabel("goBack")})`}
            onClick={goBack}
            disabled={back.length === 0}
          >
            <ArrowLeft size={15} />
          </IconButton>
          <IconButton
            label={`${t("reader.forward")} (${shortcutLabel("goForward")})`}
            onClick={goForward}
            disabled={forward.length === 0}
          >
            <ArrowRight size={15} />
          </IconButton>
        </Group>
        <IconButton label={t("reader.close")} onClick={closeReader} data-testid="close-reader">
          <X size={15} />
        </IconButton>
      </div>
      <div className="flex h-8 items-center gap-1 border-line border-t pr-1.5 pl-3 text-muted text-xs">
        {view !== null && paged && <PageBox key={view.document_id} view={view} />}
        <span className="grow" />
        {citations > 0 && (
          <Group>
            <IconButton
              label={`${t("reader.previous")} (${shortcutLabel("previousCitation")})`}
              onClick={() => stepCitation(-1)}
              data-testid="previous-citation"
            >
              <ChevronUp size={15} />
            </IconButton>
            <span className="min-w-5 text-center font-semibold tabular-nums" data-testid="current-citation">
              {current && target.citationIndex !== null ? `[${target.citationIndex}]` : "–"}
            </span>
            <IconButton
              label={`${t("reader.next")} (${shortcutLabel("nextCitation")})`}
              onClick={() => stepCitation(1)}
              data-testid="next-citation"
            >
              <ChevronDown size={15} />
            </IconButton>
          </Group>
        )}
        {paged && (
          <Group>
            <IconButton label={`${t("reader.zoomOut")} (${shortcutLabel("zoomOut")})`} onClick={smaller}>
              <ZoomOut size={15} />
            </IconButton>
            <span className="w-11 text-center tabular-nums" data-testid="zoom">
              {t("reader.zoom", { percent: Math.round((zoom ?? fitted) * 100) })}
            </span>
            <IconButton label={`${t("reader.zoomIn")} (${shortcutLabel("zoomIn")})`} onClick={larger}>
              <ZoomIn size={15} />
            </IconButton>
            <IconButton
              label={`${t("reader.fit")} (${shortcutLabel("fitWidth")})`}
              onClick={fitWidth}
              aria-pressed={zoom === null}
              className="aria-pressed:text-accent"
            >
              <MoveHorizontal size={15} />
            </IconButton>
          </Group>
        )}
      </div>
    </header>
  );
}

function Group({ children }: { children: ReactNode }) {
  return <div className="flex items-center border-line border-l pl-1 first:border-l-0 first:pl-0">{children}</div>;
}

/** `p. 371 · PDF 7/210`; a click or `g` lets a page be typed. */
function PageBox({ view }: { view: DocumentView }) {
  const { t } = useTranslation();
  const page = useReader((state) => state.page);
  const goTo = useReader((state) => state.goTo);
  const [typed, setTyped] = useState<string | null>(null);
  const [unknown, setUnknown] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const begin = useCallback(() => {
    setTyped("");
    setUnknown(false);
    field.current?.focus();
  }, []);
  useAction("goToPage", begin);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = findPage(view.pages, typed ?? "");
    if (found === null) {
      setUnknown((typed ?? "").trim() !== "");
      return;
    }
    goTo(found);
    setTyped(null);
  };
  if (typed === null) {
    const label = view.pages[page - 1]?.label ?? null;
    const total = view.pages.length;
    return (
      <button
        type="button"
        onClick={begin}
        title={`${t("reader.goTo")} (${shortcutLabel("goToPage")})`}
        data-testid="page-indicator"
        className="-ml-1.5 h-6 truncate rounded px-1.5 tabular-nums hover:bg-hover hover:text-ink"
      >
        {label === null
          ? t("reader.pageUnlabelled", { number: page, total })
          : t("reader.page", { label, number: page, total })}
      </button>
    );
  }
  return (
    <form onSubmit={submit} className="flex min-w-0 items-center gap-2">
      <input
        ref={field}
        // biome-ignore lint/a11y/noAutofocus: the field appears because the person asked for it
        autoFocus
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setUnknown(false);
        }}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.preventDefault();
            setTyped(null);
          }
        }}
        aria-label={t("reader.goTo")}
        aria-invalid={unknown}
        placeholder={t("reader.goToHint")}
        data-testid="go-to-page"
        className="h-6 w-44 min-w-0 rounded border border-line bg-paper px-1.5 text-ink placeholder:text-muted"
      />
      {unknown && (
        <span role="status" className="truncate text-warn">
          {t("reader.goToUnknown", { value: typed.trim() })}
        </span>
      )}
    </form>
  );
}
