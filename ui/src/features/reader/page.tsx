import { Lock } from "lucide-react";
import { type CSSProperties, type MouseEvent, memo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import type { DocumentView, PageSize } from "@/ipc/bindings";
import { useIpc } from "@/ipc/provider";
import { useLocked, useWhyUndrawn } from "@/ipc/queries";
import { boxInPercent, renderWidth } from "@/lib/geometry";
import { useDevicePixelRatio, useQuiet } from "@/lib/media";
import type { PlacedPage, Turn } from "@/lib/page-layout";
import { useView } from "@/state/view";
import type { PageMark } from "./marks";
import { PageImage } from "./page-image";
import { useReader } from "./reader-state";
import { TextLayer } from "./text-layer";

interface PageProps {
  view: DocumentView;
  size: PageSize;
  placed: PlacedPage;
  turn: Turn;
  /** On this page, the lowest layer first. */
  marks: readonly PageMark[];
  quote: string;
  pulsing: boolean;
  /** Whether its image is worth asking for yet. */
  wanted: boolean;
  /** Whether there is nothing more to wait for: its image is there, or cannot be had. */
  shown: boolean;
  /** Called when it is. */
  onShown: (index: number) => void;
}

/** A pane that is being resized asks for new images when it has come to rest; until then they are stretched. */
const restMs = 150;

/** One rendered page, with the passage and over it the cited words marked. */
export const Page = memo(function Page(props: PageProps) {
  const { view, size, placed, turn, marks, quote, pulsing, wanted, shown, onShown } = props;
  const { t } = useTranslation();
  const ipc = useIpc();
  const upright = turn % 2 === 0 ? placed : { width: placed.height, height: placed.width };
  const width = useQuiet(renderWidth(upright.width, useDevicePixelRatio()), restMs);
  const [attempt, setAttempt] = useState(0);
  const [failed, setFailed] = useState(false);
  const setFailedIn = useReader((state) => state.setFailedIn);
  const locked = useLocked(view, failed);
  const revealClaim = useView((state) => state.revealClaim);
  const address = ipc.pageImage({
    collection: view.collection,
    documentId: view.document_id,
    sha256: view.sha256,
    page: size.number,
    width,
  });
  const firstQuote = marks.find((mark) => mark.kind === "quote");

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the pointer; chips and the rail do the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div
      className="page-sheet"
      data-testid={`page-${size.number}`}
      data-label={size.label ?? ""}
      style={{
        top: placed.top,
        left: `calc(50% - ${placed.width / 2}px)`,
        width: placed.width,
        height: placed.height,
      }}
      onClick={(event) => {
        const citation = citationUnder(event);
        if (citation !== null) {
          revealClaim(citation);
        }
      }}
    >
      <div className="page-turn" style={turnedStyle(upright, placed, turn)}>
        {failed ? (
          <PageFailed
            view={view}
            size={size}
            attempt={attempt}
            locked={locked}
            onRetry={() => {
              setFailed(false);
              setAttempt(attempt + 1);
            }}
          />
        ) : (
          wanted && (
            <PageImage
              key={attempt}
              address={address}
              label={t("reader.pageImage", { number: size.number, title: view.title })}
              onLoad={() => onShown(placed.index)}
              onError={() => {
                setFailed(true);
                setFailedIn(view.sha256);
                onShown(placed.index);
              }}
            />
          )
        )}
        {marks.map((mark) => (
          <div
            key={`${mark.kind},${mark.citation},${mark.left},${mark.top},${mark.right},${mark.bottom}`}
            className="page-box"
            data-kind={mark.kind}
            data-current={mark.current}
            data-citation={mark.citation ?? undefined}
            data-testid={`box-${mark.kind}`}
            data-page={mark.page}
            data-pulse={pulsing}
            style={boxInPercent(mark, size)}
            {...(mark === firstQuote ? { role: "img", "aria-label": t("reader.quoteBox", { quote }) } : {})}
          />
        ))}
        <div className="page-dim" />
        {/* The picture is what one waits for; the words would be read at the same time and hold it up. */}
        <TextLayer view={view} size={size} wanted={wanted && shown} />
      </div>
    </div>
  );
});

interface PageFailedProps {
  view: DocumentView;
  size: PageSize;
  /** How often it was tried before. */
  attempt: number;
  onRetry: () => void;
}

/** In place of a page that could not be drawn. What unlocks it stands above the pages, once for all of them. */
function PageFailed({ locked, ...failure }: PageFailedProps & { locked: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="grid h-full place-items-center text-[#67625a]">
      {locked ? (
        <p className="flex items-center gap-1.5">
          <Lock aria-hidden size={14} />
          {t("password.page")}
        </p>
      ) : (
        <WhyUndrawn {...failure} />
      )}
    </div>
  );
}

/** What the matter is with a page, and another try. */
function WhyUndrawn({ view, size, attempt, onRetry }: PageFailedProps) {
  const { t } = useTranslation();
  const why = useWhyUndrawn(view, size, attempt);
  return (
    <div className="max-w-[44ch] px-6 text-center">
      <p>{t("reader.pageFailed")}</p>
      {why !== null && <p className="mt-1 text-xs">{why}</p>}
      <Button className="mt-2" onClick={onRetry}>
        {t("app.retry")}
      </Button>
    </div>
  );
}

/** Lays the upright page over its turned place. */
function turnedStyle(
  upright: { width: number; height: number },
  placed: { width: number; height: number },
  turn: Turn,
): CSSProperties {
  return {
    width: upright.width,
    height: upright.height,
    left: (placed.width - upright.width) / 2,
    top: (placed.height - upright.height) / 2,
    transform: turn === 0 ? undefined : `rotate(${turn * 90}deg)`,
  };
}

/** The citation whose words were clicked, unless words were selected. */
function citationUnder(event: MouseEvent<HTMLElement>): number | null {
  if (window.getSelection()?.isCollapsed === false) {
    return null;
  }
  // The words to select lie above the marks.
  const under = document.elementsFromPoint(event.clientX, event.clientY);
  const marked = [event.target as Element, ...under]
    .map((element) => element.closest<HTMLElement>(".page-box[data-citation]"))
    .find((element) => element != null);
  return marked?.dataset.citation === undefined ? null : Number(marked.dataset.citation);
}
