import { useMutation } from "@tanstack/react-query";
import { Search, SquarePen } from "lucide-react";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/button";
import { Notice } from "@/components/notice";
import type { ConversationSummary } from "@/ipc/bindings";
import { sayError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { useConversations, useFoundConversations } from "@/ipc/queries";
import { useAction } from "@/lib/actions";
import { dayKey } from "@/lib/days";
import { shortcutLabel } from "@/lib/keyboard";
import { fitOf } from "@/lib/matching";
import { useUndo } from "@/state/undo";
import { useView } from "@/state/view";
import { HistoryItem } from "./history-item";
import { useLive } from "./live-answer";

/** Fewer than this are seen at a glance. */
const worthFiltering = 5;

/** Earlier conversations, newest day first. */
export function HistoryPanel() {
  const { t, i18n } = useTranslation();
  const { commands } = useIpc();
  const conversations = useConversations();
  const current = useView((state) => state.conversationId);
  const setConversation = useView((state) => state.setConversation);
  const dismiss = useLive((state) => state.dismiss);
  const offer = useUndo((state) => state.offer);
  const begin = useCallback(() => {
    dismiss();
    setConversation(null);
    document.getElementById("question")?.focus();
  }, [dismiss, setConversation]);
  useAction("newConversation", begin);
  const remove = useMutation({
    mutationFn: ({ conversation_id: id }: ConversationSummary) => unwrap(commands.deleteConversation(id)),
    onSuccess: (_, { conversation_id: id, title }) => {
      const wasOpen = useView.getState().conversationId === id;
      if (wasOpen) {
        begin();
      }
      offer({
        kind: "conversations",
        titles: [title],
        restore: async () => {
          await unwrap(commands.restoreConversation(id));
          if (wasOpen) {
            setConversation(id);
          }
        },
      });
    },
  });
  const [filter, setFilter] = useState("");
  const all = conversations.data ?? [];
  const found = useFoundConversations(filter);
  const said = new Set(found.data?.map(({ conversation_id: id }) => id));
  const list = all.filter(({ title, conversation_id: id }) => fitOf(title, filter) !== null || said.has(id));
  const today = new Date();

  const dayName = (key: string): string => {
    if (key === dayKey(today)) {
      return t("history.today");
    }
    const yesterday = new Date(today);
    yesterday.setDate(today.getDate() - 1);
    return key === dayKey(yesterday)
      ? t("history.yesterday")
      : new Date(`${key}T12:00:00`).toLocaleDateString(i18n.language, { dateStyle: "medium" });
  };

  return (
    <section
      aria-label={t("history.title")}
      className="flex max-h-[36%] min-h-24 shrink-0 flex-col border-line border-t"
    >
      <div className="flex items-center gap-1 px-3 pt-2 pb-1">
        <h2 className="grow truncate font-semibold text-2xs text-muted uppercase tracking-wider">
          {t("history.title")}
        </h2>
        <IconButton
          label={`${t("history.new")} (${shortcutLabel("newConversation")})`}
          onClick={begin}
          data-testid="new-conversation"
        >
          <SquarePen size={14} />
        </IconButton>
      </div>
      {conversations.isError && (
        <div className="px-3 pb-2">
          <Notice
            title={t("history.cannotOpen")}
            message={sayError(conversations.error)}
            onRetry={() => void conversations.refetch()}
          />
        </div>
      )}
      {remove.isError && <p className="px-3 text-warn text-xs">{sayError(remove.error)}</p>}
      {conversations.data?.length === 0 && <p className="px-3 pb-3 text-muted text-xs">{t("history.none")}</p>}
      {all.length >= worthFiltering && (
        <div className="relative mx-3 mb-1 shrink-0">
          <Search aria-hidden size={13} className="absolute top-[7px] left-2 text-muted" />
          <input
            type="search"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            placeholder={t("history.search")}
            aria-label={t("history.search")}
            className="h-7 w-full rounded border border-line bg-paper pr-2 pl-7 text-xs placeholder:text-muted"
          />
        </div>
      )}
      {all.length > 0 && list.length === 0 && (
        <p className="px-3 pb-2 text-muted text-xs">{t("history.noMatch", { words: filter.trim() })}</p>
      )}
      <ul className="scroller min-h-0 overflow-y-auto px-1.5 pb-2" data-testid="history">
        {list.map((conversation, at) => {
          const day = dayKey(new Date(conversation.updated_at));
          const before = list[at - 1];
          const begins = before === undefined || dayKey(new Date(before.updated_at)) !== day;
          return (
            <li key={conversation.conversation_id}>
              {begins && <p className="px-1.5 pt-1 pb-0.5 text-2xs text-muted">{dayName(day)}</p>}
              <HistoryItem
                conversation={conversation}
                current={conversation.conversation_id === current}
                onOpen={() => setConversation(conversation.conversation_id)}
                onDelete={() => remove.mutate(conversation)}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
