import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { useReader } from "@/features/reader/reader-state";
import { fakeIpc } from "@/ipc/fake";
import { scripted } from "@/ipc/fake-library";
import { targetOfDocument, useView } from "@/state/view";
import { seriousViolations } from "./axe";
import { ask, renderApp } from "./render-app";

const { meridian, harbour } = scripted;

async function open(document: typeof meridian, page = 1) {
  await act(async () => useView.getState().open({ ...targetOfDocument(document), page, resume: false }));
  await screen.findByTestId(`page-${page}`);
}

const shownTitle = () => screen.getByTestId("reader-title").textContent;

describe("several open documents", () => {
  it("stand side by side, each with its own place and size, and are gone through by keys", async () => {
    const { user } = await renderApp();
    await open(meridian, 21);
    expect(screen.queryByRole("navigation", { name: "Open documents" })).toBeNull();
    await user.keyboard("{Control>}={/Control}");
    const larger = screen.getByTestId("zoom").textContent;
    await open(harbour, 17);
    await user.keyboard("{Control>}0{/Control}");
    expect(screen.getByTestId("zoom").textContent).not.toBe(larger);
    await user.keyboard("{Control>}{Tab}{/Control}");
    await waitFor(() => expect(shownTitle()).toBe(meridian.title));
    await screen.findByTestId("page-21");
    expect(screen.getByTestId("zoom").textContent).toBe(larger);
    await user.keyboard("{Control>}{Shift>}{Tab}{/Shift}{/Control}");
    await waitFor(() => expect(shownTitle()).toBe(harbour.title));
    await screen.findByTestId("page-17");
    expect(await seriousViolations(screen.getByTestId("reader"))).toEqual([]);
    await user.keyboard("{Control>}w{/Control}");
    await waitFor(() => expect(shownTitle()).toBe(meridian.title));
    await user.keyboard("{Control>}w{/Control}");
    await waitFor(() => expect(screen.queryByTestId("reader")).toBeNull());
  });

  it("are closed by their own button without being shown", async () => {
    const { user } = await renderApp();
    await open(meridian, 21);
    await open(harbour, 17);
    const tabs = within(screen.getByRole("navigation", { name: "Open documents" }));
    await user.click(tabs.getByRole("button", { name: `Close ${meridian.title}` }));
    expect(shownTitle()).toBe(harbour.title);
    expect(screen.queryByRole("navigation", { name: "Open documents" })).toBeNull();
  });

  it("are there again in the next start, with what was marked, without taking the focus", async () => {
    const ipc = fakeIpc({ pace: 0 });
    const first = await renderApp({}, ipc);
    await open(harbour, 17);
    await ask(first.user, "How large was the change in revenue, and why?");
    await screen.findByTestId("verdict-summary");
    await first.user.click(screen.getByTestId("chip-1"));
    await screen.findByTestId("page-21");
    await waitFor(() => expect(localStorage.getItem("recto.positions")).toContain(meridian.documentId));
    const boxes = screen.getAllByTestId("box-quote").length;
    first.view.unmount();
    const { useLive } = await import("@/features/conversation/live-answer");
    for (const store of [useView, useReader, useLive]) {
      (store as { setState(state: unknown, replace: true): void }).setState(store.getInitialState(), true);
    }

    await renderApp({}, ipc);
    await screen.findByTestId("page-21");
    expect(screen.getAllByTestId("reader-tab")).toHaveLength(2);
    await waitFor(() => expect(shownTitle()).toBe(meridian.title));
    expect(screen.getAllByTestId("box-quote")).toHaveLength(boxes);
    await waitFor(() => expect(screen.getByTestId("current-citation").textContent).toBe("[1]"));
    expect(screen.getByRole("img", { name: /^Cited words: Net revenue/ })).toBeTruthy();
    expect(document.activeElement?.closest("[data-testid=reader]")).toBeNull();
  });
});
