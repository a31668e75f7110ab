import { create } from "zustand";
import type { AskEvent, ScopeRequest, Strategy } from "@/ipc/bindings";
import { type Ipc, toApiError, unwrap } from "@/ipc/client";
import { type AnswerAction, answerReducer, askedAnswer, hasEnded, type LiveAnswer } from "@/lib/answer-reducer";
import { useView } from "@/state/view";

/** How a question is to be answered: what is absent is as usual. */
export interface HowToAnswer {
  strategy?: Strategy;
  /** Another model than the one that is set up. */
  model?: string | null;
}

interface LiveStore {
  live: LiveAnswer | null;
  /** The conversation that was open when the question was asked. */
  origin: string | null;
  /** Told apart by number, so that a channel of an earlier question cannot write into a later one. */
  run: number;
  ask(ipc: Ipc, question: string, scope: ScopeRequest, how?: HowToAnswer): Promise<void>;
  stop(ipc: Ipc): Promise<void>;
  dismiss(): void;
}

/** Whether a question can be asked now: one answer is made at a time. */
export function useReady(): boolean {
  return useLive((state) => state.live === null || hasEnded(state.live));
}

/** The answer being made, if any. It goes on while another conversation is looked at. */
export const useLive = create<LiveStore>()((set, get) => ({
  live: null,
  origin: null,
  run: 0,

  ask: async (ipc, question, scope, how = {}) => {
    const origin = useView.getState().conversationId;
    const run = get().run + 1;
    set({ live: askedAnswer(question), origin, run });
    const dispatch = (action: AnswerAction) =>
      set((state) => {
        if (state.run !== run || state.live === null) {
          return state;
        }
        const live = answerReducer(state.live, action);
        return live === state.live ? state : { live };
      });

    let answerId: string | null = null;
    const receive = (event: AskEvent) => {
      if (event.type === "started") {
        answerId = event.answer_id;
        const view = useView.getState();
        if (get().run === run && event.conversation_id !== null && view.conversationId === origin) {
          view.setConversation(event.conversation_id);
        }
      }
      dispatch({ type: "event", answerId, event });
    };
    try {
      const { strategy = "auto", model = null } = how;
      const request = { question, strategy, model, scope, conversation_id: origin };
      const accepted = await unwrap(ipc.commands.ask(request, ipc.askChannel(receive)));
      dispatch({ type: "accepted", answerId: accepted });
      if (get().run === run && get().live?.phase === "stopping") {
        await unwrap(ipc.commands.cancelAnswer(accepted));
      }
    } catch (thrown) {
      dispatch({ type: "rejected", error: toApiError(thrown) });
    }
  },

  stop: async (ipc) => {
    const { live } = get();
    if (live === null || hasEnded(live) || live.phase === "stopping") {
      return;
    }
    set({ live: answerReducer(live, { type: "stop_requested" }) });
    if (live.answerId !== null) {
      await unwrap(ipc.commands.cancelAnswer(live.answerId));
    }
  },

  dismiss: () => set((state) => (state.live !== null && hasEnded(state.live) ? { live: null, origin: null } : state)),
}));
