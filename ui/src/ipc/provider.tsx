import { createContext, type ReactNode, useContext } from "react";
import type { Ipc } from "./client";

const IpcContext = createContext<Ipc | null>(null);

/** Gives the window its engine: the real one, or the one in memory. */
export function IpcProvider({ ipc, children }: { ipc: Ipc; children: ReactNode }) {
  return <IpcContext value={ipc}>{children}</IpcContext>;
}

/** The engine of this window. */
export function useIpc(): Ipc {
  const ipc = useContext(IpcContext);
  if (ipc === null) {
    throw new Error("BUG: useIpc outside of IpcProvider");
  }
  return ipc;
}
