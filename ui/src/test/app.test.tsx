import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { fakeIpc } from "@/ipc/fake";
import { seriousViolations } from "./axe";
import { ask, renderApp } from "./render-app";

const question = "How large was the change in revenue, and why?";

/** Where every cited word is marked, as the window says it. */
function boxesShown(): string[] {
  return screen
    .getAllByTestId("box-quote")
    .map((box) => `${box.dataset.page} ${box.style.left} ${box.style.top} ${box.style.width} ${box.style.height}`);
}

describe("asking", () => {
  it("streams an answer, opens the cited page and marks the words", async () => {
    const { user } = await renderApp();
    await ask(user, question);
    await screen.findByTestId("verdict-summary");
    // A text that takes long to draw comes in steps, and may end after its verdicts.
    expect(screen.getByTestId("verdict-summary").textContent).toContain("2 quotes verbatim");
    expect(screen.getByTestId("verdict-summary").textContent).toContain("1 figure not found");
    expect((await screen.findByTestId("chip-4")).dataset.state).toBe("problem");
    expect(screen.getByTestId("chip-1").dataset.state).toBe("verified");
    expect(screen.getByTestId("chip-2").dataset.state).toBe("matched");
    expect(screen.getByTestId("announcer").textContent).toBe("Answer ready, 4 citations");

    await user.click(await screen.findByTestId("chip-1"));
    const page = await screen.findByTestId("page-21");
    expect(page.dataset.label).toBe("18");
    const boxes = within(page).getAllByTestId("box-quote");
    expect(boxes.every((box) => box.dataset.page === "21")).toBe(true);
    expect(within(page).getAllByTestId("box-passage").length).toBeGreaterThan(0);
    expect(screen.getByTestId("page-indicator").textContent).toBe("p. 18 · PDF 21/48");
    expect(screen.getByTestId("chip-1").dataset.active).toBe("true");
    expect(document.activeElement?.closest("[data-testid=reader]"), "the reader has the focus").not.toBeNull();
  });

  it("names every chip in full", async () => {
    const { user } = await renderApp();
    await ask(user, question);
    await screen.findByTestId("verdict-summary");
    expect(screen.getByTestId("chip-1").getAttribute("aria-label")).toBe(
      "Citation 1, Meridian Instruments 10-Q, third quarter 2024, p. 18 · PDF 21: Quote found on the page, word for word",
    );
  });

  it("shows a pending chip until its verdict, in a transcript that says it is busy", async () => {
    const { user } = await renderApp({ holdAfter: 26 });
    await ask(user, question);
    await waitFor(() => expect(screen.getByTestId("chip-1").dataset.state).toBe("pending"));
    expect(screen.getByRole("log").getAttribute("aria-busy")).toBe("true");
    expect(screen.getByTestId("announcer").textContent).toBe("Answering…");
  });

  it("stops on request and keeps what was shown", async () => {
    const { user } = await renderApp({ holdAfter: 12 });
    await ask(user, question);
    await screen.findByText(/Revenue rose/);
    await user.keyboard("{Control>}.{/Control}");
    await screen.findByText("Stopped. This is what had been written.");
    expect(screen.getByTestId("answer").textContent).toContain("Revenue rose");
    expect(screen.getByTestId("answer").textContent).not.toContain("by region");
    expect(screen.getByTestId("send")).toBeTruthy();
  });

  it("refuses with the nearest passages and what was searched", async () => {
    const { user } = await renderApp();
    await ask(user, "What will the weather be?");
    const refusal = await screen.findByTestId("refusal");
    expect(within(refusal).getByText("No passage supports an answer")).toBeTruthy();
    await user.click(within(refusal).getByText("Harbour Rail concession agreement"));
    expect(await screen.findByTestId("page-17")).toBeTruthy();
    expect(screen.getByTestId("coverage").textContent).toContain("Searched 12 of 12 documents");
  });

  it("shows why an answer failed and asks again on request", async () => {
    const { user } = await renderApp();
    await ask(user, "Please fail");
    expect(await screen.findByText(/did not answer. Start it/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(screen.getAllByTestId("answer")).toHaveLength(2));
  });

  it("asks only the documents that are ticked", async () => {
    const { user } = await renderApp();
    const row = (await screen.findAllByTestId("document-row")).find((candidate) =>
      candidate.textContent?.includes("Harbour Rail"),
    );
    await user.click(within(row as HTMLElement).getByRole("checkbox"));
    expect(within(screen.getByTestId("scope")).getByText("Harbour Rail concession agreement")).toBeTruthy();
    await ask(user, "What will the weather be?");
    await waitFor(() => expect(screen.getByTestId("coverage").textContent).toContain("Searched 1 of 1 document;"));
  });
});

describe("reading", () => {
  it("walks the citations by key and keeps the way back", async () => {
    const { user } = await renderApp();
    await ask(user, question);
    await screen.findByTestId("verdict-summary");
    screen.getByTestId("transcript").focus();
    await user.keyboard("3");
    expect((await screen.findByTestId("mark-quote")).textContent).toContain("the largest in the company’s history");
    await user.keyboard("]");
    await waitFor(() => expect(screen.getByTestId("current-citation").textContent).toBe("[4]"));
    await user.keyboard("[[[[");
    await waitFor(() => expect(screen.getByTestId("current-citation").textContent).toBe("[2]"));
    await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
    await waitFor(() => expect(screen.getByTestId("current-citation").textContent).toBe("[3]"));
  });

  it("goes to a page by its printed label", async () => {
    const { user } = await renderApp();
    await ask(user, question);
    await screen.findByTestId("verdict-summary");
    await user.click(await screen.findByTestId("chip-1"));
    await screen.findByTestId("page-21");
    await user.keyboard("g");
    await user.keyboard("iii{Enter}");
    await waitFor(() => expect(screen.getByTestId("page-indicator").textContent).toBe("p. iii · PDF 3/48"));
  });

  it("returns the focus when it closes", async () => {
    const { user } = await renderApp();
    await ask(user, question);
    await screen.findByTestId("verdict-summary");
    await user.click(await screen.findByTestId("chip-1"));
    await screen.findByTestId("page-21");
    await user.click(screen.getByTestId("close-reader"));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("chip-1")));
  });

  it("shows the stored words of a document that was deleted", async () => {
    const { user, ipc } = await renderApp();
    await ask(user, question);
    await screen.findByTestId("verdict-summary");
    await ipc.commands.deleteDocument("Q3 filings", "7c0d41a2-0001");
    await user.click(await screen.findByTestId("chip-1"));
    expect(await screen.findByText("This document can no longer be opened")).toBeTruthy();
    expect(within(screen.getByTestId("reader")).getByText(/an increase of 15% from/)).toBeTruthy();
  });
});

describe("keeping", () => {
  it("reopens the last conversation with the same words and boxes", async () => {
    const ipc = fakeIpc({ pace: 0 });
    const first = await renderApp({}, ipc);
    await ask(first.user, question);
    await screen.findByTestId("verdict-summary");
    await first.user.click(await screen.findByTestId("chip-1"));
    await screen.findByTestId("page-21");
    const before = { text: screen.getByTestId("answer").textContent, boxes: boxesShown() };
    first.view.unmount();

    const { useView } = await import("@/state/view");
    const { useLive } = await import("@/features/conversation/live-answer");
    useView.setState(useView.getInitialState(), true);
    useLive.setState(useLive.getInitialState(), true);
    const second = await renderApp({}, ipc);
    await screen.findByTestId("verdict-summary");
    await second.user.click(await screen.findByTestId("chip-1"));
    await screen.findByTestId("page-21");
    expect(screen.getByTestId("answer").textContent).toBe(before.text);
    expect(boxesShown()).toEqual(before.boxes);
  });

  it("lists conversations, begins new ones, and brings back one that was deleted", async () => {
    const { user } = await renderApp();
    await ask(user, question);
    await screen.findByTestId("verdict-summary");
    await user.click(screen.getByTestId("new-conversation"));
    expect(screen.queryByTestId("answer")).toBeNull();
    await user.click(await screen.findByTestId("history-item"));
    expect(await screen.findByTestId("answer")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: `Delete “${question}”` }));
    await waitFor(() => expect(screen.queryByTestId("history-item")).toBeNull());
    expect(screen.queryByTestId("answer")).toBeNull();
    const notice = within(await screen.findByTestId("undo-notice"));
    expect(notice.getByText(`“${question}” was deleted.`)).toBeTruthy();
    await user.click(notice.getByRole("button", { name: "Undo" }));
    expect(await screen.findByTestId("history-item")).toBeTruthy();
    expect(await screen.findByTestId("answer")).toBeTruthy();
    expect(screen.queryByTestId("undo-notice")).toBeNull();
  });

  it("gives a conversation another title, and leaves it as it was on Escape", async () => {
    const { user, ipc } = await renderApp();
    await ask(user, question);
    await screen.findByTestId("verdict-summary");
    await user.click(await screen.findByRole("button", { name: `Rename “${question}”` }));
    await user.keyboard("Something else{Escape}");
    expect((await screen.findByTestId("history-item")).textContent).toBe(question);
    await user.click(screen.getByRole("button", { name: `Rename “${question}”` }));
    await user.keyboard("Third quarter{Enter}");
    await waitFor(() => expect(screen.getByTestId("history-item").textContent).toBe("Third quarter"));
    await user.click(screen.getByTestId("conversation-menu"));
    await user.click(await screen.findByRole("menuitem", { name: "Save as Markdown…" }));
    await waitFor(() => expect(ipc.saved).toEqual(["Third quarter.md"]));
  });
});

describe("the library", () => {
  it("offers the samples when it is empty, and shows them become ready", async () => {
    const { user, ipc } = await renderApp({ library: "empty", model: "none" });
    expect(screen.getByTestId("model-status").textContent).toBe("quotes only · nothing leaves this machine");
    expect(within(await screen.findByTestId("steps")).getAllByRole("listitem")).toHaveLength(3);
    await ipc.commands.pauseQueue(true);
    await user.click(await screen.findByTestId("add-samples"));
    await waitFor(() => {
      const rows = screen.getAllByTestId("document-row");
      expect(rows).toHaveLength(3);
      expect(rows.every((row) => row.dataset.state === "queued")).toBe(true);
    });
    expect(screen.queryByTestId("examples")).toBeNull();
    expect(within(await screen.findByTestId("reading-now")).getAllByRole("listitem")).toHaveLength(3);
    await ipc.commands.pauseQueue(false);
    await waitFor(() => {
      const rows = screen.getAllByTestId("document-row");
      expect(rows).toHaveLength(3);
      expect(rows.every((row) => row.dataset.state === "ready")).toBe(true);
    });
    await user.click(screen.getByTestId("queue"));
    expect((await screen.findByTestId("queue-summary")).textContent).toBe("3 files added");
    const examples = within(await screen.findByTestId("examples"));
    await user.click(examples.getByText("When did the FedNow Service launch?"));
    expect(within(await screen.findByTestId("answer")).getByText("When did the FedNow Service launch?")).toBeTruthy();
  });

  it("says what a drop would do while files are held over the window", async () => {
    const { ipc } = await renderApp();
    await act(async () => ipc.emit.filesHovering({ count: 12 }));
    expect(screen.getByTestId("drop-overlay").textContent).toContain("Add 12 files to Concessions");
    const counted = {
      files: 1248,
      bytes: 3_100_000_000,
      unsupported: 12,
      unsupported_kinds: ["mp4", "zip"],
      already_here: 37,
      unreachable: 0,
      needed_bytes: 3_400_000_000,
      free_bytes: 210_000_000_000,
      complete: false,
    };
    await act(async () => ipc.emit.hoverCounted(counted));
    expect(screen.getByTestId("drop-overlay").textContent).toBe(
      "Add 1,248 files (3.1 GB) to Concessions" +
        "12 of kinds Recto does not read (.mp4, .zip) · 37 already here" +
        "Needs about 3.4 GB, 210 GB free.Counting…",
    );
    await act(async () => ipc.emit.hoverCounted({ ...counted, free_bytes: 1_000_000_000, complete: true }));
    expect(screen.getByTestId("drop-overlay").textContent).toContain("Needs about 3.4 GB, but only 1.0 GB are free.");
    await act(async () => ipc.emit.hoverEnded());
    expect(screen.queryByTestId("drop-overlay")).toBeNull();
    await act(async () =>
      ipc.emit.filesDropped({ queued: 0, error: { code: "x", message: "The disk is full.", retryable: true } }),
    );
    expect(screen.getByText("The disk is full.")).toBeTruthy();
    await act(async () => ipc.emit.filesDropped({ queued: 12, error: null }));
    expect(screen.getByTestId("queued").textContent).toContain("12 files were added to the queue.");
    await act(async () => ipc.emit.filesDropped({ queued: 0, error: null }));
    expect(screen.getByTestId("queued").textContent).toContain("Nothing new was among these files.");
  });

  it("deletes a document and brings it back by the key", async () => {
    const { user } = await renderApp();
    await screen.findAllByTestId("document-row");
    await user.click(screen.getByRole("button", { name: "Actions for Harbour Rail concession agreement" }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
    await waitFor(() => expect(screen.queryByText("Harbour Rail concession agreement")).toBeNull());
    expect((await screen.findByTestId("undo-notice")).textContent).toContain("was deleted.");
    screen.getByTestId("transcript").focus();
    await user.keyboard("{Control>}z{/Control}");
    expect((await screen.findAllByText("Harbour Rail concession agreement")).length).toBeGreaterThan(0);
  });

  it("says when it is too late to bring a document back", async () => {
    const { user, ipc } = await renderApp();
    await screen.findAllByTestId("document-row");
    await user.click(screen.getByRole("button", { name: "Actions for Harbour Rail concession agreement" }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
    const notice = within(await screen.findByTestId("undo-notice"));
    vi.spyOn(ipc.commands, "restoreDocument").mockResolvedValue({
      status: "error",
      error: { code: "not_found", message: "It is too late to bring this document back.", retryable: false },
    });
    await user.click(notice.getByRole("button", { name: "Undo" }));
    expect(await notice.findByText("It is too late to bring this document back.")).toBeTruthy();
  });

  it("shows every failure with its cause, and lets it be retried, dismissed, cancelled and paused", async () => {
    const { user } = await renderApp({ busy: true });
    await user.click(screen.getByTestId("queue"));
    const drawer = await screen.findByTestId("queue-drawer");
    expect(within(drawer).getByText(/ends in the middle of its page table/)).toBeTruthy();
    expect(within(drawer).getByTestId("queue-summary").textContent).toMatch(/to go · 3 files added · 2 failed$/);
    expect(
      within(drawer)
        .getByRole("progressbar", { name: /granite/ })
        .getAttribute("aria-valuenow"),
    ).toBe("61");
    const granite = within(drawer).getByRole("progressbar", { name: /granite/ });
    expect(granite.getAttribute("aria-valuetext"), "the step it is in").toBe("Read");
    await user.click(within(drawer).getByRole("button", { name: "Dismiss board-minutes-2024-09.pdf" }));
    await waitFor(() => expect(within(drawer).queryByText("board-minutes-2024-09.pdf")).toBeNull());
    await user.click(within(drawer).getByRole("button", { name: "Retry scan-2019-11.pdf" }));
    await user.click(within(drawer).getByRole("button", { name: "Cancel imperial-cement-10q-2024q3.pdf" }));
    await waitFor(() => expect(within(drawer).queryByText(/imperial/)).toBeNull());
    await waitFor(() => expect(within(drawer).queryByText(/ends in the middle of its page table/)).toBeNull());
    await user.click(within(drawer).getByRole("button", { name: "Pause" }));
    expect(await within(drawer).findByRole("button", { name: "Resume" })).toBeTruthy();
  });

  it("offers what was asked and added last before the next question", async () => {
    const { user } = await renderApp();
    await user.type(await screen.findByTestId("composer"), "How did revenue develop?{Enter}");
    await screen.findByTestId("coverage");
    await user.click(screen.getByTestId("new-conversation"));
    const asked = within(await screen.findByRole("region", { name: "Lately asked" }));
    const added = within(screen.getByRole("region", { name: "Lately added" }));
    expect(added.getAllByRole("button").length).toBe(5);
    await user.click(added.getByRole("button", { name: "Harbour Rail concession agreement" }));
    expect((await screen.findByTestId("reader-title")).textContent).toBe("Harbour Rail concession agreement");
    await user.click(asked.getByRole("button", { name: "How did revenue develop?" }));
    expect((await screen.findByTestId("answer")).textContent).toContain("Revenue rose by 15 %");
  });

  it("offers no questions about documents it knows nothing of", async () => {
    await renderApp();
    await screen.findAllByTestId("document-row");
    await screen.findByText(/^all \d+ documents$/);
    expect(screen.queryByTestId("examples")).toBeNull();
  });

  it("says where questions go when they leave the machine", async () => {
    await renderApp({ model: "remote" });
    expect(screen.getByTestId("model-status").textContent).toBe("gpt-4.1 · sends to api.openai.com");
  });

  it("becomes a row of icons in a narrow window", async () => {
    window.innerWidth = 900;
    const { user } = await renderApp();
    expect(screen.queryByTestId("library")).toBeNull();
    await user.click(screen.getByTestId("toggle-library"));
    expect(await screen.findByTestId("library")).toBeTruthy();
  });
});

describe("axe finds nothing serious", () => {
  it("in an empty library", async () => {
    await renderApp({ library: "empty" });
    await screen.findByTestId("empty-library");
    expect(await seriousViolations()).toEqual([]);
  });

  it("in an answer with its reader and the queue open", async () => {
    const { user } = await renderApp({ busy: true });
    await ask(user, question);
    await screen.findByTestId("verdict-summary");
    await user.click(await screen.findByTestId("chip-1"));
    await screen.findByTestId("page-21");
    await user.click(screen.getByTestId("queue"));
    expect(await seriousViolations()).toEqual([]);
  });

  it("in the help, a refusal and a document without pages", async () => {
    const { user } = await renderApp();
    await ask(user, "What will the weather be?");
    await screen.findByTestId("refusal");
    expect(await seriousViolations()).toEqual([]);
    await ask(user, question);
    await screen.findByTestId("verdict-summary");
    await user.click(await screen.findByTestId("chip-3"));
    await screen.findByTestId("mark-quote");
    expect(await seriousViolations()).toEqual([]);
    await user.keyboard("?");
    await screen.findByTestId("help");
    expect(await seriousViolations()).toEqual([]);
  });
});
