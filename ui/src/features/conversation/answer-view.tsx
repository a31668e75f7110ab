import { memo, type RefObject, useCallback, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "@/components/notice";
import type { NotSearched } from "@/ipc/bindings";
import { useView } from "@/state/view";
import { Chip } from "./chip";
import { CopyAnswer } from "./copy-answer";
import { EvidenceList, PassageRows } from "./evidence-list";
import { Markdown } from "./markdown";
import { citationsInOrder, type ShownAnswer } from "./shown-answer";
import { useClaimMark } from "./use-claim-mark";
import { VerdictSummary } from "./verdict-summary";

interface AnswerViewProps {
  answer: ShownAnswer;
  onRetry: (question: string) => void;
}

/** A question and what came of it. */
export const AnswerView = memo(function AnswerView({ answer, onRetry }: AnswerViewProps) {
  const { t } = useTranslation();
  const running = answer.status === "running" || answer.status === "stopping";
  const setWalk = useView((state) => state.setWalk);
  const article = useRef<HTMLElement>(null);
  const active = useView((state) =>
    state.readerOpen && state.target?.answerKey === answer.key ? state.target.citationIndex : null,
  );
  useClaimMark(article, active, answer.text);
  useReveal(article, answer.key);
  const onOpen = useCallback(
    () => setWalk({ answerKey: answer.key, citations: citationsInOrder(answer) }),
    [setWalk, answer],
  );
  const renderChip = useCallback(
    (index: number, occurrence: number) => (
      <Chip
        index={index}
        citation={answer.citations[index] ?? null}
        answerKey={answer.key}
        onOpen={onOpen}
        testId={occurrence === 1 ? `chip-${index}` : `chip-${index}-${occurrence}`}
      />
    ),
    [answer.citations, answer.key, onOpen],
  );
  const known = [...new Set([...answer.pending, ...Object.keys(answer.citations).map(Number)])].sort(
    (one, other) => one - other,
  );

  return (
    <article ref={article} data-testid="answer" data-status={answer.status} className="pt-8 first:pt-4">
      <h3 className="font-read font-semibold text-[20px] leading-7">{answer.question}</h3>
      {answer.text !== "" && (
        <div className="mt-3">
          <Markdown text={answer.text} known={known} renderChip={renderChip} />
        </div>
      )}
      {running && <Stage answer={answer} />}
      {answer.status === "cancelled" && <p className="mt-3 text-muted text-xs">{t("ask.stopped")}</p>}
      {answer.status === "refused" && <Refusal answer={answer} />}
      {answer.status === "failed" && (
        <div className="mt-4">
          <Notice
            title={t("ask.failedTitle")}
            message={answer.error?.message}
            onRetry={() => onRetry(answer.question)}
          />
        </div>
      )}
      {!running && (
        <div className="mt-4 space-y-3 font-sans">
          {answer.text !== "" && <CopyAnswer answer={answer} />}
          <VerdictSummary citations={citationsInOrder(answer)} />
          {answer.uncited && answer.status === "answered" && <p className="text-warn text-xs">{t("ask.uncited")}</p>}
          {answer.invalidMarkers > 0 && (
            <p className="text-warn text-xs">{t("ask.invalid", { count: answer.invalidMarkers })}</p>
          )}
          <FailedDocuments answer={answer} />
          <EvidenceList answer={answer} onOpen={onOpen} />
          <CoverageLine answer={answer} />
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

function Refusal({ answer }: { answer: ShownAnswer }) {
  const { t } = useTranslation();
  return (
    <div className="mt-4" data-testid="refusal">
      <div className="border-line border-l-2 pl-4">
        <p className="font-read text-[17px] leading-7">{t("ask.refusedTitle")}</p>
        <p className="text-muted">{answer.text === "" ? t("ask.refusedBody") : ""}</p>
      </div>
      {answer.nearest.length > 0 && (
        <>
          <h4 className="mt-4 mb-1 font-medium text-muted text-xs">{t("ask.nearest")}</h4>
          <PassageRows passages={answer.nearest} />
        </>
      )}
    </div>
  );
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

function CoverageLine({ answer }: { answer: ShownAnswer }) {
  const { t } = useTranslation();
  const { coverage, usage } = answer;
  if (coverage === null) {
    return null;
  }
  const read = answer.evidence.length;
  const cited = Object.keys(answer.citations).length;
  const tokens =
    usage === null || usage.calls === 0
      ? null
      : usage.input_tokens === null || usage.output_tokens === null
        ? t("ask.tokensUnknown")
        : t("ask.tokens", { input: usage.input_tokens, output: usage.output_tokens });
  const cost = [
    answer.model,
    answer.elapsedMs === null ? null : t("ask.took", { seconds: (answer.elapsedMs / 1000).toFixed(1) }),
    tokens,
  ].filter((part) => part !== null);
  return (
    <div className="text-muted text-xs" data-testid="coverage">
      <p>
        {t("evidence.coverage", {
          searched: coverage.documents_searched,
          count: coverage.documents_total,
          read,
          cited,
        })}
        <span className="ml-2">{cost.join(" · ")}</span>
      </p>
      {coverage.not_searched.length > 0 && <Skipped skipped={coverage.not_searched} />}
    </div>
  );
}

function Skipped({ skipped }: { skipped: readonly NotSearched[] }) {
  const { t } = useTranslation();
  return (
    <details>
      <summary className="text-warn">{t("evidence.notSearched", { count: skipped.length })}</summary>
      <ul className="pl-4">
        {skipped.map((document) => (
          <li key={document.document_id ?? document.title}>
            {document.title}: {document.reason}
          </li>
        ))}
      </ul>
    </details>
  );
}
