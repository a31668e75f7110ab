import { useCallback } from "react";
import { useCollections } from "@/ipc/queries";
import { unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { useSelectedCollection } from "./selected-collection";

/** The collection that added files go to: the one being looked at, else the first. */
export function useTargetCollection(): string | null {
  const selected = useSelectedCollection((state) => state.name);
  const collections = useCollections().data ?? [];
  return selected ?? collections[0]?.name ?? null;
}

/** Lets the person choose files and queues them. */
export function useAddFiles(): () => Promise<void> {
  const { commands } = useIpc();
  const collection = useTargetCollection();
  return useCallback(async () => {
    const paths = await unwrap(commands.openFileDialog());
    if (paths.length > 0 && collection !== null) {
      await unwrap(commands.addPaths(collection, paths));
    }
  }, [commands, collection]);
}
