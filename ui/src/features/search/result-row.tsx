import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { SearchResult } from "@/ipc/bindings";
import { useIpc } from "@/ipc/provider";
import { useDocumentView } from "@/ipc/queries";
import { headingPath, placeName } from "@/lib/format";
import { boxInPercent, cropAround, renderWidth } from "@/lib/geometry";
import { useDevicePixelRatio } from "@/lib/media";
import { snippetOf } from "@/lib/snippet";

const snippetLength = 260;
/** Of the whole page, so that its print can be read in the crop. */
const cropPageWidth = 640;

interface ResultRowProps {
  id: string;
  result: SearchResult;
  words: string;
  /** Its position among the results. */
  at: number;
  active: boolean;
  onOpen: (at: number) => void;
}

/** A passage: where it is, what it says around the words; for the one gone to also how it looks on its page. */
export const ResultRow = memo(function ResultRow({ id, result, words, at, active, onOpen }: ResultRowProps) {
  let from = 0;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above moves through the options and opens them
    <div
      id={id}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      onClick={() => onOpen(at)}
      data-testid="search-result"
      className="rounded-md px-2 py-2 hover:bg-hover aria-selected:bg-accent-soft"
    >
      <p className="flex items-baseline gap-2">
        <span className="min-w-0 truncate font-medium">{result.title}</span>
        <span className="shrink-0 text-2xs text-muted tabular-nums">{placeName(result.locator, result.pages)}</span>
      </p>
      {result.headings.length > 0 && result.locator.kind !== "heading" && (
        <p className="truncate text-2xs text-muted">{headingPath(result.headings)}</p>
      )}
      <p className="mt-0.5 font-read text-[14.5px] leading-[21px]">
        {snippetOf(result.text, words, snippetLength).map((piece) => {
          const key = from;
          from += piece.text.length;
          return piece.hit ? (
            <mark key={key} data-kind="find">
              {piece.text}
            </mark>
          ) : (
            piece.text
          );
        })}
      </p>
      {active && result.boxes.length > 0 && <Crop result={result} />}
    </div>
  );
});

/** The place on the page. */
function Crop({ result }: { result: SearchResult }) {
  const { t } = useTranslation();
  const ipc = useIpc();
  const ratio = useDevicePixelRatio();
  const view = useDocumentView({ collection: result.collection, documentId: result.document_id, sha256: null }).data;
  const number = result.boxes[0]?.page;
  const size = view?.pages.find((page) => page.number === number);
  if (view === undefined || size === undefined || number === undefined) {
    return null;
  }
  const boxes = result.boxes.filter((box) => box.page === number);
  const crop = cropAround(boxes, size);
  if (crop === null) {
    return null;
  }
  const extent = { width: crop.right - crop.left, height: crop.bottom - crop.top };
  const address = ipc.pageImage({
    collection: result.collection,
    documentId: result.document_id,
    sha256: view.sha256,
    page: number,
    width: renderWidth(cropPageWidth, ratio),
    crop,
  });
  return (
    <div
      className="crop mt-2 border border-line"
      style={{
        aspectRatio: `${extent.width} / ${extent.height}`,
        maxWidth: (cropPageWidth * extent.width) / size.width,
      }}
      data-testid="search-crop"
    >
      <img src={address} alt={t("chip.crop")} draggable={false} />
      {boxes.map((box) => (
        <div
          key={`${box.left},${box.top}`}
          className="page-box"
          data-kind="passage"
          style={boxInPercent(
            {
              left: box.left - crop.left,
              top: box.top - crop.top,
              right: box.right - crop.left,
              bottom: box.bottom - crop.top,
            },
            extent,
          )}
        />
      ))}
    </div>
  );
}
