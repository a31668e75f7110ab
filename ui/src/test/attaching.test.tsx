import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { App } from "@/app/app";
import { fakeIpc } from "@/ipc/fake";
import { IpcProvider } from "@/ipc/provider";
import { seriousViolations } from "./axe";
import { renderApp } from "./render-app";

async function dialogOpened() {
  const app = await renderApp();
  await app.user.click(await screen.findByTestId("attach"));
  return { ...app, dialog: within(await screen.findByTestId("attach-dialog")) };
}

describe("a collection of another library", () => {
  it("is attached under a name, marked with its place, and detached again", async () => {
    const { user, dialog } = await dialogOpened();
    expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Attach" }).disabled).toBe(true);
    await user.click(dialog.getByRole("button", { name: "Choose its folder…" }));
    expect(await dialog.findByText("/shared/Tides/collections/tides")).toBeTruthy();
    const name = dialog.getByRole<HTMLInputElement>("textbox", { name: "Its name here" });
    expect(name.value).toBe("tides");
    expect(await seriousViolations(screen.getByTestId("attach-dialog"))).toEqual([]);
    await user.clear(name);
    await user.type(name, "Tides{Enter}");
    await waitFor(() => expect(screen.queryByTestId("attach-dialog")).toBeNull());
    const row = await waitFor(() => {
      const found = screen.getAllByTestId("collection-row").find((one) => one.dataset.name === "Tides");
      expect(found).toBeTruthy();
      return found as HTMLElement;
    });
    expect(within(row).getByRole("img", { name: "Attached, read only: /shared/Tides/collections/tides" })).toBeTruthy();

    await user.click(within(row).getByRole("button", { name: "Actions for the collection Tides" }));
    const asked = within(await screen.findByRole("alertdialog"));
    expect(asked.getByText(/The library it belongs to keeps all of it\./)).toBeTruthy();
    await user.click(asked.getByRole("button", { name: "Detach collection" }));
    await waitFor(() =>
      expect(screen.getAllByTestId("collection-row").some((one) => one.dataset.name === "Tides")).toBe(false),
    );
  });

  it("is refused with the reason when there is none in the folder", async () => {
    const { user, ipc, dialog } = await dialogOpened();
    vi.spyOn(ipc.commands, "openFolderDialog").mockResolvedValue({ status: "ok", data: "/home/reader/Pictures" });
    await user.click(dialog.getByRole("button", { name: "Choose its folder…" }));
    await user.click(dialog.getByRole("button", { name: "Attach" }));
    expect(await dialog.findByText(/There is no collection in \/home\/reader\/Pictures\./)).toBeTruthy();
  });
});

describe("files chosen in the dialog", () => {
  it("are queued at once when there is nothing to say of them", async () => {
    const { user } = await renderApp();
    await user.click(await screen.findByTestId("add-files"));
    expect((await screen.findByTestId("queued")).textContent).toContain("1 file was added to the queue.");
  });

  it("are told of first when some would not be read", async () => {
    const { user, ipc } = await renderApp();
    const add = vi.spyOn(ipc.commands, "addPaths");
    vi.spyOn(ipc.commands, "openFileDialog").mockResolvedValue({
      status: "ok",
      data: ["/a/report.pdf", "/a/film.mp4"],
    });
    await user.click(await screen.findByTestId("add-files"));
    const dialog = within(await screen.findByTestId("add-dialog"));
    expect(dialog.getByText("Add 1 file (6.2 MB) to Concessions")).toBeTruthy();
    expect(dialog.getByText("1 of a kind Recto does not read (.mp4)")).toBeTruthy();
    expect(dialog.getByText("Needs about 7.8 MB, 210 GB free.")).toBeTruthy();
    expect(add).not.toHaveBeenCalled();
    await user.click(dialog.getByRole("button", { name: "Add 1 file" }));
    await waitFor(() => expect(add).toHaveBeenCalledWith("Concessions", ["/a/report.pdf", "/a/film.mp4"]));
  });
});

describe("the queue", () => {
  it("reads a waiting file next when it is told to", async () => {
    const { user } = await renderApp({ busy: true });
    await user.click(screen.getByTestId("queue"));
    const drawer = within(await screen.findByTestId("queue-drawer"));
    const waiting = () =>
      drawer
        .getAllByTestId("queue-job")
        .filter((job) => job.dataset.state === "queued")
        .map((job) => job.textContent);
    expect(waiting()[0]).toContain("imperial-cement");
    expect(drawer.queryByRole("button", { name: "Read imperial-cement-10q-2024q3.pdf next" })).toBeNull();
    await user.click(drawer.getByRole("button", { name: "Read juniper-biotech-10q-2024q3.pdf next" }));
    await waitFor(() => expect(waiting()[0]).toContain("juniper-biotech"));
  });
});

describe("diagnostics", () => {
  it("are saved from the settings, which say what is in them", async () => {
    const { user, ipc } = await renderApp();
    await user.keyboard("{Control>},{/Control}");
    await user.click(await screen.findByRole("tab", { name: "About" }));
    expect(screen.getByText(/No text of documents, no questions, no file names and no keys/)).toBeTruthy();
    await user.click(screen.getByTestId("save-diagnostics"));
    expect(await screen.findByText("Saved.")).toBeTruthy();
    expect(ipc.saved).toEqual(["recto-diagnostics.zip"]);
  });

  it("are offered where the library cannot be opened", async () => {
    const ipc = fakeIpc();
    vi.spyOn(ipc.commands, "libraryStatus").mockResolvedValue({
      status: "error",
      error: { code: "internal", message: "The library’s database is damaged.", retryable: false },
    });
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    render(
      <QueryClientProvider client={client}>
        <IpcProvider ipc={ipc}>
          <App />
        </IpcProvider>
      </QueryClientProvider>,
    );
    expect(await screen.findByText("The library’s database is damaged.")).toBeTruthy();
    await userEvent.setup().click(screen.getByTestId("save-diagnostics"));
    await waitFor(() => expect(ipc.saved).toEqual(["recto-diagnostics.zip"]));
  });
});
