import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { answerHtml } from "@/features/conversation/answer-html";
import { ask, renderApp } from "./render-app";
import { citation } from "./samples";

async function answered() {
  const app = await renderApp();
  await ask(app.user, "How large was the change in revenue?");
  await screen.findByTestId("verdict-summary");
  return app;
}

describe("copying an answer", () => {
  it("takes its references with it, by button and by key", async () => {
    const { user } = await answered();
    const write = vi.spyOn(navigator.clipboard, "writeText");
    await user.click(screen.getByRole("button", { name: "Copy with references" }));
    expect(write).toHaveBeenLastCalledWith(
      expect.stringContaining("[1] Meridian Instruments 10-Q, third quarter 2024, p. 18 · PDF 21."),
    );
    expect(await screen.findByRole("button", { name: "Copied" })).toBeTruthy();
    screen.getByTestId("transcript").focus();
    await user.keyboard("{Shift>}C{/Shift}");
    await waitFor(() => expect(write).toHaveBeenLastCalledWith(expect.stringContaining("“Gross margin was 47.2%")));
  });
});

describe("exporting a conversation", () => {
  it("copies it as Markdown", async () => {
    const { user } = await answered();
    const write = vi.spyOn(navigator.clipboard, "writeText");
    await user.click(screen.getByTestId("conversation-menu"));
    await user.click(await screen.findByRole("menuitem", { name: "Copy as Markdown" }));
    expect(write).toHaveBeenCalledWith(expect.stringMatching(/^# How large was the change in revenue\?\n\n## /));
  });

  it("saves it as a page of its own under the name of its first question", async () => {
    const { user, ipc } = await answered();
    const save = vi.spyOn(ipc.commands, "saveTextFile");
    await user.click(screen.getByTestId("conversation-menu"));
    await user.click(await screen.findByRole("menuitem", { name: "Save as a web page…" }));
    await waitFor(() => expect(ipc.saved).toEqual(["How large was the change in revenue.html"]));
    expect(save.mock.calls[0]?.[1]).toMatch(/^<!doctype html>/i);
  });

  it("makes HTML in which nothing a model wrote is code, and numbers lead to their references", () => {
    const html = answerHtml(
      {
        question: "?",
        text: "Rose.[1] <script>alert(1)</script> ![x](https://evil.example/x.png) [a](javascript:alert(1)) | not [7]",
        citations: [citation({ index: 1 })],
      },
      0,
    );
    expect(html).toContain('<a class="n" href="#a1-1">[1]</a>');
    expect(html).not.toMatch(/<script|<img|javascript:|href="#a1-7"/);
  });

  it("makes formulas of formulas, and lets them link to nothing", () => {
    const text = "So \\(g = \\frac{a}{b}\\).[1] And \\(\\href{https://evil.example}{x}\\), \\(\\frac{\\).";
    const html = answerHtml({ question: "?", text, citations: [citation({ index: 1 })] }, 0);
    expect(html).toContain("<mfrac>");
    expect(html).toContain('<a class="n" href="#a1-1">[1]</a>');
    expect(html).toContain("<code>\\frac{</code>");
    expect(html).not.toContain('href="https://evil.example');
  });
});
