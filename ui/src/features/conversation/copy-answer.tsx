import { Check, Copy } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { useAction } from "@/lib/actions";
import { copyText } from "@/lib/clipboard";
import { answerAsText } from "@/lib/export-conversation";
import { shortcutLabel } from "@/lib/keyboard";
import { citationsInOrder, type ShownAnswer } from "./shown-answer";

/** How long a button says that it has copied. */
const saidMs = 2_000;

/** Copies an answer with what its numbers stand for. */
export function CopyAnswer({ answer }: { answer: ShownAnswer }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState<"plain" | "quotes" | null>(null);
  const copy = async (how: "plain" | "quotes") => {
    const part = { question: answer.question, text: answer.text, citations: citationsInOrder(answer) };
    if (await copyText(answerAsText(part, how === "quotes"))) {
      setCopied(how);
    }
  };
  useEffect(() => {
    if (copied === null) {
      return undefined;
    }
    const timer = setTimeout(() => setCopied(null), saidMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const glyph = (how: "plain" | "quotes") =>
    copied === how ? <Check aria-hidden size={12} /> : <Copy aria-hidden size={12} />;
  return (
    <div className="-ml-2.5 flex flex-wrap gap-1">
      <Button kind="quiet" onClick={() => void copy("plain")} title={shortcutLabel("copyAnswer")}>
        {glyph("plain")}
        {copied === "plain" ? t("app.copied") : t("export.copyAnswer")}
      </Button>
      {Object.keys(answer.citations).length > 0 && (
        <Button kind="quiet" onClick={() => void copy("quotes")} title={shortcutLabel("copyAnswerQuotes")}>
          {glyph("quotes")}
          {copied === "quotes" ? t("app.copied") : t("export.copyAnswerQuotes")}
        </Button>
      )}
    </div>
  );
}

/** The keys copy the newest answer. */
export function useCopyKeys(latest: ShownAnswer | undefined): void {
  const copy = useCallback(
    (withQuotes: boolean) => {
      if (latest !== undefined && latest.text !== "") {
        const part = { question: latest.question, text: latest.text, citations: citationsInOrder(latest) };
        void copyText(answerAsText(part, withQuotes));
      }
    },
    [latest],
  );
  useAction(
    "copyAnswer",
    useCallback(() => copy(false), [copy]),
  );
  useAction(
    "copyAnswerQuotes",
    useCallback(() => copy(true), [copy]),
  );
}
