import { CalendarDays, FileText, FileType, Folder, Tag, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useDocuments } from "@/ipc/queries";
import { isReadable } from "@/lib/document-state";
import { kindName } from "@/lib/media-kinds";
import { useViewParts } from "@/state/view";
import { ScopeMenu } from "./scope-menu";

/** What the next question is put to. */
export function ScopeChips() {
  const { t } = useTranslation();
  const { scopeCollections, scopeDocuments, scopeTags, scopeKind, scopeAdded } = useViewParts(
    "scopeCollections",
    "scopeDocuments",
    "scopeTags",
    "scopeKind",
    "scopeAdded",
  );
  const { toggleScopeCollection, toggleScopeDocument, setScopeTags, clearScope, set } = useViewParts(
    "toggleScopeCollection",
    "toggleScopeDocument",
    "setScopeTags",
    "clearScope",
    "set",
  );
  const documents = useDocuments(null).data ?? [];
  const readable = documents.filter((document) => isReadable(document.state)).length;
  const conditions = [scopeKind, scopeAdded].filter((condition) => condition !== null);
  const limits = scopeCollections.length + scopeDocuments.length + scopeTags.length + conditions.length;
  if (limits === 0 && readable === 0) {
    return null;
  }
  return (
    <div
      className="mb-1.5 flex min-h-6 flex-wrap items-center gap-x-1 gap-y-1.5 text-muted text-xs"
      data-testid="scope"
    >
      <span>{t("ask.scope")}</span> {limits === 0 && <span>{t("ask.everythingCount", { count: readable })}</span>}
      {scopeCollections.map((name) => (
        <ScopeChip
          key={name}
          name={name}
          icon={<Folder aria-hidden size={12} />}
          onRemove={() => toggleScopeCollection(name)}
        />
      ))}
      {scopeDocuments.map((document) => (
        <ScopeChip
          key={document.documentId}
          name={document.title}
          icon={<FileText aria-hidden size={12} />}
          onRemove={() => toggleScopeDocument(document)}
        />
      ))}
      {scopeTags.map((tag) => (
        <ScopeChip
          key={tag}
          name={tag}
          icon={<Tag aria-hidden size={12} />}
          onRemove={() => setScopeTags(scopeTags.filter((candidate) => candidate !== tag))}
        />
      ))}
      {scopeKind !== null && (
        <ScopeChip
          name={kindName(scopeKind)}
          icon={<FileType aria-hidden size={12} />}
          onRemove={() => set({ scopeKind: null })}
        />
      )}
      {scopeAdded !== null && (
        <ScopeChip
          name={t(`scope.within.${scopeAdded}`)}
          icon={<CalendarDays aria-hidden size={12} />}
          onRemove={() => set({ scopeAdded: null })}
        />
      )}
      <ScopeMenu documents={documents} />
      {limits > 1 && (
        <button type="button" onClick={clearScope} className="rounded px-1 py-0.5 hover:bg-hover hover:text-ink">
          {t("ask.clearScope")}
        </button>
      )}
    </div>
  );
}

function ScopeChip({ name, icon, onRemove }: { name: string; icon: ReactNode; onRemove: () => void }) {
  const { t } = useTranslation();
  return (
    <span className="inline-flex h-6 max-w-60 items-center gap-1 rounded border border-line bg-accent-soft pl-1.5 text-ink">
      {icon}
      <span className="truncate">{name}</span>
      <button
        type="button"
        onClick={onRemove}
        aria-label={t("ask.unscope", { name })}
        className="grid size-6 shrink-0 place-items-center rounded text-muted hover:text-ink"
      >
        <X aria-hidden size={12} />
      </button>
    </span>
  );
}
