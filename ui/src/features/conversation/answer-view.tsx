import { memo, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChosenDocument, ScopeRequest } from "@/ipc/bindings";
import { figureNotes } from "@/lib/figures";
import { useView } from "@/state/view";
import { AskAgain } from "./ask-again";
import { Chip } from "./chip";
import { CopyAnswer } from "./copy-answer";
import { CoverageLine } from "./coverage-line";
import { EvidenceList } from "./evidence-list";
import { Failure } from "./failure";
import type { HowToAnswer } from "./live-answer";
import { Markdown } from "./markdown";
import { Question } from "./question";
import { Refusal } from "./refusal";
import { everything, scopeRequest } from "./scope";
import { citationsInOrder, type ShownAnswer } from "./shown-answer";
import { useClaimMark } from "./use-claim-mark";
import { VerdictSummary } from "./verdict-summary";

interface AnswerViewProps {
  answer: ShownAnswer;
  onAsk: (question: string, scope: ScopeRequest, how?: HowToAnswer) => void;
}

/** A question and what came of it. */
export const AnswerView = memo(function AnswerView({ answer, onAsk }: AnswerViewProps) {
  const { t } = useTranslation();
  const running = answer.status === "running" || answer.status === "stopping";
  const setWalk = useView((state) => state.setWalk);
  const scopeTo = useView((state) => state.scopeTo);
  const clearScope = useView((state) => state.clearScope);
  const [editing, setEditing] = useState(false);
  const article = useRef<HTMLElement>(null);
  const active = useView((state) =>
    state.readerOpen && state.target?.answerKey === answer.key ? state.target.citationIndex : null,
  );
  useClaimMark(article, active);
  useReveal(article, answer.key);
  const onOpen = useCallback(
    () => setWalk({ answerKey: answer.key, citations: citationsInOrder(answer) }),
    [setWalk, answer],
  );
  const renderChip = useCallback(
    (index: number, occurrence: number) => (
      <span className="chip-place">
        <Chip
          index={index}
          citation={answer.citations[index] ?? null}
          answerKey={answer.key}
          onOpen={onOpen}
          testId={occurrence === 1 ? `chip-${index}` : `chip-${index}-${occurrence}`}
        />
      </span>
    ),
    [answer.citations, answer.key, onOpen],
  );
  const known = [...new Set([...answer.pending, ...Object.keys(answer.citations).map(Number)])].sort(
    (one, other) => one - other,
  );

  const figures = useMemo(() => figureNotes(Object.values(answer.citations)), [answer.citations]);
  const scope = answer.scope ?? everything;
  const again = (how?: HowToAnswer) => onAsk(answer.question, scope, how);
  // What a question is narrowed or widened to also holds for the next ones, and is seen above them.
  const narrow = (chosen: readonly ChosenDocument[]) => {
    const documents = chosen.map((document) => ({ ...document, documentId: document.document_id }));
    scopeTo(documents.map(({ collection, documentId, title }) => ({ collection, documentId, title })));
    onAsk(answer.question, scopeRequest([], documents, []));
  };
  const widen = () => {
    clearScope();
    onAsk(answer.question, everything);
  };

  return (
    <article ref={article} data-testid="answer" data-status={answer.status} className="pt-8 first:pt-4">
      <Question
        question={answer.question}
        editing={editing}
        onEdit={setEditing}
        onAsk={(question) => onAsk(question, scope)}
      >
        <AskAgain answer={answer} onAsk={again} />
      </Question>
      {answer.text !== "" && (
        <div className="mt-3">
          <Markdown text={answer.text} known={known} figures={figures} renderChip={renderChip} />
        </div>
      )}
      {running && <Stage answer={answer} />}
      {answer.status === "cancelled" && <p className="mt-3 text-muted text-xs">{t("ask.stopped")}</p>}
      {answer.status === "refused" && <Refusal answer={answer} onEdit={() => setEditing(true)} onWiden={widen} />}
      {answer.status === "failed" && <Failure answer={answer} onAsk={again} />}
      {!running && (
        <div className="mt-4 space-y-3 font-sans">
          {answer.text !== "" && <CopyAnswer answer={answer} />}
          <VerdictSummary citations={citationsInOrder(answer)} />
          <Grounds answer={answer} />
          {answer.invalidMarkers > 0 && (
            <p className="text-warn text-xs">{t("ask.invalid", { count: answer.invalidMarkers })}</p>
          )}
          <FailedDocuments answer={answer} />
          <EvidenceList answer={answer} onOpen={onOpen} />
          <CoverageLine answer={answer} onNarrow={narrow} onWiden={widen} />
          {!answer.stored && <p className="text-muted text-xs">{t("ask.notStored")}</p>}
        </div>
      )}
    </article>
  );
});

/** Brings a claim of this answer into view when its words are clicked in the reader. */
function useReveal(article: RefObject<HTMLElement | null>, answerKey: string): void {
  const reveal = useView((state) => (state.reveal?.answerKey === answerKey ? state.reveal : null));
  const shown = useRef(reveal?.count ?? 0);
  useEffect(() => {
    if (reveal !== null && shown.current !== reveal.count) {
      shown.current = reveal.count;
      const chip = article.current?.querySelector<HTMLElement>(`[data-testid="chip-${reveal.index}"]`);
      chip?.scrollIntoView?.({ block: "center" });
      chip?.focus({ preventScroll: true });
    }
  }, [reveal, article]);
}

function Stage({ answer }: { answer: ShownAnswer }) {
  const { t } = useTranslation();
  const { stage } = answer;
  const names = { search: "ask.stages.search", generate: "ask.stages.generate", verify: "ask.stages.verify" } as const;
  const name = stage !== null && stage.name in names ? names[stage.name as keyof typeof names] : "ask.stages.other";
  const text = answer.status === "stopping" ? t("ask.stopping") : `${t(name)}…`;
  return (
    <p className="mt-3 flex items-center gap-2 text-muted text-xs" data-testid="stage">
      <svg viewBox="0 0 12 12" className="spin-slow size-3" aria-hidden="true" fill="none" stroke="currentColor">
        <path d="M6 1.75A4.25 4.25 0 1 1 1.75 6" strokeWidth="1.5" strokeLinecap="round" />
      </svg>
      {text}
      {stage !== null && stage.total > 1 && answer.status !== "stopping" && (
        <span className="tabular-nums">{t("ask.stageCount", { done: stage.done, total: stage.total })}</span>
      )}
    </p>
  );
}

/** What is to be known of an answer that cites none of what it was given. */
function Grounds({ answer }: { answer: ShownAnswer }) {
  const { t } = useTranslation();
  if (answer.status !== "answered") {
    return null;
  }
  if (answer.grounding === "ungrounded") {
    return (
      <p className="text-warn text-xs" data-testid="ungrounded">
        {t("ask.ungrounded")}
      </p>
    );
  }
  return answer.uncited || answer.grounding === "missing" ? (
    <p className="text-warn text-xs">{t("ask.uncited")}</p>
  ) : null;
}

function FailedDocuments({ answer }: { answer: ShownAnswer }) {
  const { t } = useTranslation();
  if (answer.documentsFailed.length === 0) {
    return null;
  }
  return (
    <div className="text-xs">
      <p className="text-warn">{t("ask.failedDocuments", { count: answer.documentsFailed.length })}</p>
      <ul>
        {answer.documentsFailed.map((failure) => (
          <li key={failure.document_id}>
            {failure.title}: <span className="text-muted">{failure.reason}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
