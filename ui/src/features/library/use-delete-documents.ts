import { useMutation } from "@tanstack/react-query";
import { unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { useUndo } from "@/state/undo";

/** A document as it is deleted. */
export interface Deletable {
  collection: string;
  documentId: string;
  title: string;
}

/** Deletes documents, one after another, and offers to bring back those that are gone. */
export function useDeleteDocuments(onDeleted?: (document: Deletable) => void) {
  const { commands } = useIpc();
  const offer = useUndo((state) => state.offer);
  return useMutation({
    mutationFn: async (documents: readonly Deletable[]) => {
      const deleted: Deletable[] = [];
      try {
        for (const document of documents) {
          await unwrap(commands.deleteDocument(document.collection, document.documentId));
          deleted.push(document);
          onDeleted?.(document);
        }
      } finally {
        // Each that is gone can be brought back, also when a later one cannot be deleted.
        if (deleted.length > 0) {
          offer({
            kind: "documents",
            titles: deleted.map(({ title }) => title),
            restore: async () => {
              for (const { collection, documentId } of deleted) {
                await unwrap(commands.restoreDocument(collection, documentId));
              }
            },
          });
        }
      }
    },
  });
}
