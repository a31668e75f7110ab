import { useTranslation } from "react-i18next";
import type { Citation, CitationBox, DocumentView } from "@/ipc/bindings";
import { placeName } from "@/lib/format";
import { columnHeight, cssPixelsPerPoint, type PlacedPage, type Turn, turnedBox } from "@/lib/page-layout";
import { partsOf } from "@/lib/parts";
import { type ReaderTarget, targetOfCitation, useView } from "@/state/view";
import { useCitationsHere } from "./marks";

interface TickRailProps {
  view: DocumentView;
  target: ReaderTarget;
  placed: readonly PlacedPage[];
  turn: Turn;
  zoom: number;
}

/** A tick beside the pages for every citation of the answer in this document, at its height. */
export function TickRail({ view, target, placed, turn, zoom }: TickRailProps) {
  const citations = useCitationsHere(view.document_id);
  const height = columnHeight(placed);
  const heightOf = (page: number, box: CitationBox) => {
    const extent = view.pages[page - 1];
    const place = placed[page - 1];
    return extent === undefined || place === undefined
      ? 0
      : place.top + turnedBox(box, extent, turn).top * cssPixelsPerPoint * zoom;
  };
  const ticks = citations.flatMap((citation) =>
    partsOf(citation).flatMap((part, at) =>
      part.kind === "page" && height > 0 ? [{ citation, at, share: heightOf(part.page, part.box) / height }] : [],
    ),
  );
  return <Ticks ticks={ticks} target={target} />;
}

export interface Tick {
  citation: Citation;
  /** Which part of the citation, from 0. */
  at: number;
  /** How far down the document. */
  share: number;
}

/** The ticks themselves. */
export function Ticks({ ticks, target }: { ticks: readonly Tick[]; target: ReaderTarget }) {
  const { t } = useTranslation();
  const walk = useView((state) => state.walk);
  const open = useView((state) => state.open);
  if (ticks.length === 0 || walk === null) {
    return null;
  }
  return (
    <nav aria-label={t("reader.ticks")} className="tick-rail" data-testid="ticks">
      {ticks.map(({ citation, at, share }) => {
        const label = t("reader.tick", {
          index: citation.index,
          place: placeName(citation.locator, citation.pages),
        });
        return (
          <button
            key={`${citation.index}-${at}`}
            type="button"
            className="tick"
            data-active={target.answerKey === walk.answerKey && target.citationIndex === citation.index}
            style={{ top: `${(share * 100).toFixed(3)}%` }}
            aria-label={label}
            title={label}
            onClick={() => open(targetOfCitation(citation, walk.answerKey))}
          />
        );
      })}
    </nav>
  );
}
