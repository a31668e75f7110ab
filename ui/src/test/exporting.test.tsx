import { screen, waitFor } from "@testing-library/react";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it, vi } from "vitest";
import { answerHtml } from "@/features/conversation/answer-html";
import { fromBase64 } from "@/lib/base64";
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
    const page = save.mock.calls[0]?.[1] ?? "";
    expect(page).toMatch(/^<!doctype html>/i);
    // Three of the four citations stand on pages; the notes of the call have none.
    expect(page.match(/<img src="data:image\/png;base64,/g)).toHaveLength(3);
    expect(page).toContain("2 quotes verbatim · 2 matched by meaning · 1 figure not found");
  });

  it("saves it as a Word document with the place of each reference on its page", async () => {
    const { user, ipc } = await answered();
    const draw = vi.spyOn(ipc.commands, "pagePicture");
    await user.click(screen.getByTestId("conversation-menu"));
    await user.click(await screen.findByRole("menuitem", { name: "Save as a Word document…" }));
    await waitFor(() => expect(ipc.saved).toEqual(["How large was the change in revenue.docx"]));
    const parts = unzipSync(fromBase64(ipc.lastSaved() ?? ""));
    expect(Object.keys(parts).filter((name) => name.startsWith("word/media/"))).toHaveLength(3);
    const text = new DOMParser()
      .parseFromString(strFromU8(parts["word/document.xml"] as Uint8Array), "application/xml")
      .querySelector("body")?.textContent;
    expect(text).toContain(
      "[4] Meridian Instruments 10-Q, third quarter 2024, p. 18 · PDF 21. “Gross margin was 47.2%",
    );
    for (const [{ crop, highlights }] of draw.mock.calls) {
      expect(highlights.length).toBeGreaterThan(0);
      expect(highlights.every((box) => box.page === crop.page && box.top >= crop.top - 1)).toBe(true);
    }
  });

  it("leaves out the pictures of pages that can no longer be drawn", async () => {
    const { user, ipc } = await answered();
    vi.spyOn(ipc.commands, "pagePicture").mockResolvedValue({
      status: "error",
      error: { code: "not_found", message: "The original file is no longer in the library.", retryable: false },
    });
    await user.click(screen.getByTestId("export-answer"));
    await user.click(await screen.findByRole("menuitem", { name: "Save as a Word document…" }));
    await waitFor(() => expect(ipc.saved).toHaveLength(1));
    const parts = unzipSync(fromBase64(ipc.lastSaved() ?? ""));
    expect(Object.keys(parts).some((name) => name.startsWith("word/media/"))).toBe(false);
    expect(strFromU8(parts["word/document.xml"] as Uint8Array)).toContain("Gross margin was 47.2%");
  });

  it("makes HTML in which nothing a model wrote is code, and numbers lead to their references", () => {
    const html = answerHtml(
      {
        question: "?",
        text: "Rose.[1] <script>alert(1)</script> ![x](https://evil.example/x.png) [a](javascript:alert(1)) | not [7]",
        citations: [citation({ index: 1 })],
        notes: [],
      },
      0,
    );
    expect(html).toContain('<a class="n" href="#a1-1">[1]</a>');
    expect(html).not.toMatch(/<script|<img|javascript:|href="#a1-7"/);
  });

  it("makes formulas of formulas, and lets them link to nothing", () => {
    const text = "So \\(g = \\frac{a}{b}\\).[1] And \\(\\href{https://evil.example}{x}\\), \\(\\frac{\\).";
    const html = answerHtml({ question: "?", text, citations: [citation({ index: 1 })], notes: [] }, 0);
    expect(html).toContain("<mfrac>");
    expect(html).toContain('<a class="n" href="#a1-1">[1]</a>');
    expect(html).toContain("<code>\\frac{</code>");
    expect(html).not.toContain('href="https://evil.example');
  });
});
