import { useEffect, useLayoutEffect } from "react";
import { tabKey } from "@/state/reader-tabs";
import { recallTabs, rememberTabs } from "@/state/remembered-tabs";
import { useView } from "@/state/view";
import { useReader } from "./reader-state";

/** Shows each tab at its own size and turn, and keeps what is changed of them with the tab. */
export function useTabLook(): void {
  const key = useView((state) => (state.target === null ? null : tabKey(state.target)));
  useLayoutEffect(() => {
    if (key === null) {
      return;
    }
    const tab = useView.getState().tabs.find((candidate) => candidate.key === key);
    if (tab !== undefined) {
      useReader.setState(tab.look);
    }
    return useReader.subscribe((now, before) => {
      if (now.zoom !== before.zoom || now.fit !== before.fit || now.turn !== before.turn) {
        useView.getState().setLook(key, { zoom: now.zoom, fit: now.fit, turn: now.turn });
      }
    });
  }, [key]);
}

/** Opens the tabs of the last time again, and keeps them for the next. */
export function useRememberedTabs(): void {
  useEffect(() => {
    const remembered = recallTabs();
    if (remembered !== null && useView.getState().tabs.length === 0) {
      useView.getState().restoreTabs(remembered);
    }
    return useView.subscribe((now, before) => {
      if (now.tabs !== before.tabs || now.target !== before.target || now.readerOpen !== before.readerOpen) {
        rememberTabs(now.tabs, now.target, now.readerOpen);
      }
    });
  }, []);
}
