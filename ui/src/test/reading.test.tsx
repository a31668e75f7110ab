import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { useReader } from "@/features/reader/reader-state";
import { targetOfDocument, useView } from "@/state/view";
import { seriousViolations } from "./axe";
import { ask, renderApp } from "./render-app";

const meridian = { collection: "Q3 filings", documentId: "7c0d41a2-0001", title: "Meridian" };
const notes = { collection: "Q3 filings", documentId: "7c0d41a2-0004", title: "Notes" };
const scorecard = { collection: "Concessions", documentId: "7c0d41a2-0005", title: "Scorecard" };

/** Opens a document in the window, at one of its pages. */
async function read(document: typeof meridian, page = 1) {
  const app = await renderApp();
  await act(async () => useView.getState().open({ ...targetOfDocument(document), page, resume: false }));
  return app;
}

/** Selects words of a page, from the first to the last given by their number, and lets go of the pointer. */
async function selectWords(page: number, from: number, to: number) {
  const words = (await screen.findByTestId(`text-${page}`)).querySelectorAll("[data-word]");
  const selection = window.getSelection();
  const range = document.createRange();
  range.setStart(words[from]?.firstChild as Node, 0);
  range.setEnd(words[to]?.firstChild as Node, words[to]?.textContent?.trim().length ?? 0);
  await act(async () => {
    selection?.removeAllRanges();
    selection?.addRange(range);
    fireEvent.pointerUp(document.body);
  });
}

describe("the words of a page", () => {
  it("lie over its picture in shares of the page, and are copied with spaces and line breaks", async () => {
    await read(meridian, 21);
    const layer = await screen.findByTestId("text-21");
    const words = layer.querySelectorAll<HTMLElement>("[data-word]");
    expect(words[0]?.textContent).toBe("Item ");
    expect(words[0]?.style.left).toBe("11.7647%");
    expect(words[0]?.style.top).toBe("9.0909%");
    await selectWords(21, 4, 8);
    const clipboardData = { setData: vi.fn() };
    fireEvent.copy(layer, { clipboardData });
    expect(clipboardData.setData).toHaveBeenCalledWith("text/plain", "and Analysis\nResults of operations");
  });

  it("can be asked about, looked for in the library and copied as a quotation with its page", async () => {
    const { user } = await read(meridian, 21);
    const write = vi.spyOn(navigator.clipboard, "writeText");
    await selectWords(21, 6, 8);
    await user.click(await screen.findByRole("button", { name: "Copy as quote" }));
    expect(write).toHaveBeenCalledWith(
      "“Results of operations” (Meridian Instruments 10-Q, third quarter 2024, p. 18)",
    );
    await user.click(screen.getByRole("button", { name: "Ask about this" }));
    await waitFor(() =>
      expect((screen.getByTestId("composer") as HTMLTextAreaElement).value).toBe("About “Results of operations”: "),
    );
    expect(screen.queryByTestId("selection-menu")).toBeNull();
    await selectWords(21, 6, 8);
    await user.click(await screen.findByRole("button", { name: "Find in library" }));
    expect(useView.getState()).toMatchObject({ searchOpen: true, searchQuery: "Results of operations" });
  });

  it("take their links with them: inside at once, outside only after the address was shown", async () => {
    const { user, ipc } = await read(meridian);
    await user.click(await screen.findByRole("button", { name: "Link to https://investors.meridian.example/10q" }));
    expect(ipc.opened).toEqual([]);
    await user.click(await screen.findByRole("button", { name: "Open" }));
    expect(ipc.opened).toEqual(["https://investors.meridian.example/10q"]);
    await user.click(screen.getByRole("button", { name: "Go to page 21 of the file" }));
    await waitFor(() => expect(screen.getByTestId("page-indicator").textContent).toBe("p. 18 · PDF 21/48"));
    await user.click(screen.getByRole("button", { name: /^Back to the place before/ }));
    await waitFor(() => expect(screen.getByTestId("page-indicator").textContent).toBe("p. i · PDF 1/48"));
  });
});

describe("finding words in a document", () => {
  it("marks every place on the pages, counts them and goes from one to the next", async () => {
    const { user } = await read(meridian, 21);
    await screen.findByTestId("page-21");
    await user.keyboard("{Control>}f{/Control}");
    await user.type(await screen.findByTestId("find-words"), "gross margin");
    await waitFor(() => expect(screen.getByTestId("find-count").textContent).toBe("1 of 1"));
    const found = within(screen.getByTestId("page-21")).getAllByTestId("box-find");
    expect(found).toHaveLength(1);
    expect(found[0]?.dataset.current).toBe("true");
    await user.clear(screen.getByTestId("find-words"));
    await user.paste("warranty obligations");
    await waitFor(() => expect(screen.getByTestId("find-count").textContent).toMatch(/^\d+ of \d\d+$/));
    const [at, total] = (screen.getByTestId("find-count").textContent ?? "").split(" of ").map(Number);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.getByTestId("find-count").textContent).toBe(`${(at ?? 0) + 1} of ${total}`));
    await user.keyboard("{Shift>}{Enter}{/Shift}");
    await waitFor(() => expect(screen.getByTestId("find-count").textContent).toBe(`${at} of ${total}`));
    await user.keyboard("{Escape}");
    expect(screen.queryByTestId("find-words")).toBeNull();
    expect(screen.queryByTestId("box-find")).toBeNull();
    expect(screen.getByTestId("reader")).toBeTruthy();
  });

  it("leaves a citation that is opened in another document where it is, and marks the words there too", async () => {
    const { user } = await renderApp();
    await ask(user, "How can the agreement be terminated?");
    await screen.findByTestId("verdict-summary");
    await user.click(await screen.findByTestId("chip-9"));
    await screen.findByTestId("mark-quote");
    await user.keyboard("{Control>}f{/Control}");
    await user.type(await screen.findByTestId("find-words"), "estimates");
    await user.click(await screen.findByTestId("chip-8"));
    expect(await screen.findByTestId("page-17")).toBeTruthy();
    await waitFor(() => expect(screen.getByTestId("find-count").textContent).toMatch(/^\d+ of \d+$/));
    expect(screen.getByTestId("page-indicator").textContent).toBe("p. 17 · PDF 17/62");
  });

  it("says so when there is none", async () => {
    const { user } = await read(meridian);
    await user.keyboard("{Control>}f{/Control}");
    await user.type(await screen.findByTestId("find-words"), "zzz");
    await waitFor(() => expect(screen.getByTestId("find-count").textContent).toBe("Not found"));
  });

  it("marks words of a document without pages, also inside a table", async () => {
    const { user } = await read(scorecard);
    await screen.findByTestId("laid-out");
    await user.keyboard("{Control>}f{/Control}");
    await user.type(await screen.findByTestId("find-words"), "ridgeway");
    const mark = await screen.findByTestId("mark-find");
    expect(mark.textContent).toBe("Ridgeway");
    expect(mark.closest("th")?.getAttribute("scope")).toBe("row");
  });
});

describe("finding the way", () => {
  it("lists the headings, shows which one is read and goes to another", async () => {
    const { user } = await read(meridian, 21);
    await user.click(await screen.findByRole("button", { name: /^Contents/ }));
    const contents = await screen.findByTestId("contents");
    await user.click(within(contents).getByText("Form 10-Q for the quarterly period ended September 28, 2024"));
    await waitFor(() => expect(screen.getByTestId("page-indicator").textContent).toBe("p. i · PDF 1/48"));
    expect(contents.querySelector("[aria-current=location]")?.textContent).toContain("Form 10-Q");
  });

  it("shows small pages with the citations that lie on them", async () => {
    const { user } = await renderApp();
    await ask(user, "How large was the change in revenue?");
    await screen.findByTestId("verdict-summary");
    await user.click(await screen.findByTestId("chip-1"));
    await screen.findByTestId("page-21");
    await user.click(screen.getByRole("button", { name: /^Pages/ }));
    await user.click(await screen.findByRole("button", { name: "Page i" }));
    await waitFor(() => expect(screen.getByTestId("page-indicator").textContent).toBe("p. i · PDF 1/48"));
  });

  it("turns the pages, with what is marked on them", async () => {
    const { user } = await read(meridian, 2);
    const before = await screen.findByTestId("page-2");
    const [width, height] = [before.style.width, before.style.height].map(Number.parseFloat);
    await user.click(screen.getByRole("button", { name: /^Turn the pages/ }));
    const after = screen.getByTestId("page-2");
    const turned = [after.style.width, after.style.height].map(Number.parseFloat);
    expect((turned[0] ?? 0) / (turned[1] ?? 1)).toBeCloseTo((height ?? 0) / (width ?? 1), 2);
    expect(after.querySelector<HTMLElement>(".page-turn")?.style.transform).toBe("rotate(90deg)");
  });

  it("fits the width or the whole page, and stays between 25 and 500 %", async () => {
    const { user } = await read(meridian, 2);
    await screen.findByTestId("page-2");
    await user.click(screen.getByRole("button", { name: /^Fit the page/ }));
    await waitFor(() => expect(screen.getByTestId("zoom").textContent).toBe("73 %"));
    await user.click(screen.getByRole("button", { name: /^Fit the width/ }));
    await waitFor(() => expect(screen.getByTestId("zoom").textContent).toBe("77 %"));
    for (let at = 0; at < 12; at += 1) {
      await user.keyboard("{Control>}={/Control}");
    }
    await waitFor(() => expect(screen.getByTestId("zoom").textContent).toBe("500 %"));
  });

  it("continues where a document was last read", async () => {
    const first = await read(meridian, 30);
    await screen.findByTestId("page-30");
    await waitFor(() => expect(localStorage.getItem("recto.positions")).toContain(meridian.documentId));
    first.view.unmount();
    useView.setState(useView.getInitialState(), true);
    useReader.setState(useReader.getInitialState(), true);
    await renderApp();
    await act(async () => useView.getState().open(targetOfDocument(meridian)));
    expect(await screen.findByTestId("page-30")).toBeTruthy();
  });
});

describe("the citations of an answer", () => {
  it("step through the pages a quote goes on over", async () => {
    const { user } = await renderApp();
    await ask(user, "How can the agreement be terminated?");
    await screen.findByTestId("verdict-summary");
    await user.click(await screen.findByTestId("chip-8"));
    await screen.findByTestId("page-17");
    expect(screen.getByTestId("parts").textContent).toBe("part 1 of 2");
    await user.keyboard(".");
    await waitFor(() => expect(screen.getByTestId("parts").textContent).toBe("part 2 of 2"));
    await waitFor(() => expect(screen.getByTestId("page-indicator").textContent).toBe("p. 18 · PDF 18/62"));
    await user.keyboard(",");
    await waitFor(() => expect(screen.getByTestId("parts").textContent).toBe("part 1 of 2"));
  });

  it("have a tick each beside the pages, are all marked on request, and lead back to their claim", async () => {
    const { user } = await renderApp();
    await ask(user, "How large was the change in revenue?");
    await screen.findByTestId("verdict-summary");
    await user.click(await screen.findByTestId("chip-1"));
    const page = await screen.findByTestId("page-21");
    const ticks = within(screen.getByTestId("ticks")).getAllByRole("button");
    expect(ticks.map((tick) => tick.getAttribute("aria-label"))).toEqual([
      "Citation 1, p. 18 · PDF 21",
      "Citation 2, p. 18 · PDF 21",
      "Citation 4, p. 18 · PDF 21",
    ]);
    expect(within(page).queryByTestId("box-other")).toBeNull();
    await user.click(screen.getByRole("button", { name: /^Mark every citation of this answer/ }));
    const others = within(page).getAllByTestId("box-other");
    expect(new Set(others.map((box) => box.dataset.citation))).toEqual(new Set(["2", "4"]));
    await user.click(others.find((box) => box.dataset.citation === "4") as HTMLElement);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("chip-4")));
    await user.click(screen.getByRole("button", { name: "Citation 2, p. 18 · PDF 21" }));
    await waitFor(() => expect(screen.getByTestId("current-citation").textContent).toBe("[2]"));
  });
});

it("the keys that walk the citations open the reader again after it was closed", async () => {
  const { user } = await renderApp();
  await ask(user, "How large was the change in revenue?");
  await screen.findByTestId("verdict-summary");
  await user.click(await screen.findByTestId("chip-1"));
  await screen.findByTestId("page-21");
  await user.keyboard("{Escape}");
  expect(screen.queryByTestId("reader")).toBeNull();
  await user.keyboard("]");
  await waitFor(() => expect(screen.getByTestId("current-citation").textContent).toBe("[2]"));
});

it("a citation's place is seen by Space without going there, and gone to by Enter", async () => {
  const { user } = await renderApp();
  await ask(user, "How large was the change in revenue?");
  await screen.findByTestId("verdict-summary");
  await act(async () => screen.getByTestId("chip-2").focus());
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByTestId("chip-card")).toBeNull());
  await user.keyboard(" ");
  expect((await screen.findByTestId("chip-card")).textContent).toContain("The increase was driven primarily");
  expect(screen.queryByTestId("page-21")).toBeNull();
  await user.keyboard("{Enter}");
  expect(await screen.findByTestId("page-21")).toBeTruthy();
});

describe("a document without pages", () => {
  it("is laid out with its sheets, and tables with the cells that span and head others", async () => {
    await read(scorecard);
    const text = await screen.findByTestId("laid-out");
    expect(
      within(text)
        .getAllByTestId("place")
        .map((place) => place.textContent),
    ).toEqual(["Sheet “Sites”", "Sheet “Prices”"]);
    const [table] = within(text).getAllByRole("table");
    const cell = (name: string) =>
      within(table as HTMLElement)
        .getByText(name)
        .closest("th, td") as HTMLTableCellElement;
    expect(cell("2024").colSpan).toBe(2);
    expect(cell("Site").rowSpan).toBe(2);
    expect(cell("Second half").getAttribute("scope")).toBe("col");
    expect(cell("Ridgeway").getAttribute("scope")).toBe("row");
    expect(cell("83.7 %").tagName).toBe("TD");
  });

  it("outlines the cell that was cited", async () => {
    const { user } = await renderApp();
    await ask(user, "How can the agreement be terminated?");
    await screen.findByTestId("verdict-summary");
    await user.click(await screen.findByTestId("chip-9"));
    const mark = await screen.findByTestId("mark-quote");
    expect(mark.textContent).toBe("83.7 %");
    expect(mark.closest("td")?.dataset.cited).toBe("true");
    expect(document.querySelectorAll("[data-cited=true]")).toHaveLength(1);
  });

  it("nests its lists and keeps code and footnotes apart", async () => {
    await read(notes);
    const text = await screen.findByTestId("laid-out");
    const inner = within(text).getByText("Of that, services at least $760 million.");
    expect(inner.closest("li")?.parentElement?.closest("li")?.textContent).toContain("Fourth-quarter revenue");
    expect(
      within(text)
        .getByText(/^backlog = signed_contracts/)
        .closest("pre"),
    ).not.toBeNull();
    expect(within(text).getByText(/^Backlog is not a measure/).className).toBe("laid-out-footnote");
  });
});

it("axe finds nothing serious in the reader with its panels, its search and a table", async () => {
  const { user } = await read(scorecard);
  await user.keyboard("{Control>}f{/Control}");
  await user.click(screen.getByRole("button", { name: /^Contents/ }));
  await screen.findByRole("complementary", { name: "Contents" });
  expect(await seriousViolations(screen.getByTestId("reader"))).toEqual([]);
});
