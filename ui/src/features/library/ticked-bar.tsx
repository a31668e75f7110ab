import { Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import type { ListedDocument } from "@/ipc/bindings";
import { sayError } from "@/ipc/client";
import { useView } from "@/state/view";
import { useDeleteDocuments } from "./use-delete-documents";

/** What can be done with the documents that are ticked. */
export function TickedBar({ documents }: { documents: readonly ListedDocument[] }) {
  const { t } = useTranslation();
  const scoped = useView((state) => state.scopeDocuments);
  const toggle = useView((state) => state.toggleScopeDocument);
  const ticked = scoped.filter(({ documentId }) => documents.some((document) => document.document_id === documentId));
  const remove = useDeleteDocuments(toggle);
  if (ticked.length === 0) {
    return null;
  }
  return (
    <div className="flex items-center gap-2 px-3 pb-1 text-xs" data-testid="ticked">
      <span className="grow truncate text-muted">{t("library.ticked", { count: ticked.length })}</span>
      <Button
        kind="quiet"
        onClick={() => {
          for (const document of ticked) {
            toggle(document);
          }
        }}
      >
        {t("library.untick")}
      </Button>
      <Button onClick={() => remove.mutate(ticked)} disabled={remove.isPending}>
        <Trash2 aria-hidden size={12} />
        {t("library.delete")}
      </Button>
      {remove.isError && <p className="text-warn">{sayError(remove.error)}</p>}
    </div>
  );
}
