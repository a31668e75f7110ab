import { create } from "zustand";

/** What was deleted. */
export type DeletedKind = "documents" | "conversations";

/** A deletion that can be taken back. */
export interface Deletion {
  kind: DeletedKind;
  /** Titles of what was deleted. */
  titles: readonly string[];
  /** Brings all of it back. */
  restore: () => Promise<unknown>;
}

interface UndoStore {
  /** At most one of each kind: what is deleted while an offer stands joins it. */
  offers: readonly Deletion[];
  offer(deletion: Deletion): void;
  withdraw(kind: DeletedKind): void;
}

/** The deletions that the window offers to take back. */
export const useUndo = create<UndoStore>()((set) => ({
  offers: [],
  offer: (deletion) =>
    set(({ offers }) => {
      const standing = offers.find(({ kind }) => kind === deletion.kind);
      const others = offers.filter((offer) => offer !== standing);
      return { offers: [...others, standing === undefined ? deletion : joined(standing, deletion)] };
    }),
  withdraw: (kind) => set(({ offers }) => ({ offers: offers.filter((offer) => offer.kind !== kind) })),
}));

function joined(earlier: Deletion, later: Deletion): Deletion {
  return {
    kind: later.kind,
    titles: [...earlier.titles, ...later.titles],
    restore: async () => {
      await later.restore();
      await earlier.restore();
    },
  };
}
