import { X } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

interface TagEditorProps {
  tags: readonly string[];
  /** Offered while typing. */
  known: readonly string[];
  onChange: (tags: readonly string[]) => void;
}

/** The tags of a document; Enter or a comma adds one. */
export function TagEditor({ tags, known, onChange }: TagEditorProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const list = useId();
  const add = (text: string) => {
    const tag = text.trim().replaceAll(/\s+/g, " ");
    if (tag !== "" && !tags.includes(tag)) {
      onChange([...tags, tag]);
    }
    setTyped("");
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of one field and its entries
    <div role="group" aria-label={t("library.tags")}>
      <span className="text-muted text-xs">{t("library.tags")}</span>
      <div className="mt-1 flex flex-wrap items-center gap-1.5">
        {tags.map((tag) => (
          <span
            key={tag}
            className="inline-flex h-6 items-center gap-0.5 rounded-full border border-line bg-accent-soft pl-2.5 text-xs"
          >
            {tag}
            <button
              type="button"
              aria-label={t("library.removeTag", { tag })}
              onClick={() => onChange(tags.filter((candidate) => candidate !== tag))}
              className="grid size-6 place-items-center rounded-full text-muted hover:text-ink"
            >
              <X aria-hidden size={12} />
            </button>
          </span>
        ))}
        <input
          value={typed}
          list={list}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => add(typed)}
          onKeyDown={(event) => {
            if ((event.key === "Enter" || event.key === ",") && typed.trim() !== "" && !event.nativeEvent.isComposing) {
              event.preventDefault();
              add(typed);
            } else if (event.key === "Backspace" && typed === "") {
              onChange(tags.slice(0, -1));
            }
          }}
          aria-label={t("library.addTag")}
          placeholder={t("library.addTag")}
          className="h-6 w-36 rounded border border-line bg-paper px-2 text-xs placeholder:text-muted"
        />
        <datalist id={list}>
          {known
            .filter((tag) => !tags.includes(tag))
            .map((tag) => (
              <option key={tag} value={tag} />
            ))}
        </datalist>
      </div>
    </div>
  );
}
