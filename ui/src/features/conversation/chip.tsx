import { PreviewCard } from "@base-ui/react/preview-card";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ChipGlyph } from "@/components/chip-glyph";
import type { Citation } from "@/ipc/bindings";
import { chipState } from "@/lib/chip-state";
import { placeName } from "@/lib/format";
import { targetOfCitation, useView } from "@/state/view";
import { ChipCard } from "./chip-card";

/** The pointer must rest this long before the card shows, and may leave it this long before it goes. */
const openDelay = 80;
const closeDelay = 120;

interface ChipProps {
  index: number;
  /** Null while its verdict is awaited. */
  citation: Citation | null;
  answerKey: string;
  onOpen: () => void;
  testId: string;
}

/** A citation in the text: opens its page, and shows the place when the pointer rests on it. */
export function Chip({ index, citation, answerKey, onOpen, testId }: ChipProps) {
  const { t } = useTranslation();
  const active = useView(
    (state) => state.readerOpen && state.target?.answerKey === answerKey && state.target.citationIndex === index,
  );
  const open = useView((state) => state.open);
  const [peeking, setPeeking] = useState(false);
  if (citation === null) {
    return (
      <span
        className="chip"
        data-state="pending"
        data-testid={testId}
        role="img"
        aria-label={t("chip.pending", { index })}
      >
        {index}
        <ChipGlyph state="pending" />
      </span>
    );
  }
  const state = chipState(citation);
  const label = t("chip.label", {
    index,
    title: citation.title,
    place: placeName(citation.locator, citation.pages),
    verdict: t(`verdict.says.${citation.verdict}`),
  });
  // Space shows the place without going there; Enter goes.
  const peek = (event: KeyboardEvent) => {
    if (event.key === " ") {
      event.preventDefault();
      if (event.type === "keydown" && !event.repeat) {
        setPeeking(!peeking);
      }
    }
  };
  return (
    <PreviewCard.Root open={peeking} onOpenChange={setPeeking}>
      <PreviewCard.Trigger
        delay={openDelay}
        closeDelay={closeDelay}
        render={
          <button
            type="button"
            className="chip"
            data-state={state}
            data-active={active}
            data-testid={testId}
            aria-label={label}
            onKeyDown={peek}
            onKeyUp={peek}
            onClick={() => {
              onOpen();
              open(targetOfCitation(citation, answerKey));
            }}
          >
            {index}
            <ChipGlyph state={state} />
          </button>
        }
      />
      {/* Among the panes, where everything that can be read is part of a landmark. */}
      <PreviewCard.Portal container={document.querySelector("main")}>
        <PreviewCard.Positioner sideOffset={6} side="top" collisionPadding={12} className="z-40">
          <PreviewCard.Popup className="w-[464px] max-w-[calc(100vw-24px)] rounded-lg border border-line bg-paper p-3 text-ink shadow-xl">
            <ChipCard citation={citation} />
          </PreviewCard.Popup>
        </PreviewCard.Positioner>
      </PreviewCard.Portal>
    </PreviewCard.Root>
  );
}
