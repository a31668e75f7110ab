import { Menu } from "@base-ui/react/menu";
import { Check, Ellipsis } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/button";
import { MenuEntry } from "@/components/menu-entry";
import { sayError } from "@/ipc/client";
import { useConversations } from "@/ipc/queries";
import { copyText } from "@/lib/clipboard";
import { conversationAsMarkdown } from "@/lib/export-conversation";
import { useView } from "@/state/view";
import { ExportEntries } from "./export-entries";
import { quotable } from "./quotable";
import type { ShownAnswer } from "./shown-answer";
import { useExport } from "./use-export";

/** How long the menu says that something was copied. */
const saidMs = 2_000;

/** What can be done with a whole conversation. */
export function ConversationMenu({ answers }: { answers: readonly ShownAnswer[] }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const parts = quotable(answers);
  const title = useTitle() ?? answers[0]?.question ?? "";
  const save = useExport(title, answers);
  if (parts.length === 0) {
    return null;
  }
  const copy = async () => {
    if (await copyText(conversationAsMarkdown(title, parts))) {
      setCopied(true);
      setTimeout(() => setCopied(false), saidMs);
    }
  };
  return (
    <div className="absolute top-2 right-3 z-[5] flex items-center gap-1">
      <span role="status" className="flex items-center gap-1 text-muted text-xs">
        {copied && (
          <>
            <Check aria-hidden size={12} />
            {t("app.copied")}
          </>
        )}
        {save.isPending && t("export.preparing")}
      </span>
      {save.isError && (
        <span role="alert" className="text-warn text-xs">
          {sayError(save.error)}
        </span>
      )}
      <Menu.Root>
        <Menu.Trigger
          render={
            <IconButton label={t("export.menu")} className="bg-paper" data-testid="conversation-menu">
              <Ellipsis size={16} />
            </IconButton>
          }
        />
        <Menu.Portal>
          <Menu.Positioner align="end" sideOffset={4} className="z-40">
            <Menu.Popup className="min-w-48 rounded-md border border-line bg-paper p-1 shadow-xl outline-none">
              <MenuEntry onClick={() => void copy()}>{t("export.copyMarkdown")}</MenuEntry>
              <ExportEntries onExport={save.mutate} />
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </div>
  );
}

/** The title of the open conversation, as it is listed. */
function useTitle(): string | null {
  const open = useView((state) => state.conversationId);
  const known = useConversations().data?.find((conversation) => conversation.conversation_id === open);
  return known?.title ?? null;
}
