import { Menu } from "@base-ui/react/menu";
import { Check, Copy, FileDown } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { sayError } from "@/ipc/client";
import { useAction } from "@/lib/actions";
import { copyText } from "@/lib/clipboard";
import { answerAsText } from "@/lib/export-conversation";
import { shortcutLabel } from "@/lib/keyboard";
import { ExportEntries } from "./export-entries";
import { quotableOf } from "./quotable";
import type { ShownAnswer } from "./shown-answer";
import { useExport } from "./use-export";

/** How long a button says that it has copied. */
const saidMs = 2_000;

/** Copies an answer with what its numbers stand for. */
export function CopyAnswer({ answer }: { answer: ShownAnswer }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState<"plain" | "quotes" | null>(null);
  const copy = async (how: "plain" | "quotes") => {
    if (await copyText(answerAsText(quotableOf(answer), how === "quotes"))) {
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
      <ExportAnswer answer={answer} />
    </div>
  );
}

/** Saves this answer alone. */
function ExportAnswer({ answer }: { answer: ShownAnswer }) {
  const { t } = useTranslation();
  const answers = useMemo(() => [answer], [answer]);
  const save = useExport(answer.question, answers);
  return (
    <>
      <Menu.Root>
        <Menu.Trigger
          render={
            <Button kind="quiet" disabled={save.isPending} data-testid="export-answer">
              <FileDown aria-hidden size={12} />
              {save.isPending ? t("export.preparing") : t("export.saveAnswer")}
            </Button>
          }
        />
        <Menu.Portal>
          <Menu.Positioner align="start" sideOffset={4} className="z-40">
            <Menu.Popup className="min-w-48 rounded-md border border-line bg-paper p-1 shadow-xl outline-none">
              <ExportEntries onExport={save.mutate} />
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {save.isError && (
        <span role="alert" className="self-center text-warn text-xs">
          {sayError(save.error)}
        </span>
      )}
    </>
  );
}

/** The keys copy the newest answer. */
export function useCopyKeys(latest: ShownAnswer | undefined): void {
  const copy = useCallback(
    (withQuotes: boolean) => {
      if (latest !== undefined && latest.text !== "") {
        void copyText(answerAsText(quotableOf(latest), withQuotes));
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
