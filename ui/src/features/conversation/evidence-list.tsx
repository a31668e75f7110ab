import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ChipGlyph } from "@/components/chip-glyph";
import type { Citation, SearchResult } from "@/ipc/bindings";
import { chipState } from "@/lib/chip-state";
import { placeName } from "@/lib/format";
import { targetOfCitation, targetOfPassage, useView } from "@/state/view";

import { citationsInOrder, type ShownAnswer } from "./shown-answer";

/** What the answer cites, and what was read beside it. */
export function EvidenceList({ answer, onOpen }: { answer: ShownAnswer; onOpen: () => void }) {
  const { t } = useTranslation();
  const citations = citationsInOrder(answer);
  const alsoRead = answer.evidence.filter((passage) => answer.citations[passage.index] === undefined);
  return (
    <div className="space-y-1">
      {citations.length > 0 && (
        <Fold title={t("evidence.title")} count={citations.length} startsOpen>
          <ol data-testid="evidence">
            {citations.map((citation) => (
              <CitedRow key={citation.index} citation={citation} answerKey={answer.key} onOpen={onOpen} />
            ))}
          </ol>
        </Fold>
      )}
      {alsoRead.length > 0 && (
        <Fold title={t("evidence.alsoRead")} count={alsoRead.length} startsOpen={false}>
          <PassageRows passages={alsoRead} />
        </Fold>
      )}
    </div>
  );
}

interface FoldProps {
  title: string;
  count: number;
  startsOpen: boolean;
  children: ReactNode;
}

function Fold({ title, count, startsOpen, children }: FoldProps) {
  const [open, setOpen] = useState(startsOpen);
  const id = useId();
  return (
    <section>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="-ml-1 flex h-6 items-center gap-1 rounded px-1 font-medium text-muted text-xs hover:bg-hover hover:text-ink"
      >
        <ChevronRight aria-hidden size={13} className={open ? "rotate-90" : ""} />
        {title} ({count})
      </button>
      <div id={id} hidden={!open}>
        {children}
      </div>
    </section>
  );
}

const rowLook =
  "flex w-full items-start gap-3 rounded px-2 py-1.5 text-left hover:bg-hover data-[active=true]:bg-accent-soft";

function CitedRow({ citation, answerKey, onOpen }: { citation: Citation; answerKey: string; onOpen: () => void }) {
  const open = useView((state) => state.open);
  const active = useView(
    (state) =>
      state.readerOpen && state.target?.answerKey === answerKey && state.target.citationIndex === citation.index,
  );
  const state = chipState(citation);
  return (
    <li className="-mx-2">
      <button
        type="button"
        className={rowLook}
        data-active={active}
        data-testid={`evidence-${citation.index}`}
        onClick={() => {
          onOpen();
          open(targetOfCitation(citation, answerKey));
        }}
      >
        <span className="chip mt-px shrink-0" data-state={state} style={{ margin: 0 }}>
          {citation.index}
          <ChipGlyph state={state} />
        </span>
        <RowText title={citation.title} place={placeName(citation.locator, citation.pages)} text={citation.quote} />
      </button>
    </li>
  );
}

/** Passages without a quote of their own. */
export function PassageRows({ passages }: { passages: readonly SearchResult[] }) {
  const open = useView((state) => state.open);
  return (
    <ul>
      {passages.map((passage) => (
        <li key={`${passage.document_id}/${passage.chunk_id}`} className="-mx-2">
          <button type="button" className={rowLook} onClick={() => open(targetOfPassage(passage))}>
            <RowText title={passage.title} place={placeName(passage.locator, passage.pages)} text={passage.text} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function RowText({ title, place, text }: { title: string; place: string; text: string }) {
  return (
    <span className="min-w-0 grow">
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 truncate font-medium">{title}</span>
        <span className="shrink-0 text-2xs text-muted tabular-nums">{place}</span>
      </span>
      <span className="line-clamp-2 font-read text-[14px] text-muted leading-5">{text}</span>
    </span>
  );
}
