import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { App } from "@/app/app";
import { type FakeIpc, type FakeOptions, fakeIpc } from "@/ipc/fake";
import { IpcProvider } from "@/ipc/provider";

/** Opens the whole window on an engine in memory; `ipc` reopens it on an earlier one. */
export async function renderApp(options: Partial<FakeOptions> = {}, ipc: FakeIpc = fakeIpc({ pace: 0, ...options })) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const view = render(
    <QueryClientProvider client={client}>
      <IpcProvider ipc={ipc}>
        <App />
      </IpcProvider>
    </QueryClientProvider>,
  );
  await screen.findByTestId("composer");
  return { ipc, view, user: userEvent.setup() };
}

/** Puts a question in, all at once, and sends it. */
export async function ask(user: ReturnType<typeof userEvent.setup>, question: string) {
  await user.click(screen.getByTestId("composer"));
  await user.paste(question);
  await user.keyboard("{Enter}");
}
