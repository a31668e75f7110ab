import { create } from "zustand";
import { clampZoom } from "@/lib/page-layout";

interface ReaderState {
  /** Null fits the width of the pane. */
  zoom: number | null;
  /** What fitting the width comes to at the moment. */
  fitted: number;
  /** 1-based page in view. */
  page: number;
  /** A page the person asked for; `count` grows with every request. */
  request: { page: number; count: number };
  zoomBy(factor: number): void;
  fitWidth(): void;
  setFitted(zoom: number): void;
  setPage(page: number): void;
  goTo(page: number): void;
}

/** How the open document is looked at. */
export const useReader = create<ReaderState>()((set) => ({
  zoom: null,
  fitted: 1,
  page: 1,
  request: { page: 1, count: 0 },
  zoomBy: (factor) => set((state) => ({ zoom: clampZoom((state.zoom ?? state.fitted) * factor) })),
  fitWidth: () => set({ zoom: null }),
  setFitted: (fitted) => set((state) => (state.fitted === fitted ? state : { fitted })),
  setPage: (page) => set((state) => (state.page === page ? state : { page })),
  goTo: (page) => set((state) => ({ page, request: { page, count: state.request.count + 1 } })),
}));
