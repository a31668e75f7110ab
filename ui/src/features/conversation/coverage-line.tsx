import { Eye } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import type { ChosenDocument, NotSearched, Usage } from "@/ipc/bindings";
import { coverageSentence } from "@/lib/answer-notes";
import { numberOf } from "@/lib/format";
import { targetOfDocument, useView } from "@/state/view";
import { isLimited } from "./scope";
import type { ShownAnswer } from "./shown-answer";
import { TraceDialog } from "./trace-dialog";

interface CoverageLineProps {
  answer: ShownAnswer;
  /** Asks the question again of these documents alone. */
  onNarrow: (documents: readonly ChosenDocument[]) => void;
  /** Asks the question again of everything. */
  onWiden: () => void;
}

/** What was searched for an answer, what it was taken to be about, and what it cost. */
export function CoverageLine({ answer, onNarrow, onWiden }: CoverageLineProps) {
  const { t } = useTranslation();
  const { coverage } = answer;
  const tokens = useTokens(answer.usage);
  if (coverage === null) {
    return null;
  }
  const cost = [
    answer.model,
    answer.elapsedMs === null ? null : t("ask.took", { seconds: numberOf(answer.elapsedMs / 1000, 1) }),
    tokens,
  ].filter((part) => part !== null);
  const limited = isLimited(answer.scope);
  return (
    <div className="space-y-2 text-muted text-xs" data-testid="coverage">
      <Understood chosen={coverage.chosen ?? []} searched={coverage.documents_searched} onNarrow={onNarrow} />
      <p>
        {coverageSentence(coverage, answer.evidence.length, Object.keys(answer.citations).length)}{" "}
        <span className="inline-block">{cost.join(" · ")}</span>
      </p>
      <SeenByModel answer={answer} />
      {limited && answer.status !== "refused" && (
        <p className="flex flex-wrap items-center gap-x-2">
          {t("evidence.limited")}
          <Button className="h-6" onClick={onWiden} data-testid="widen">
            {t("evidence.widen")}
          </Button>
        </p>
      )}
      {coverage.not_searched.length > 0 && <Skipped skipped={coverage.not_searched} />}
    </div>
  );
}

/** Shows what the model saw, where one was asked and the answer was kept. */
function SeenByModel({ answer }: { answer: ShownAnswer }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (answer.answerId === null || answer.model === null) {
    return null;
  }
  return (
    <>
      <Button kind="quiet" className="-ml-2.5 h-6" onClick={() => setOpen(true)} data-testid="open-trace">
        <Eye aria-hidden size={12} />
        {t("trace.open")}
      </Button>
      {open && <TraceDialog answer={answer} answerId={answer.answerId} onClose={() => setOpen(false)} />}
    </>
  );
}

function useTokens(usage: Usage | null): string | null {
  const { t } = useTranslation();
  if (usage === null || usage.calls === 0) {
    return null;
  }
  return usage.input_tokens === null || usage.output_tokens === null
    ? t("ask.tokensUnknown")
    : t("ask.tokens", { input: numberOf(usage.input_tokens), output: numberOf(usage.output_tokens) });
}

interface UnderstoodProps {
  chosen: readonly ChosenDocument[];
  searched: number;
  onNarrow: (documents: readonly ChosenDocument[]) => void;
}

/** The documents the question was understood to be about, each with the words of the question that say so. */
function Understood({ chosen, searched, onNarrow }: UnderstoodProps) {
  const { t } = useTranslation();
  const open = useView((state) => state.open);
  if (chosen.length === 0) {
    return null;
  }
  return (
    <section aria-label={t("evidence.understood")} data-testid="understood">
      <div className="flex flex-wrap items-center gap-x-2">
        <p>{t("evidence.understood")}</p>
        {chosen.length < searched && (
          <Button className="h-6" onClick={() => onNarrow(chosen)} data-testid="narrow">
            {t("evidence.narrow", { count: chosen.length })}
          </Button>
        )}
      </div>
      <ul>
        {chosen.map((document) => (
          <li
            key={`${document.collection}/${document.document_id}`}
            className="group flex min-h-6 flex-wrap items-center gap-x-2"
          >
            <button
              type="button"
              className="max-w-full truncate rounded text-ink underline decoration-line underline-offset-2 hover:decoration-current"
              onClick={() => open(targetOfDocument({ ...document, documentId: document.document_id }))}
            >
              {document.title}
            </button>
            <span>{document.reasons.map((reason) => t("evidence.reason", { reason })).join(" ")}</span>
            {chosen.length > 1 && (
              <Button
                kind="quiet"
                className="h-6 opacity-0 focus-visible:opacity-100 group-hover:opacity-100"
                onClick={() => onNarrow([document])}
              >
                {t("evidence.onlyThis")}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Skipped({ skipped }: { skipped: readonly NotSearched[] }) {
  const { t } = useTranslation();
  return (
    <details>
      <summary className="text-warn">{t("evidence.notSearched", { count: skipped.length })}</summary>
      <ul className="mt-1 space-y-0.5 pl-4">
        {skipped.map((document) => (
          <li key={document.document_id ?? document.title}>
            {document.title}: {document.reason}
          </li>
        ))}
      </ul>
    </details>
  );
}
