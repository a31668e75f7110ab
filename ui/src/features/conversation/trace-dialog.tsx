import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "@/components/copy-button";
import { FoundText } from "@/components/found-text";
import { Notice } from "@/components/notice";
import { SheetDialog } from "@/components/sheet-dialog";
import type { AnswerTrace, TracedCall } from "@/ipc/bindings";
import { sayError } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { traceQuery } from "@/ipc/queries";
import { explainedError } from "@/lib/explained";
import { numberOf } from "@/lib/format";
import { countIn, stepsOf, type TraceStep, textsOf, traceAsText } from "@/lib/trace-text";
import { citationsInOrder, type ShownAnswer } from "./shown-answer";

interface TraceDialogProps {
  answer: ShownAnswer;
  answerId: string;
  onClose: () => void;
}

/** What the model saw and said while an answer was made: prompts as they were sent, step by step. */
export function TraceDialog({ answer, answerId, onClose }: TraceDialogProps) {
  const { t } = useTranslation();
  const ipc = useIpc();
  const trace = useQuery(traceQuery(ipc, answerId));
  return (
    <SheetDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("trace.title")}
      testId="trace"
      size="top-[6vh] max-h-[88vh] w-[820px]"
    >
      {trace.isPending && <p className="mt-3 text-muted">{t("app.loading")}</p>}
      {trace.isError && (
        <div className="mt-3">
          <Notice title={t("trace.failed")} message={sayError(trace.error)} onRetry={() => void trace.refetch()} />
        </div>
      )}
      {trace.data !== undefined && <Trace trace={trace.data} answer={answer} />}
    </SheetDialog>
  );
}

function Trace({ trace, answer }: { trace: AnswerTrace; answer: ShownAnswer }) {
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  const steps = stepsOf(trace);
  const found = countIn([...trace.calls.flatMap(textsOf), ...trace.decisions.map((decision) => decision.what)], words);
  return (
    <>
      <p className="mt-1 select-text text-muted">{trace.question}</p>
      <Facts trace={trace} answer={answer} />
      <div className="sticky top-0 z-10 -mx-5 mt-3 flex items-center gap-2 border-line border-b bg-paper px-5 py-2">
        <div className="relative min-w-0 grow">
          <Search aria-hidden size={13} className="absolute top-[7px] left-2 text-muted" />
          <input
            type="search"
            value={words}
            onChange={(event) => setWords(event.target.value)}
            placeholder={t("trace.search")}
            aria-label={t("trace.search")}
            className="h-7 w-full rounded border border-line bg-paper pr-2 pl-7 text-xs placeholder:text-muted"
          />
        </div>
        <span role="status" className="shrink-0 text-muted text-xs tabular-nums">
          {words.trim() !== "" && t("trace.found", { count: found })}
        </span>
        <CopyButton text={traceAsText(trace)} />
      </div>
      {steps.length === 0 && <p className="mt-3 text-muted">{t("trace.none")}</p>}
      {steps.map((step) => (
        <Step key={step.stage} step={step} words={words} titleOf={(id) => titleOf(answer, id)} />
      ))}
    </>
  );
}

/** The title of a document among those of the answer; its id where it is none of them. */
function titleOf(answer: ShownAnswer, documentId: string): string {
  const cited = citationsInOrder(answer).find((citation) => citation.document_id === documentId);
  const read = answer.evidence.find((evidence) => evidence.document_id === documentId);
  return cited?.title ?? read?.title ?? documentId;
}

function Facts({ trace, answer }: { trace: AnswerTrace; answer: ShownAnswer }) {
  const { t } = useTranslation();
  const sum = (of: (call: TracedCall) => number | null) =>
    trace.calls.reduce<number | null>((total, call) => {
      const tokens = of(call);
      return total === null || tokens === null ? null : total + tokens;
    }, 0);
  const input = sum((call) => call.usage.input_tokens);
  const output = sum((call) => call.usage.output_tokens);
  const facts = [
    answer.model,
    t(`trace.strategies.${trace.strategy}`),
    t("trace.calls", { count: trace.calls.length }),
    input === null || output === null
      ? t("ask.tokensUnknown")
      : t("ask.tokens", { input: numberOf(input), output: numberOf(output) }),
    answer.elapsedMs === null ? null : t("ask.took", { seconds: numberOf(answer.elapsedMs / 1000, 1) }),
    t("trace.passages", { count: answer.evidence.length }),
  ];
  return <p className="mt-1 text-xs tabular-nums">{facts.filter((fact) => fact !== null).join(" · ")}</p>;
}

interface StepProps {
  step: TraceStep;
  words: string;
  titleOf: (documentId: string) => string;
}

function Step({ step, words, titleOf }: StepProps) {
  const { t } = useTranslation();
  return (
    <section aria-label={stageName(step.stage, t)} className="mt-4" data-testid="trace-step">
      <h3 className="font-semibold text-2xs text-muted uppercase tracking-wider">{stageName(step.stage, t)}</h3>
      {step.calls.map((call, at) => (
        <Call
          // biome-ignore lint/suspicious/noArrayIndexKey: what is stored is never reordered
          key={at}
          call={call}
          title={call.document_id === null ? null : titleOf(call.document_id)}
          words={words}
          openAtFirst={step.calls.length === 1}
        />
      ))}
      {step.decisions.length > 0 && (
        <ul className="mt-2 space-y-0.5 text-xs">
          {step.decisions.map((decision, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what is stored is never reordered
            <li key={at} className="select-text">
              {decision.document_id !== null && <span className="text-muted">{titleOf(decision.document_id)}: </span>}
              <FoundText text={decision.what} words={words} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface CallProps {
  call: TracedCall;
  title: string | null;
  words: string;
  openAtFirst: boolean;
}

/** One call of a model: what was sent, and what came back. */
function Call({ call, title, words, openAtFirst }: CallProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(openAtFirst);
  const found = countIn(textsOf(call), words);
  const searching = words.trim() !== "";
  const { input_tokens: input, output_tokens: output } = call.usage;
  const facts = [
    call.model,
    title,
    input === null || output === null ? null : t("ask.tokens", { input: numberOf(input), output: numberOf(output) }),
    searching ? t("trace.found", { count: found }) : null,
  ].filter((fact) => fact !== null);
  const reply = [call.reply, ...call.tool_calls].filter((text) => text !== "").join("\n");
  return (
    <details
      // What is searched for is shown wherever it is.
      open={searching ? found > 0 : opened}
      onToggle={(event) => !searching && setOpened(event.currentTarget.open)}
      className="mt-2 rounded-md border border-line"
      data-testid="trace-call"
    >
      <summary className="px-3 py-1.5 text-xs tabular-nums">
        {facts.join(" · ")}
        {!call.complete && <span className="ml-2 text-warn">{t("trace.incomplete")}</span>}
      </summary>
      <div className="space-y-3 border-line border-t px-3 py-2">
        {call.messages.map((message, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what is stored is never reordered
          <Sent key={at} heading={roleName(message.role, t)} text={message.content} words={words} />
        ))}
        {call.schema !== null && <Sent heading={t("trace.schema")} text={call.schema} words={words} />}
        {call.tools.length > 0 && <Sent heading={t("trace.tools")} text={call.tools.join("\n")} words={words} />}
        {reply !== "" && <Sent heading={t("trace.reply")} text={reply} words={words} marked />}
        {call.error !== null && <p className="text-warn text-xs">{explainedError(call.error)}</p>}
      </div>
    </details>
  );
}

type Translate = ReturnType<typeof useTranslation>["t"];

function stageName(stage: string, t: Translate): string {
  switch (stage) {
    case "search":
    case "navigate":
    case "outline":
    case "judge":
    case "read":
    case "generate":
    case "verify":
      return t(`trace.stages.${stage}`);
    default:
      return stage;
  }
}

function roleName(role: string, t: Translate): string {
  switch (role) {
    case "system":
    case "user":
    case "assistant":
    case "tool":
      return t(`trace.roles.${role}`);
    default:
      return role;
  }
}

interface SentProps {
  heading: string;
  text: string;
  words: string;
  /** What came back, told apart from what was sent. */
  marked?: boolean;
}

/** A text as it was sent or came back, in its own line breaks. */
function Sent({ heading, text, words, marked = false }: SentProps): ReactNode {
  return (
    <div>
      <div className="flex items-center">
        <h4 className="grow font-medium text-muted text-xs">{heading}</h4>
        <CopyButton text={text} className="size-6" />
      </div>
      <pre
        className={`scroller max-h-[50vh] select-text overflow-auto whitespace-pre-wrap break-words rounded bg-chrome px-2.5 py-2 font-mono text-2xs leading-[18px] ${marked ? "border-accent border-l-2" : ""}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        tabIndex={0}
      >
        <FoundText text={text} words={words} />
      </pre>
    </div>
  );
}
