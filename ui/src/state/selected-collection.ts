import { create } from "zustand";

interface SelectedCollection {
  /** Null shows the documents of all collections. */
  name: string | null;
  select(name: string | null): void;
}

/** The collection whose documents are listed. */
export const useSelectedCollection = create<SelectedCollection>()((set) => ({
  name: null,
  select: (name) => set({ name }),
}));
