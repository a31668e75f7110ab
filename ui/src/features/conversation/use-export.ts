import { useMutation } from "@tanstack/react-query";
import { unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { toBase64 } from "@/lib/base64";
import { conversationAsHtml, conversationAsMarkdown, fileNameFor } from "@/lib/export-conversation";
import { picturesOf } from "./export-pictures";
import { quotable } from "./quotable";
import type { ShownAnswer } from "./shown-answer";

/** What an export can be. */
export type ExportKind = "md" | "html" | "docx";

/** Saves answers as a file, under `title`, where the person chooses to. */
export function useExport(title: string, answers: readonly ShownAnswer[]) {
  const ipc = useIpc();
  const { commands } = ipc;
  return useMutation({
    mutationFn: async (kind: ExportKind): Promise<boolean> => {
      const parts = quotable(answers);
      const name = fileNameFor(title, kind);
      if (kind === "md") {
        return unwrap(commands.saveTextFile(name, conversationAsMarkdown(title, parts)));
      }
      const pictures = await picturesOf(ipc, parts);
      // What makes these two is only needed here, and not small.
      if (kind === "html") {
        const { answerHtml } = await import("./answer-html");
        return unwrap(commands.saveTextFile(name, conversationAsHtml(title, parts, answerHtml, pictures)));
      }
      const { conversationAsDocx } = await import("@/lib/docx/conversation");
      const bytes = conversationAsDocx(title, parts, pictures, new Date());
      return unwrap(commands.saveFile(name, toBase64(bytes)));
    },
  });
}
