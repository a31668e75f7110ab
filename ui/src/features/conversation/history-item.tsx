import { useMutation } from "@tanstack/react-query";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/button";
import type { ConversationSummary } from "@/ipc/bindings";
import { sayError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";

/** As long as the engine keeps a title. */
const longestTitle = 120;

interface HistoryItemProps {
  conversation: ConversationSummary;
  current: boolean;
  onOpen: () => void;
  onDelete: () => void;
}

/** A conversation of the history: opened, renamed or deleted. */
export function HistoryItem({ conversation, current, onOpen, onDelete }: HistoryItemProps) {
  const { t } = useTranslation();
  const { title, conversation_id: id, answers } = conversation;
  const [renaming, setRenaming] = useState(false);
  if (renaming) {
    return <Rename conversation={conversation} onDone={() => setRenaming(false)} />;
  }
  return (
    <div className={`group flex h-7 items-center rounded px-1.5 hover:bg-hover ${current ? "bg-hover" : ""}`}>
      <button
        type="button"
        aria-current={current}
        className="min-w-0 grow truncate text-left aria-[current=true]:font-medium"
        title={`${title} · ${t("history.answers", { count: answers })}`}
        onClick={onOpen}
        onDoubleClick={() => setRenaming(true)}
        data-testid="history-item"
        data-conversation-id={id}
      >
        {title}
      </button>
      <IconButton label={t("history.rename", { title })} onClick={() => setRenaming(true)} className="reveal">
        <Pencil size={13} />
      </IconButton>
      <IconButton label={t("history.delete", { title })} onClick={onDelete} className="reveal">
        <Trash2 size={13} />
      </IconButton>
    </div>
  );
}

/** The title as a field: Enter or leaving it keeps what was typed, Escape does not. */
function Rename({ conversation, onDone }: { conversation: ConversationSummary; onDone: () => void }) {
  const { t } = useTranslation();
  const { commands } = useIpc();
  const [title, setTitle] = useState(conversation.title);
  const rename = useMutation({
    mutationFn: (wanted: string) => unwrap(commands.renameConversation(conversation.conversation_id, wanted)),
    onSuccess: onDone,
  });
  const finish = () => {
    const wanted = title.trim();
    if (wanted === "" || wanted === conversation.title) {
      onDone();
    } else if (!rename.isPending) {
      rename.mutate(wanted);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        finish();
      }}
      className="px-1.5"
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the field appears because the person asked for it
        autoFocus
        value={title}
        maxLength={longestTitle}
        onChange={(event) => setTitle(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.preventDefault();
            onDone();
          }
        }}
        aria-label={t("history.renameField")}
        aria-invalid={rename.isError}
        className="h-7 w-full rounded border border-line bg-paper px-1.5 text-xs"
      />
      {rename.isError && (
        <p role="alert" className="text-warn text-xs">
          {sayError(rename.error)}
        </p>
      )}
    </form>
  );
}
