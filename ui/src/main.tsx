import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { App } from "./app/app";
import { type Ipc, tauriIpc } from "./ipc/client";
import { IpcProvider } from "./ipc/provider";
import "./lib/i18n";
import { followAppearance } from "./state/appearance";
import "./styles.css";

/** The real engine inside the application; one in memory when the page is opened in a browser. */
async function connect(): Promise<Ipc> {
  if ("__TAURI_INTERNALS__" in window) {
    return tauriIpc();
  }
  const { fakeIpc, fakeOptionsFrom } = await import("./ipc/fake");
  return fakeIpc(fakeOptionsFrom(window.location.search));
}

// At once, so that a dark window does not begin in white.
followAppearance()();

const root = document.getElementById("root");
if (root === null) {
  throw new Error("BUG: index.html has no #root");
}
const ipc = await connect();
const client = new QueryClient({
  // Everything comes from this machine: ask again when told to, not when a window is looked at.
  defaultOptions: { queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: false } },
});
createRoot(root).render(
  <QueryClientProvider client={client}>
    <IpcProvider ipc={ipc}>
      <App />
    </IpcProvider>
  </QueryClientProvider>,
);
