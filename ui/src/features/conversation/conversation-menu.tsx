import { Menu } from "@base-ui/react/menu";
import { useMutation } from "@tanstack/react-query";
import { Check, Ellipsis } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/button";
import { MenuEntry } from "@/components/menu-entry";
import { toApiError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { copyText } from "@/lib/clipboard";
import { conversationAsHtml, conversationAsMarkdown, fileNameFor } from "@/lib/export-conversation";
import type { Quotable } from "@/lib/references";
import { citationsInOrder, type ShownAnswer } from "./shown-answer";

/** How long the menu says that something was copied. */
const saidMs = 2_000;

/** The answers as they are handed on; those on their way or without a word are left out. */
export function quotable(answers: readonly ShownAnswer[]): Quotable[] {
  return answers
    .filter((answer) => answer.text !== "" && answer.status !== "running" && answer.status !== "stopping")
    .map((answer) => ({ question: answer.question, text: answer.text, citations: citationsInOrder(answer) }));
}

/** What can be done with a whole conversation. */
export function ConversationMenu({ answers }: { answers: readonly ShownAnswer[] }) {
  const { t } = useTranslation();
  const { commands } = useIpc();
  const [copied, setCopied] = useState(false);
  const save = useMutation({
    mutationFn: async (kind: "md" | "html") => {
      const content = kind === "md" ? conversationAsMarkdown(title, parts) : await asHtml();
      return unwrap(commands.saveTextFile(fileNameFor(title, kind), content));
    },
  });
  const parts = quotable(answers);
  const title = answers[0]?.question ?? "";
  if (parts.length === 0) {
    return null;
  }
  const copy = async () => {
    if (await copyText(conversationAsMarkdown(title, parts))) {
      setCopied(true);
      setTimeout(() => setCopied(false), saidMs);
    }
  };
  const asHtml = async () => {
    // Only needed here, and not small.
    const { answerHtml } = await import("./answer-html");
    return conversationAsHtml(title, parts, answerHtml);
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
      </span>
      {save.isError && (
        <span role="alert" className="text-warn text-xs">
          {toApiError(save.error).message}
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
              <MenuEntry onClick={() => save.mutate("md")}>{t("export.saveMarkdown")}</MenuEntry>
              <MenuEntry onClick={() => save.mutate("html")}>{t("export.saveHtml")}</MenuEntry>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </div>
  );
}
