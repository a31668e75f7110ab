import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { useView } from "@/state/view";
import { seriousViolations } from "./axe";
import { ask, renderApp } from "./render-app";

const question = "How large was the change in revenue, and why?";
type User = Awaited<ReturnType<typeof renderApp>>["user"];

async function askedAgain(user: User, entry: string | RegExp) {
  await user.click(screen.getAllByTestId("ask-again")[0] as HTMLElement);
  await user.click(await screen.findByRole("menuitem", { name: entry }));
}

async function answered(count: number): Promise<HTMLElement> {
  await waitFor(() => expect(screen.getAllByTestId("coverage")).toHaveLength(count));
  return screen.getAllByTestId("answer").at(-1) as HTMLElement;
}

describe("a question", () => {
  it("is changed where it stands and asked as the next one, of what it was asked of before", async () => {
    const { user } = await renderApp();
    const row = (await screen.findAllByTestId("document-row")).find(({ textContent }) =>
      textContent?.includes("Harbour Rail"),
    );
    await user.click(within(row as HTMLElement).getByRole("checkbox"));
    await ask(user, "How can the agreement be ended?");
    await answered(1);
    await act(async () => useView.getState().clearScope());
    await user.click(screen.getByTestId("edit-question"));
    const field = within(screen.getByTestId("question-editor")).getByRole("textbox");
    expect(document.activeElement).toBe(field);
    expect(await seriousViolations()).toEqual([]);
    await user.clear(field);
    await user.type(field, "How can it be terminated?{Enter}");
    const next = await answered(2);
    expect(within(next).getByRole("heading", { name: "How can it be terminated?" })).toBeTruthy();
    expect(within(next).getByTestId("coverage").textContent).toContain("Searched 1 of 1 document;");
  });

  it("is left as it was by Escape, and the focus goes back to where it came from", async () => {
    const { user } = await renderApp();
    await ask(user, question);
    await answered(1);
    await user.click(screen.getByTestId("edit-question"));
    await user.keyboard(" indeed{Escape}");
    expect(screen.queryByTestId("question-editor")).toBeNull();
    expect(screen.getByRole("heading", { name: question })).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByTestId("edit-question"));
  });

  it("cannot be changed or asked again while an answer is being written", async () => {
    const { user } = await renderApp({ holdAfter: 8 });
    await ask(user, question);
    await screen.findByText(/Revenue rose/);
    expect(screen.queryByTestId("edit-question")).toBeNull();
    expect(screen.queryByTestId("ask-again")).toBeNull();
  });

  it("is asked again by quotes alone, with the model that is set up, and with one that is named", async () => {
    const { user } = await renderApp();
    await ask(user, question);
    await answered(1);
    await askedAgain(user, "Answer with quotes alone");
    const quotes = await answered(2);
    await waitFor(() => expect(quotes.querySelectorAll("blockquote").length).toBeGreaterThan(3));
    expect(within(quotes).getByTestId("coverage").textContent).not.toContain("qwen3-8b");
    await askedAgain(user, "Answer with another model…");
    await user.type(await screen.findByLabelText("Name of the model"), "gemma-27b");
    expect(await seriousViolations()).toEqual([]);
    await user.keyboard("{Enter}");
    expect(within(await answered(3)).getByTestId("coverage").textContent).toContain("gemma-27b");
  });

  it("is asked again by reading whole sections of the documents", async () => {
    const { user, ipc } = await renderApp();
    await ask(user, question);
    await answered(1);
    const asked = vi.spyOn(ipc.commands, "ask");
    await askedAgain(user, "Read whole sections with qwen3-8b");
    await answered(2);
    expect(asked.mock.calls[0]?.[0]).toMatchObject({ question, strategy: "outline" });
  });

  it("offers no model where none is set up", async () => {
    const { user } = await renderApp({ model: "none" });
    await ask(user, question);
    await answered(1);
    await user.click(screen.getByTestId("ask-again"));
    expect((await screen.findAllByRole("menuitem")).map((entry) => entry.textContent)).toEqual(["Ask again"]);
  });
});

describe("the next question", () => {
  it("is limited to a kind of document and to what was added of late", async () => {
    const { user } = await renderApp();
    await screen.findAllByTestId("document-row");
    await user.click(await screen.findByRole("button", { name: "Limit…" }));
    expect(await seriousViolations()).toEqual([]);
    await user.click(await screen.findByRole("menuitemradio", { name: "Excel" }));
    await user.click(screen.getByRole("button", { name: "Limit…" }));
    await user.click(await screen.findByRole("menuitemradio", { name: "added in the last 7 days" }));
    const scope = within(screen.getByTestId("scope"));
    expect(scope.getByText("Excel")).toBeTruthy();
    await ask(user, "What will the weather be?");
    expect(within(await answered(1)).getByTestId("coverage").textContent).toContain("Searched 1 of 1 document;");
    await user.click(scope.getByRole("button", { name: "Stop limiting to Excel" }));
    expect(scope.queryByText("Excel")).toBeNull();
    expect(scope.getByText("added in the last 7 days")).toBeTruthy();
  });
});

describe("an answer that failed", () => {
  it("can be made of quotes alone, or with the models looked after first", async () => {
    const { user } = await renderApp();
    await ask(user, "Please fail");
    await user.click(await screen.findByRole("button", { name: "Models and where they run" }));
    expect(await screen.findByTestId("settings-models")).toBeTruthy();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByTestId("settings")).toBeNull());
    await user.click(screen.getByRole("button", { name: "Answer with quotes alone" }));
    await waitFor(() => expect(screen.getAllByTestId("answer")).toHaveLength(2));
  });
});

describe("the figures of an answer", () => {
  it("are underlined where the check did not find them or they were computed, and say so", async () => {
    const { user } = await renderApp();
    await ask(user, question);
    await answered(1);
    const missing = await screen.findByTestId("figure-missing");
    expect(missing.textContent).toBe("1.6 points");
    expect(screen.getByTestId("figure-computed").textContent).toBe("$206 million");
    await act(async () => missing.focus());
    expect((await screen.findByRole("tooltip")).textContent).toBe("This figure is not in the words cited by [4].");
    expect(await seriousViolations()).toEqual([]);
  });
});

describe("the line of what was searched", () => {
  it("shows what the question was understood to be about; it is narrowed to that and widened again", async () => {
    const { user } = await renderApp();
    await ask(user, "What was the revenue of Meridian in the third quarter?");
    const first = await answered(1);
    const understood = within(first).getByTestId("understood");
    expect(understood.textContent).toContain("Meridian Instruments 10-Q, third quarter 2024“Meridian” “third quarter”");
    await user.click(within(understood).getByTestId("narrow"));
    const narrowed = await answered(2);
    expect(within(narrowed).getByTestId("coverage").textContent).toContain("Searched 1 of 1 document;");
    expect(within(screen.getByTestId("scope")).getByText(/^Meridian/)).toBeTruthy();
    expect(await seriousViolations()).toEqual([]);
    await user.click(within(narrowed).getByTestId("widen"));
    expect(within(await answered(3)).getByTestId("coverage").textContent).toContain("Searched 12 of 12 documents;");
    expect(within(screen.getByTestId("scope")).queryByText(/^Meridian/)).toBeNull();
  });

  it("opens a document that the question was understood to be about", async () => {
    const { user } = await renderApp();
    await ask(user, "What does the Harbour agreement say?");
    const understood = within(await answered(1)).getByTestId("understood");
    await user.click(within(understood).getByRole("button", { name: "Harbour Rail concession agreement" }));
    await waitFor(() => expect(screen.getByTestId("reader").dataset.documentId).toBe("7c0d41a2-0002"));
  });
});

describe("a refusal", () => {
  it("leads on: to other words, to a search, to all documents", async () => {
    const { user } = await renderApp();
    await user.click(await screen.findByRole("checkbox", { name: "Ask only the collection Concessions" }));
    await ask(user, "What will the weather be?");
    const refusal = within(await screen.findByTestId("refusal"));
    await user.click(refusal.getByRole("button", { name: "Search for its words" }));
    expect(((await screen.findByTestId("search-field")) as HTMLInputElement).value).toBe("What will the weather be?");
    await user.keyboard("{Escape}");
    await user.click(refusal.getByRole("button", { name: "Edit the question" }));
    expect(screen.getByTestId("question-editor")).toBeTruthy();
    await user.keyboard("{Escape}");
    await user.click(refusal.getByTestId("widen"));
    const widened = await answered(2);
    expect(within(widened).getByTestId("coverage").textContent).toContain("Searched 12 of 12 documents;");
    expect(within(widened).queryByTestId("widen")).toBeNull();
  });

  it("says when there was nothing to ask", async () => {
    const { user, ipc } = await renderApp();
    await ipc.commands.createCollection("Nothing yet");
    await user.click(await screen.findByRole("checkbox", { name: "Ask only the collection Nothing yet" }));
    await ask(user, question);
    expect(within(await screen.findByTestId("refusal")).getByText("There was nothing to ask")).toBeTruthy();
  });
});
