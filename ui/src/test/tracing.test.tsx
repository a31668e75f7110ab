import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { seriousViolations } from "./axe";
import { ask, renderApp } from "./render-app";

const question = "How large was the change in revenue?";

describe("what the model saw", () => {
  it("is shown as it was sent, and searched", async () => {
    const { user } = await renderApp();
    await ask(user, question);
    await user.click(await screen.findByTestId("open-trace"));
    const trace = within(await screen.findByTestId("trace"));
    const call = within(await trace.findByTestId("trace-call"));
    expect(call.getByText(/^Answer from the numbered passages alone/)).toBeTruthy();
    expect(
      call.getByText(/\[1\] Meridian Instruments 10-Q, third quarter 2024\nNet revenue/, {
        normalizer: (text) => text,
      }),
    ).toBeTruthy();
    expect(trace.getByText(/qwen3-8b · from passages · 1 call · 2,913 tokens read, 148 written · 4.2 s/)).toBeTruthy();
    expect(await seriousViolations(screen.getByTestId("trace"))).toEqual([]);

    await user.type(trace.getByRole("searchbox"), "gross MARGIN");
    await waitFor(() => expect(trace.getByRole("status").textContent).toMatch(/^[1-9]\d* places?$/));
    const marks = screen.getByTestId("trace").querySelectorAll("mark");
    expect(marks.length).toBeGreaterThan(0);
    expect([...marks].every((mark) => mark.textContent?.toLowerCase() === "gross margin")).toBe(true);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByTestId("trace")).toBeNull());
  });

  it("is not offered where no model was asked", async () => {
    const { user } = await renderApp({ model: "none" });
    await ask(user, question);
    await screen.findByTestId("verdict-summary");
    expect(screen.queryByTestId("open-trace")).toBeNull();
  });

  it("says why it cannot be shown", async () => {
    const { user, ipc } = await renderApp();
    await ask(user, question);
    vi.spyOn(ipc.commands, "answerTrace").mockResolvedValue({
      status: "error",
      error: { code: "not_found", message: "Nothing was kept of how this answer came about.", retryable: false },
    });
    await user.click(await screen.findByTestId("open-trace"));
    expect(await screen.findByText("Nothing was kept of how this answer came about.")).toBeTruthy();
  });
});

describe("an answer that says it rests on nothing it was given", () => {
  it("is told apart from one that says nothing", async () => {
    const { user, ipc } = await renderApp();
    await ask(user, question);
    await screen.findByTestId("verdict-summary");
    const original = ipc.commands.getConversation;
    vi.spyOn(ipc.commands, "getConversation").mockImplementation(async (id) => {
      const kept = await original(id);
      if (kept.status === "ok") {
        kept.data.answers = kept.data.answers.map((answer) => ({ ...answer, grounding: "ungrounded" as const }));
      }
      return kept;
    });
    await user.click(screen.getByTestId("new-conversation"));
    await user.click(await screen.findByTestId("history-item"));
    expect((await screen.findByTestId("ungrounded")).textContent).toContain("rests on none of the passages");
  });
});
