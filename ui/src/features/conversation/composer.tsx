import { ArrowUp, Square } from "lucide-react";
import { type KeyboardEvent, memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAction } from "@/lib/actions";
import { shortcutLabel } from "@/lib/keyboard";
import { useView } from "@/state/view";
import { ScopeChips } from "./scope-chips";

const tallest = 184;

interface ComposerProps {
  running: boolean;
  onAsk: (question: string) => void;
  onStop: () => void;
}

/** Where the question is typed. Keeps its words to itself, so that typing never draws the answers again. */
export const Composer = memo(function Composer({ running, onAsk, onStop }: ComposerProps) {
  const { t } = useTranslation();
  const [question, setQuestion] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  // Words that another part of the window puts here; the caret goes behind them.
  const draft = useView((state) => state.draft);
  const taken = useRef(draft.count);
  useEffect(() => {
    if (taken.current !== draft.count) {
      taken.current = draft.count;
      setQuestion(draft.text);
      requestAnimationFrame(() => {
        field.current?.focus();
        field.current?.setSelectionRange(draft.text.length, draft.text.length);
      });
    }
  }, [draft]);
  useAction(
    "focusQuestion",
    useCallback(() => {
      field.current?.focus();
      field.current?.select();
    }, []),
  );
  useLayoutEffect(() => {
    const element = field.current;
    if (element !== null && question !== null) {
      element.style.height = "auto";
      element.style.height = `${Math.min(tallest, element.scrollHeight)}px`;
    }
  }, [question]);

  const send = () => {
    const asked = question.trim();
    if (asked !== "" && !running) {
      onAsk(asked);
      setQuestion("");
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends the choice of a word in an input method; that is not ours.
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    }
  };

  return (
    <div className="before:-top-6 relative shrink-0 px-6 pt-1 pb-4 before:pointer-events-none before:absolute before:inset-x-0 before:h-6 before:bg-linear-to-t before:from-paper">
      <div className="mx-auto max-w-[660px]">
        <ScopeChips />
        <div className="group/composer flex items-end gap-2 rounded-lg border border-line bg-paper py-1.5 pr-1.5 pl-3 shadow-sm focus-within:border-accent">
          <textarea
            ref={field}
            id="question"
            rows={1}
            value={question}
            onChange={(event) => setQuestion(event.target.value)}
            onKeyDown={onKeyDown}
            aria-label={t("ask.label")}
            placeholder={t("ask.placeholder")}
            data-testid="composer"
            className="scroller min-h-8 grow resize-none self-center bg-transparent py-1 font-read text-[16px] leading-6 outline-none placeholder:text-muted"
          />
          {question === "" && !running && (
            <span aria-hidden className="self-center px-1 text-muted text-xs group-focus-within/composer:invisible">
              {shortcutLabel("focusQuestion")}
            </span>
          )}
          {running ? (
            <button
              type="button"
              onClick={onStop}
              aria-label={t("ask.stop")}
              title={`${t("ask.stop")} (${shortcutLabel("stop")})`}
              data-testid="stop"
              className="grid size-8 shrink-0 place-items-center rounded-md bg-ink text-paper hover:opacity-85"
            >
              <Square size={12} fill="currentColor" aria-hidden />
            </button>
          ) : (
            <button
              type="button"
              onClick={send}
              disabled={question.trim() === ""}
              aria-label={t("ask.send")}
              title={t("ask.send")}
              data-testid="send"
              className="grid size-8 shrink-0 place-items-center rounded-md bg-accent text-on-accent hover:brightness-110 disabled:bg-hover disabled:text-muted"
            >
              <ArrowUp size={16} aria-hidden />
            </button>
          )}
        </div>
      </div>
    </div>
  );
});
