import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import type { CitationBox, DocumentView, PageSize } from "@/ipc/bindings";
import { useIpc } from "@/ipc/provider";
import { boxInPercent, renderWidth } from "@/lib/geometry";
import { useDevicePixelRatio, useQuiet } from "@/lib/media";
import type { PlacedPage } from "@/lib/page-layout";

interface PageProps {
  view: DocumentView;
  size: PageSize;
  placed: PlacedPage;
  /** Of the open place, on any page. */
  boxes: readonly CitationBox[];
  quote: string;
  pulsing: boolean;
  /** Whether its image is worth asking for yet. */
  wanted: boolean;
  /** Called when there is nothing more to wait for: its image is there, or cannot be had. */
  onShown: (index: number) => void;
}

/** A pane that is being resized asks for new images when it has come to rest; until then they are stretched. */
const restMs = 150;

/** One rendered page, with the passage and over it the cited words marked. */
export const Page = memo(function Page({ view, size, placed, boxes, quote, pulsing, wanted, onShown }: PageProps) {
  const { t } = useTranslation();
  const ipc = useIpc();
  const width = useQuiet(renderWidth(placed.width, useDevicePixelRatio()), restMs);
  const [attempt, setAttempt] = useState(0);
  const [failed, setFailed] = useState(false);
  const here = boxes.filter((box) => box.page === size.number);
  const ordered = [...here.filter((box) => box.kind === "passage"), ...here.filter((box) => box.kind === "quote")];
  const address = ipc.pageImage({
    collection: view.collection,
    documentId: view.document_id,
    sha256: view.sha256,
    page: size.number,
    width,
  });
  const firstQuote = ordered.find((box) => box.kind === "quote");

  return (
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
    >
      {failed ? (
        <div className="grid h-full place-items-center text-[#67625a]">
          <div className="text-center">
            <p className="mb-2">{t("reader.pageFailed")}</p>
            <Button
              onClick={() => {
                setFailed(false);
                setAttempt(attempt + 1);
              }}
            >
              {t("app.retry")}
            </Button>
          </div>
        </div>
      ) : (
        wanted && (
          <img
            key={attempt}
            src={address}
            alt={t("reader.pageImage", { number: size.number, title: view.title })}
            draggable={false}
            decoding="async"
            onLoad={() => onShown(placed.index)}
            onError={() => {
              setFailed(true);
              onShown(placed.index);
            }}
          />
        )
      )}
      {ordered.map((box) => (
        <div
          key={`${box.kind},${box.left},${box.top},${box.right},${box.bottom}`}
          className="page-box"
          data-kind={box.kind}
          data-testid={`box-${box.kind}`}
          data-page={box.page}
          data-pulse={pulsing}
          style={boxInPercent(box, size)}
          {...(box === firstQuote ? { role: "img", "aria-label": t("reader.quoteBox", { quote }) } : {})}
        />
      ))}
      <div className="page-dim" />
    </div>
  );
});
