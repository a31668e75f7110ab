import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "@/components/notice";
import type { ListedDocument, ScopeRequest } from "@/ipc/bindings";
import { sayError } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { conversationQuery, useConversations, useDocuments } from "@/ipc/queries";
import { useAction } from "@/lib/actions";
import { hasEnded } from "@/lib/answer-reducer";
import { useView } from "@/state/view";
import { AnswerView } from "./answer-view";
import { Composer } from "./composer";
import { ConversationMenu } from "./conversation-menu";
import { useCopyKeys } from "./copy-answer";
import { type HowToAnswer, useLive } from "./live-answer";
import { scopeRequest } from "./scope";
import { citationsInOrder, type ShownAnswer, showLive, showStored } from "./shown-answer";
import { Welcome } from "./welcome";

/** The stored answers of the open conversation, and the one being made. */
function useShownAnswers(): { answers: ShownAnswer[]; error: unknown; reload: () => void } {
  const ipc = useIpc();
  const conversationId = useView((state) => state.conversationId);
  const { live, origin, run } = useLive();
  const isHere = live !== null && conversationId === (live.conversationId ?? origin);
  const liveId = isHere ? live.answerId : null;
  // A conversation is stored with its first answer: until that has ended there is nothing to read.
  const begun = isHere && origin === null && !hasEnded(live);
  const stored = useQuery({
    ...conversationQuery(ipc, conversationId ?? ""),
    enabled: conversationId !== null && !begun,
  });
  // Stored answers keep their identity while another one is being written, so that they are not drawn again.
  const kept = useMemo(
    () =>
      (conversationId === null ? [] : (stored.data?.answers ?? []))
        .filter((answer) => answer.answer_id === null || answer.answer_id !== liveId)
        .map((answer, at) => showStored(answer, answer.answer_id ?? `${conversationId}#${at}`)),
    [conversationId, stored.data, liveId],
  );
  const answers = useMemo(
    () => (isHere ? [...kept, showLive(live, live.answerId ?? `run-${run}`)] : kept),
    [kept, isHere, live, run],
  );
  return { answers, error: stored.error, reload: () => void stored.refetch() };
}

/** Opens the conversation that was last added to, once, when the window starts. */
function useReopenLast(): void {
  const conversations = useConversations().data;
  const setConversation = useView((state) => state.setConversation);
  const done = useRef(false);
  useEffect(() => {
    if (done.current || conversations === undefined) {
      return;
    }
    done.current = true;
    const last = conversations[0];
    if (last !== undefined && useView.getState().conversationId === null && useLive.getState().live === null) {
      setConversation(last.conversation_id);
    }
  }, [conversations, setConversation]);
}

const noDocuments: readonly ListedDocument[] = [];

interface ConversationPaneProps {
  /** Shown while the library holds nothing. */
  whenEmpty: ReactNode;
  /** Shown while nothing in it can be asked yet. */
  whenReading: ReactNode;
}

/** Questions and answers, and the box for the next question. */
export function ConversationPane({ whenEmpty, whenReading }: ConversationPaneProps) {
  const { t } = useTranslation();
  const ipc = useIpc();
  useReopenLast();
  const { answers, error, reload } = useShownAnswers();
  const live = useLive((state) => state.live);
  const running = live !== null && !hasEnded(live);
  const setWalk = useView((state) => state.setWalk);
  const known = useDocuments(null).data ?? noDocuments;

  const ask = useCallback(
    (question: string) => {
      const { scopeCollections, scopeDocuments, scopeTags, scopeKind, scopeAdded } = useView.getState();
      const conditions = { kind: scopeKind, added: scopeAdded, now: new Date() };
      const scope = scopeRequest(scopeCollections, scopeDocuments, known, scopeTags, conditions);
      void useLive.getState().ask(ipc, question, scope);
    },
    [ipc, known],
  );
  const askAgain = useCallback(
    (question: string, scope: ScopeRequest, how?: HowToAnswer) =>
      void useLive.getState().ask(ipc, question, scope, how),
    [ipc],
  );
  const stop = useCallback(() => void useLive.getState().stop(ipc), [ipc]);
  useAction("stop", stop);

  const latest = answers.at(-1);
  useCopyKeys(latest);
  useEffect(() => {
    setWalk(latest === undefined ? null : { answerKey: latest.key, citations: citationsInOrder(latest) });
  }, [latest, setWalk]);

  return (
    <div className="relative flex h-full min-h-0 flex-col bg-paper">
      <ConversationMenu answers={answers} />
      <Transcript answers={answers} running={running}>
        {error !== null && <Notice title={t("history.cannotOpen")} message={sayError(error)} onRetry={reload} />}
        {answers.length === 0 && error === null && (
          <Welcome onAsk={ask} whenEmpty={whenEmpty} whenReading={whenReading} />
        )}
        {answers.map((answer) => (
          <AnswerView key={answer.key} answer={answer} onAsk={askAgain} />
        ))}
      </Transcript>
      <Announcer latest={latest} />
      <Composer running={running} onAsk={ask} onStop={stop} />
    </div>
  );
}

interface TranscriptProps {
  answers: readonly ShownAnswer[];
  running: boolean;
  children: ReactNode;
}

/** How near to the end the reader must be for new text to keep scrolling. */
const followDistance = 48;

function Transcript({ answers, running, children }: TranscriptProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const count = answers.length;
  const length = answers.at(-1)?.text.length ?? 0;
  const conversation = answers[0]?.key;
  // What was verified and searched appears below the text when it has ended.
  const ended = answers.at(-1)?.status;

  useLayoutEffect(() => {
    // A new question is always followed; afterwards only while the reader stays at the end.
    if (count > 0 && conversation !== undefined) {
      following.current = true;
    }
  }, [count, conversation]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null && following.current && length >= 0 && count > 0 && ended !== undefined) {
      element.scrollTop = element.scrollHeight;
    }
  }, [length, count, ended]);

  return (
    <div
      ref={scroller}
      role="log"
      aria-live="off"
      aria-label={t("ask.transcript")}
      aria-busy={running}
      data-testid="transcript"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
      tabIndex={0}
      className="scroller min-h-0 grow overflow-y-auto px-6 outline-offset-[-2px]"
      onScroll={(event) => {
        const element = event.currentTarget;
        following.current = element.scrollHeight - element.scrollTop - element.clientHeight < followDistance;
      }}
    >
      <div className="mx-auto max-w-[660px] pb-8">{children}</div>
    </div>
  );
}

/** The one place that speaks: where an answer begins and ends, never its text. */
function Announcer({ latest }: { latest: ShownAnswer | undefined }) {
  const { t } = useTranslation();
  const started = useRef(false);
  const running = latest?.status === "running" || latest?.status === "stopping";
  if (running) {
    started.current = true;
  }
  let said = "";
  if (latest !== undefined && started.current) {
    switch (latest.status) {
      case "running":
      case "stopping":
        said = t("ask.announceAsking");
        break;
      case "answered":
        said = t("ask.announceReady", { count: Object.keys(latest.citations).length });
        break;
      case "refused":
        said = t("ask.announceRefused");
        break;
      case "failed":
        said = t("ask.announceFailed");
        break;
      case "cancelled":
        said = t("ask.announceStopped");
        break;
    }
  }
  return (
    <p aria-live="polite" className="sr-only" data-testid="announcer">
      {said}
    </p>
  );
}
