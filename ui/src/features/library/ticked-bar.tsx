import { useMutation } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { ConfirmDialog } from "@/components/confirm-dialog";
import type { ListedDocument } from "@/ipc/bindings";
import { toApiError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { useView } from "@/state/view";

/** What can be done with the documents that are ticked. */
export function TickedBar({ documents }: { documents: readonly ListedDocument[] }) {
  const { t } = useTranslation();
  const { commands } = useIpc();
  const scoped = useView((state) => state.scopeDocuments);
  const toggle = useView((state) => state.toggleScopeDocument);
  const [asking, setAsking] = useState(false);
  const ticked = scoped.filter(({ documentId }) => documents.some((document) => document.document_id === documentId));
  const remove = useMutation({
    mutationFn: async () => {
      // One after another: each that is gone stays gone when a later one cannot be deleted.
      for (const document of ticked) {
        await unwrap(commands.deleteDocument(document.collection, document.documentId));
        toggle(document);
      }
    },
  });
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
      <Button onClick={() => setAsking(true)} disabled={remove.isPending}>
        <Trash2 aria-hidden size={12} />
        {t("library.delete")}
      </Button>
      {remove.isError && <p className="text-warn">{toApiError(remove.error).message}</p>}
      <ConfirmDialog
        open={asking}
        title={t("library.deleteManyTitle", { count: ticked.length })}
        body={`${ticked.map((document) => document.title).join("; ")}. ${t("library.deleteManyBody")}`}
        confirm={t("library.deleteManyConfirm", { count: ticked.length })}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
