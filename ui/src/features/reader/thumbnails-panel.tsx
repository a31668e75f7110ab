import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentView, PageSize } from "@/ipc/bindings";
import { useIpc } from "@/ipc/provider";
import { renderWidth } from "@/lib/geometry";
import { useDevicePixelRatio } from "@/lib/media";
import { useCitationsHere } from "./marks";
import { PageImage } from "./page-image";
import { useReader } from "./reader-state";
import { useGoTo } from "./use-go-to";

const width = 112;
const labelHeight = 30;
/** More citations of a page than this are counted, not listed. */
const mostDots = 4;

/** Small pictures of all pages, with the numbers of the citations that lie on them. */
export function ThumbnailsPanel({ view }: { view: DocumentView }) {
  const scroller = useRef<HTMLDivElement>(null);
  const page = useReader((state) => state.page);
  const citations = useCitationsHere(view.document_id);
  const cited = useMemo(() => {
    const byPage = new Map<number, number[]>();
    for (const citation of citations) {
      for (const number of new Set(citation.boxes.map((box) => box.page))) {
        byPage.set(number, [...(byPage.get(number) ?? []), citation.index]);
      }
    }
    return byPage;
  }, [citations]);
  const rows = useVirtualizer({
    count: view.pages.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(view.pages[index]) + labelHeight,
    overscan: 2,
    initialRect: { width: 176, height: 700 },
  });
  useEffect(() => rows.scrollToIndex(page - 1, { align: "auto" }), [page, rows]);
  return (
    <div ref={scroller} className="scroller min-h-0 grow overflow-y-auto py-2">
      <ol className="relative" style={{ height: rows.getTotalSize() }} data-testid="thumbnails">
        {rows.getVirtualItems().map((row) => {
          const size = view.pages[row.index];
          return (
            size !== undefined && (
              <li
                key={row.key}
                className="absolute inset-x-0 top-0"
                style={{ height: row.size, transform: `translateY(${row.start}px)` }}
              >
                <Thumbnail
                  view={view}
                  size={size}
                  current={size.number === page}
                  cited={cited.get(size.number) ?? []}
                  still={!rows.isScrolling}
                />
              </li>
            )
          );
        })}
      </ol>
    </div>
  );
}

function heightOf(size: PageSize | undefined): number {
  return size === undefined || size.width === 0 ? width : (width * size.height) / size.width;
}

interface ThumbnailProps {
  view: DocumentView;
  size: PageSize;
  current: boolean;
  cited: readonly number[];
  /** Whether the panel is at rest: pictures that only rush by are not asked for. */
  still: boolean;
}

function Thumbnail({ view, size, current, cited, still }: ThumbnailProps) {
  const { t } = useTranslation();
  const ipc = useIpc();
  const goTo = useGoTo();
  const ratio = useDevicePixelRatio();
  const unlocks = useReader((state) => state.unlocks);
  const [asked, setAsked] = useState(still);
  useEffect(() => {
    if (still) {
      setAsked(true);
    }
  }, [still]);
  const name = size.label ?? String(size.number);
  const label =
    cited.length === 0
      ? t("reader.thumbnail", { page: name })
      : t("reader.thumbnailCited", { page: name, citations: cited.join(", ") });
  const address = ipc.pageImage({
    collection: view.collection,
    documentId: view.document_id,
    sha256: view.sha256,
    page: size.number,
    width: renderWidth(width, ratio),
  });
  return (
    <button
      type="button"
      aria-label={label}
      aria-current={current ? "page" : undefined}
      data-testid={`thumbnail-${size.number}`}
      className="thumbnail mx-auto block"
      style={{ width }}
      onClick={() => goTo({ kind: "page", page: size.number, box: null })}
    >
      <span className="thumbnail-sheet" style={{ height: heightOf(size) }}>
        {asked && <PageImage key={unlocks} address={address} label="" />}
        <span className="page-dim" />
        {cited.length > 0 && (
          <span className="absolute top-1 right-1 flex gap-0.5" aria-hidden>
            {cited.slice(0, mostDots).map((index) => (
              <span key={index} className="citation-dot" data-text={index} />
            ))}
            {cited.length > mostDots && <span className="citation-dot" data-text={`+${cited.length - mostDots}`} />}
          </span>
        )}
      </span>
      <span className="block truncate pt-1 text-center text-2xs text-muted tabular-nums">{name}</span>
    </button>
  );
}
