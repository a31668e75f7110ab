import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { ConversationSummary } from "@/ipc/bindings";
import { fakeIpc } from "@/ipc/fake";
import { seriousViolations } from "./axe";
import { ask, renderApp } from "./render-app";

/** Puts words into a field all at once. */
async function put(user: Awaited<ReturnType<typeof renderApp>>["user"], field: string, words: string) {
  await user.click(await screen.findByTestId(field));
  await user.paste(words);
}

describe("search by words", () => {
  it("shows passages with the words marked, narrows them down and opens one at its place", async () => {
    const { user } = await renderApp();
    await user.keyboard("{Control>}{Shift>}[KeyF]{/Shift}{/Control}");
    await put(user, "search-field", "rolling stock residual");
    const [result] = await screen.findAllByTestId("search-result");
    expect(result?.textContent).toContain("Harbour Rail concession agreement");
    expect([...(result?.querySelectorAll("mark") ?? [])].map((mark) => mark.textContent)).toEqual([
      "Rolling",
      "Stock",
      "Residual",
    ]);
    expect(await screen.findByTestId("search-crop")).toBeTruthy();
    await user.keyboard("{Enter}");
    expect(await screen.findByTestId("page-17")).toBeTruthy();
    expect(screen.getByTestId("search-pane")).toBeTruthy();
  });

  it("counts by collection and by document", async () => {
    const { user } = await renderApp();
    await user.keyboard("{Control>}{Shift>}[KeyF]{/Shift}{/Control}");
    await put(user, "search-field", "services");
    const before = (await screen.findAllByTestId("search-result")).length;
    await user.click(
      within(screen.getByRole("group", { name: "By collection" })).getByRole("button", { name: /^Q3 filings/ }),
    );
    const after = screen.getAllByTestId("search-result");
    expect(after.length).toBeLessThan(before);
    const documents = within(screen.getByRole("group", { name: "By document" })).getAllByRole("button");
    await user.click(documents[0] as HTMLElement);
    expect(
      new Set(screen.getAllByTestId("search-result").map((row) => row.querySelector("p span")?.textContent)).size,
    ).toBe(1);
  });

  it("keeps what was typed as a question, and says when nothing was found", async () => {
    const { user } = await renderApp();
    await user.type(screen.getByTestId("composer"), "Half a question");
    await user.keyboard("{Control>}{Shift>}[KeyF]{/Shift}{/Control}");
    await put(user, "search-field", "zzz");
    await waitFor(() => expect(screen.getByTestId("search-summary").textContent).toContain("No passage holds “zzz”"));
    await user.keyboard("{Escape}");
    expect(screen.queryByTestId("search-pane")).toBeNull();
    expect((screen.getByTestId("composer") as HTMLTextAreaElement).value).toBe("Half a question");
  });

  it("is usable to those who do not see it", async () => {
    const { user } = await renderApp();
    await user.keyboard("{Control>}{Shift>}[KeyF]{/Shift}{/Control}");
    await put(user, "search-field", "residual value");
    await screen.findAllByTestId("search-result");
    const field = screen.getByTestId("search-field");
    const active = document.getElementById(field.getAttribute("aria-activedescendant") ?? "");
    expect(active?.getAttribute("aria-selected")).toBe("true");
    expect(await seriousViolations()).toEqual([]);
  });
});

describe("the palette", () => {
  it("goes to a document by a few letters of its name", async () => {
    const { user } = await renderApp();
    await screen.findAllByTestId("document-row");
    await user.keyboard("{Control>}[KeyK]{/Control}");
    await put(user, "palette-field", "harb conc");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByTestId("palette")).toBeNull());
    await waitFor(() =>
      expect(screen.getByTestId("reader-title").textContent).toBe("Harbour Rail concession agreement"),
    );
  });

  it("runs actions, shows collections and searches for what has no name", async () => {
    const { user } = await renderApp();
    await screen.findAllByTestId("document-row");
    await user.click(screen.getByTestId("open-palette"));
    await put(user, "palette-field", "q3 fil");
    await user.click(within(screen.getByRole("group", { name: "Collections" })).getByRole("option"));
    await waitFor(() =>
      expect(screen.getByRole("button", { name: /^Q3 filings \d+: show/ }).getAttribute("aria-current")).toBe("true"),
    );
    await user.click(screen.getByTestId("open-palette"));
    await put(user, "palette-field", "show or hide the queue");
    await user.keyboard("{Enter}");
    expect(await screen.findByTestId("queue-drawer")).toBeTruthy();
    await user.click(screen.getByTestId("open-palette"));
    await put(user, "palette-field", "residual value");
    expect(await seriousViolations()).toEqual([]);
    await user.keyboard("{Enter}");
    expect(((await screen.findByTestId("search-field")) as HTMLInputElement).value).toBe("residual value");
  });
});

it("the history is filtered by words of the titles and of what was said", async () => {
  const ipc = fakeIpc({ pace: 0 });
  const { user } = await renderApp({}, ipc);
  for (const question of ["Revenue?", "Margins?", "Terminate?", "Cash?", "Weather?"]) {
    await ask(user, question);
    await waitFor(() => expect(screen.getByTestId("send")).toBeTruthy());
    await user.click(screen.getByTestId("new-conversation"));
  }
  await waitFor(() => expect(screen.getAllByTestId("history-item")).toHaveLength(5));
  const filter = screen.getByRole("searchbox", { name: "Filter conversations" });
  const shown = () => screen.getAllByTestId("history-item").map((item) => item.textContent);
  await user.type(filter, "margins?");
  await waitFor(() => expect(shown()).toEqual(["Margins?"]));
  await user.clear(filter);
  const { data } = (await ipc.commands.searchConversations("revenue 1,577")) as { data: ConversationSummary[] };
  expect(data.length).toBeGreaterThan(0);
  await user.type(filter, "revenue 1,577");
  await waitFor(() => expect(shown().sort()).toEqual(data.map(({ title }) => title).sort()));
});

it("F6 goes from pane to pane", async () => {
  const { user } = await renderApp();
  await screen.findAllByTestId("document-row");
  await act(async () => screen.getByTestId("composer").focus());
  await user.keyboard("{F6}");
  expect(document.activeElement?.closest("[data-testid=library]")).not.toBeNull();
  await user.keyboard("{F6}");
  expect(document.activeElement?.closest("[data-testid=conversation]")).not.toBeNull();
});
