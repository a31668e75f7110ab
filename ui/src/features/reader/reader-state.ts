import { create } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { clampZoom, type Fit, type Turn } from "@/lib/page-layout";
import { picked } from "@/lib/picked";

/** A place inside the open document that the person asked for. */
export type Destination =
  /** Without a box, the top of the page; 1-based. */
  | { kind: "page"; page: number; box: { left: number; top: number; right: number; bottom: number } | null }
  | { kind: "item"; ref: string };

export type SidePanel = "contents" | "thumbnails";

interface ReaderState {
  /** Null fits the width or the page. */
  zoom: number | null;
  fit: Fit;
  /** What fitting comes to at the moment. */
  fitted: number;
  turn: Turn;
  /** 1-based page in view. */
  page: number;
  /** `count` grows with every request. */
  request: { to: Destination | null; count: number };
  panel: SidePanel | null;
  /** Whether every citation of the answer in this document is marked, not only the open one. */
  showAll: boolean;
  /** Which part of the open citation was gone to, from 0. */
  part: number;
  /** The document of which a page could not be drawn, by its hash. */
  failedIn: string | null;
  /** Grows with every document that is unlocked, so that its pages are asked for again. */
  unlocks: number;
  findOpen: boolean;
  findWords: string;
  /** Which of the places found was gone to, from 0. */
  findAt: number;
  zoomBy(factor: number): void;
  fitTo(fit: Fit): void;
  setFitted(zoom: number): void;
  turnRight(): void;
  setPage(page: number): void;
  goTo(to: Destination): void;
  togglePanel(panel: SidePanel): void;
  toggleShowAll(): void;
  setPart(part: number): void;
  setFailedIn(sha256: string): void;
  unlocked(): void;
  setFind(find: Partial<Pick<ReaderState, "findOpen" | "findWords" | "findAt">>): void;
}

/** How the open document is looked at. */
export const useReader = create<ReaderState>()((set) => ({
  zoom: null,
  fit: "width",
  fitted: 1,
  turn: 0,
  page: 1,
  request: { to: null, count: 0 },
  panel: null,
  showAll: false,
  part: 0,
  failedIn: null,
  unlocks: 0,
  findOpen: false,
  findWords: "",
  findAt: 0,
  zoomBy: (factor) => set((state) => ({ zoom: clampZoom((state.zoom ?? state.fitted) * factor) })),
  fitTo: (fit) => set({ zoom: null, fit }),
  setFitted: (fitted) => set((state) => (state.fitted === fitted ? state : { fitted })),
  turnRight: () => set((state) => ({ turn: ((state.turn + 1) % 4) as Turn })),
  setPage: (page) => set((state) => (state.page === page ? state : { page })),
  goTo: (to) =>
    set((state) => ({
      page: to.kind === "page" ? to.page : state.page,
      request: { to, count: state.request.count + 1 },
    })),
  togglePanel: (panel) => set((state) => ({ panel: state.panel === panel ? null : panel })),
  toggleShowAll: () => set((state) => ({ showAll: !state.showAll })),
  setPart: (part) => set({ part }),
  setFailedIn: (failedIn) => set({ failedIn }),
  unlocked: () => set((state) => ({ failedIn: null, unlocks: state.unlocks + 1 })),
  setFind: (find) => set(find),
}));

/** The named parts of it. What takes them is drawn again when one of these changes, and not with every page that goes by. */
export function useReaderParts<Name extends keyof ReaderState>(...names: Name[]): Pick<ReaderState, Name> {
  return useReader(useShallow((state) => picked(state, names)));
}
