import { KeyRound } from "lucide-react";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";

interface PasswordFormProps {
  /** The file that is locked. */
  name: string;
  /** What came of the last try, where this form was not there to see it. */
  said: string | null;
  /** Whether the field takes the focus. */
  focused: boolean;
  /** Tries a password. Returns what to say when it does not open the file. */
  onTry: (password: string) => Promise<string | null>;
}

/**
 * Asks for the password of a file. What is typed lives in the field alone: it is handed on once and the field emptied,
 * so that no state of the window, and nothing that is kept of it, holds a password.
 */
export function PasswordForm({ name, said, focused, onTry }: PasswordFormProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const there = useRef(true);
  const [trying, setTrying] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const id = useId();
  useEffect(() => {
    there.current = true;
    return () => {
      there.current = false;
    };
  }, []);
  useEffect(() => {
    if (focused) {
      field.current?.focus();
    }
  }, [focused]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const password = field.current?.value ?? "";
    if (field.current === null || password === "" || trying) {
      return;
    }
    field.current.value = "";
    setTrying(true);
    setRefusal(null);
    const refused = await onTry(password);
    if (there.current) {
      setTrying(false);
      setRefusal(refused);
      field.current?.focus();
    }
  };
  const shown = trying ? null : (refusal ?? said);
  return (
    <form onSubmit={(event) => void submit(event)} className="mt-1.5" data-testid="password-form">
      <div className="flex items-center gap-1.5">
        <input
          ref={field}
          type="password"
          autoComplete="off"
          spellCheck={false}
          aria-label={t("password.field", { name })}
          aria-invalid={shown !== null}
          aria-describedby={`${id}-said`}
          placeholder={t("password.placeholder")}
          className="h-7 min-w-0 max-w-64 grow rounded border border-line bg-paper px-2 text-xs placeholder:text-muted aria-invalid:border-warn"
        />
        <Button type="submit" disabled={trying}>
          <KeyRound aria-hidden size={12} />
          {trying ? t("password.trying") : t("password.unlock")}
        </Button>
      </div>
      <p id={`${id}-said`} role="status" className="mt-1 text-2xs text-warn empty:hidden">
        {shown}
      </p>
    </form>
  );
}
