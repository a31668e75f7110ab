import { Pencil } from "lucide-react";
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "@/components/button";
import { useReady } from "./live-answer";

interface QuestionProps {
  question: string;
  editing: boolean;
  onEdit: (editing: boolean) => void;
  onAsk: (question: string) => void;
  /** What else can be done with it. */
  children?: ReactNode;
}

/** A question over its answer. Changed, it is asked again as the next one; the answer to the old one stays. */
export function Question({ question, editing, onEdit, onAsk, children }: QuestionProps) {
  const { t } = useTranslation();
  const editable = useReady();
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(editing);
  useEffect(() => {
    if (wasEditing.current && !editing) {
      button.current?.focus({ preventScroll: true });
    }
    wasEditing.current = editing;
  }, [editing]);
  if (editing) {
    return (
      <QuestionEditor
        question={question}
        onCancel={() => onEdit(false)}
        onAsk={(changed) => {
          onEdit(false);
          onAsk(changed);
        }}
      />
    );
  }
  return (
    <div className="group flex items-start gap-1">
      <h3 className="min-w-0 grow whitespace-pre-line font-read font-semibold text-[20px] leading-7">{question}</h3>
      {editable && (
        <div className="flex shrink-0 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-[[data-popup-open]]:opacity-100">
          <IconButton ref={button} label={t("ask.edit")} onClick={() => onEdit(true)} data-testid="edit-question">
            <Pencil size={14} />
          </IconButton>
          {children}
        </div>
      )}
    </div>
  );
}

interface QuestionEditorProps {
  question: string;
  onCancel: () => void;
  onAsk: (question: string) => void;
}

function QuestionEditor({ question, onCancel, onAsk }: QuestionEditorProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState(question);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(question.length, question.length);
  }, [question]);
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (words.trim() !== "") {
      onAsk(words.trim());
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      submit(event);
    } else if (event.key === "Escape") {
      event.preventDefault();
      onCancel();
    }
  };
  return (
    <form onSubmit={submit} data-testid="question-editor">
      <textarea
        ref={field}
        rows={Math.min(6, Math.max(2, Math.ceil(words.length / 58)))}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={onKeyDown}
        aria-label={t("ask.label")}
        className="scroller -mx-2 block w-[calc(100%+16px)] resize-none rounded border border-line bg-paper px-2 py-1 font-read font-semibold text-[20px] leading-7"
      />
      <div className="mt-2 flex items-center gap-2">
        <Button type="submit" kind="primary" disabled={words.trim() === ""}>
          {t("ask.send")}
        </Button>
        <Button onClick={onCancel}>{t("app.cancel")}</Button>
        <span className="text-muted text-xs">{t("ask.editHint")}</span>
      </div>
    </form>
  );
}
