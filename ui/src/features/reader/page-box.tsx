import { type FormEvent, useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentView } from "@/ipc/bindings";
import { useAction } from "@/lib/actions";
import { findPage } from "@/lib/format";
import { shortcutLabel } from "@/lib/keyboard";
import { useReader } from "./reader-state";
import { useGoTo } from "./use-go-to";

/** `p. 371 · PDF 7/210`; a click or `g` lets a page be typed. */
export function PageBox({ view }: { view: DocumentView }) {
  const { t } = useTranslation();
  const page = useReader((state) => state.page);
  const goTo = useGoTo();
  const [typed, setTyped] = useState<string | null>(null);
  const [unknown, setUnknown] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const begin = useCallback(() => {
    setTyped("");
    setUnknown(false);
    field.current?.focus();
  }, []);
  useAction("goToPage", begin);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = findPage(view.pages, typed ?? "");
    if (found === null) {
      setUnknown((typed ?? "").trim() !== "");
      return;
    }
    goTo({ kind: "page", page: found, box: null });
    setTyped(null);
  };
  if (typed === null) {
    const label = view.pages[page - 1]?.label ?? null;
    const total = view.pages.length;
    return (
      <button
        type="button"
        onClick={begin}
        title={`${t("reader.goTo")} (${shortcutLabel("goToPage")})`}
        data-testid="page-indicator"
        className="-ml-1.5 h-6 truncate rounded px-1.5 tabular-nums hover:bg-hover hover:text-ink"
      >
        {label === null
          ? t("reader.pageUnlabelled", { number: page, total })
          : t("reader.page", { label, number: page, total })}
      </button>
    );
  }
  return (
    <form onSubmit={submit} className="flex min-w-0 items-center gap-2">
      <input
        ref={field}
        // biome-ignore lint/a11y/noAutofocus: the field appears because the person asked for it
        autoFocus
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setUnknown(false);
        }}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.preventDefault();
            setTyped(null);
          }
        }}
        aria-label={t("reader.goTo")}
        aria-invalid={unknown}
        placeholder={t("reader.goToHint")}
        data-testid="go-to-page"
        className="h-6 w-44 min-w-0 rounded border border-line bg-paper px-1.5 text-ink placeholder:text-muted"
      />
      {unknown && (
        <span role="status" className="truncate text-warn">
          {t("reader.goToUnknown", { value: typed.trim() })}
        </span>
      )}
    </form>
  );
}
