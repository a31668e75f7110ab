import { useCallback, useEffect } from "react";
import type { AddPreview } from "@/ipc/bindings";
import { unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { useCollections } from "@/ipc/queries";
import { useSelectedCollection } from "@/state/selected-collection";

/** The collection that added files go to: the one being looked at, else the first. */
export function useTargetCollection(): string | null {
  const selected = useSelectedCollection((state) => state.name);
  const collections = useCollections().data ?? [];
  return selected ?? collections[0]?.name ?? null;
}

/** Keeps the shell told of where files dropped on the window go. */
export function useDropTarget(): void {
  const { commands } = useIpc();
  const collection = useTargetCollection();
  useEffect(() => {
    if (collection !== null) {
      void commands.setAddTarget(collection);
    }
  }, [commands, collection]);
}

/** Files that were chosen, and what adding them would do. */
export interface Chosen {
  paths: string[];
  preview: AddPreview;
}

/** Lets the person choose files. Null when none were chosen. */
export function useChooseFiles(): () => Promise<Chosen | null> {
  const { commands } = useIpc();
  const collection = useTargetCollection();
  return useCallback(async () => {
    const paths = await unwrap(commands.openFileDialog());
    return paths.length === 0 ? null : { paths, preview: await unwrap(commands.previewAdd(collection, paths)) };
  }, [commands, collection]);
}

/** Queues files. Returns how many were queued. */
export function useAddPaths(): (paths: string[]) => Promise<number> {
  const { commands } = useIpc();
  const collection = useTargetCollection();
  return useCallback((paths) => unwrap(commands.addPaths(collection, paths)), [commands, collection]);
}
