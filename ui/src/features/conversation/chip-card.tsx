import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ChipGlyph } from "@/components/chip-glyph";
import type { Citation } from "@/ipc/bindings";
import { useIpc } from "@/ipc/provider";
import { useDocumentView } from "@/ipc/queries";
import { chipState } from "@/lib/chip-state";
import { headingPath, placeName } from "@/lib/format";
import { boxInPercent, cropAround, renderWidth } from "@/lib/geometry";
import { useDevicePixelRatio } from "@/lib/media";
import { placeOnPage } from "@/lib/parts";

const cropWidth = 438;

/** What a citation rests on, without leaving the answer. */
export function ChipCard({ citation }: { citation: Citation }) {
  const state = chipState(citation);
  const path = headingPath(citation.headings);
  return (
    <div className="text-sm" data-testid="chip-card">
      <div className="flex items-baseline gap-2">
        <p className="grow truncate font-semibold">{citation.title}</p>
        <p className="shrink-0 text-muted text-xs tabular-nums">{placeName(citation.locator, citation.pages)}</p>
      </div>
      {path !== "" && citation.locator.kind !== "heading" && <p className="truncate text-muted text-xs">{path}</p>}
      <Crop citation={citation} />
      <blockquote className="mt-2 line-clamp-6 font-read text-[15px] leading-[22px]">“{citation.quote}”</blockquote>
      <VerdictLine citation={citation} state={state} />
    </div>
  );
}

/** What was verified, in words and with the chip's own shape. */
export function VerdictLine({ citation, state }: { citation: Citation; state: ReturnType<typeof chipState> }) {
  const { t } = useTranslation();
  const { missing, computed } = citation.numbers;
  return (
    <div
      className={`mt-2 flex flex-wrap items-center gap-x-2 text-xs ${state === "problem" ? "text-warn" : "text-muted"}`}
    >
      <span className="inline-flex size-3">
        <ChipGlyph state={state} />
      </span>
      <span>{t(`verdict.says.${citation.verdict}`)}</span>
      {citation.mark === "proven" && citation.verdict !== "verbatim" && <span>{t("verdict.allInside")}</span>}
      {missing.length > 0 && <span>{t("verdict.missing", { figures: missing.join(", ") })}</span>}
      {computed.length > 0 && (
        <span className="text-muted">
          {t("verdict.computed", { figures: computations(citation.numbers).join("; ") })}
        </span>
      )}
    </div>
  );
}

/** Each computed figure with the sum it comes from, where that is known: `$206 million = 1,577 − 1,371`. */
function computations({ computed, operands }: Citation["numbers"]): string[] {
  return computed.map((figure, at) => {
    const sum = operands?.[at];
    return sum === undefined || sum === "" ? figure : `${figure} = ${sum}`;
  });
}

function Crop({ citation }: { citation: Citation }) {
  const { t } = useTranslation();
  const ipc = useIpc();
  const ratio = useDevicePixelRatio();
  const [failed, setFailed] = useState(false);
  const place = placeOnPage(citation);
  const page = place?.page;
  const onPage = place?.boxes ?? [];
  // The size of the page is asked for with the document; the reader asks for the same when the chip is clicked.
  const view = useDocumentView(
    page === undefined
      ? null
      : { collection: citation.collection, documentId: citation.document_id, sha256: citation.sha256 },
  );
  const size = view.data?.pages.find((candidate) => candidate.number === page);
  const crop = size === undefined ? null : cropAround(onPage, size);
  if (crop === null || page === undefined || size === undefined || failed) {
    return null;
  }
  const width = crop.right - crop.left;
  const height = crop.bottom - crop.top;
  return (
    <div className="crop mt-2 border border-line" style={{ aspectRatio: `${width} / ${height}` }}>
      <img
        src={ipc.pageImage({
          collection: citation.collection,
          documentId: citation.document_id,
          sha256: citation.sha256,
          page,
          width: renderWidth((cropWidth * size.width) / width, ratio),
          crop,
        })}
        alt={t("chip.crop")}
        className="absolute inset-0 h-full w-full"
        onError={() => setFailed(true)}
      />
      {onPage.map((box) => (
        <div
          key={`${box.left},${box.top}`}
          className="page-box"
          data-kind={box.kind}
          style={boxInPercent(
            {
              left: box.left - crop.left,
              top: box.top - crop.top,
              right: box.right - crop.left,
              bottom: box.bottom - crop.top,
            },
            { width, height },
          )}
        />
      ))}
    </div>
  );
}
