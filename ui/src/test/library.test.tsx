import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { seriousViolations } from "./axe";
import { ask, renderApp } from "./render-app";

function titles(): string[] {
  return screen.getAllByTestId("document-row").map((row) => row.querySelector("button span")?.textContent ?? "");
}

async function library() {
  const app = await renderApp();
  await screen.findAllByTestId("document-row");
  return app;
}

describe("the list of documents", () => {
  it("is narrowed by words, tags and problems", async () => {
    const { user } = await library();
    const narrow = within(screen.getByRole("group", { name: "Narrow the list" }));
    await user.click(narrow.getByRole("button", { name: "audited 2" }));
    expect(titles()).toEqual([
      "Meridian Instruments 10-Q, third quarter 2024",
      "Northfield Water Authority annual report 2023",
    ]);
    await user.click(narrow.getByRole("button", { name: "10-Q 1" }));
    expect(titles()).toEqual(["Meridian Instruments 10-Q, third quarter 2024"]);
    await user.click(narrow.getByRole("button", { name: "10-Q 1" }));
    await user.click(narrow.getByRole("button", { name: "audited 2" }));
    await user.click(narrow.getByRole("button", { name: "Problems 1" }));
    expect(titles()).toEqual(["Everline Energy 10-Q, third quarter 2024"]);
    await user.type(screen.getByRole("searchbox", { name: "Filter by title" }), "zzz");
    expect(screen.getByText("No document has “zzz” in its title.")).toBeTruthy();
  });

  it("limits the question to the tags it is narrowed to", async () => {
    const { user } = await library();
    await user.click(screen.getByRole("button", { name: "contract 1" }));
    await user.click(screen.getByRole("button", { name: "Ask only these" }));
    expect(within(screen.getByTestId("scope")).getByText("contract")).toBeTruthy();
    await ask(user, "What will the weather be?");
    await waitFor(() => expect(screen.getByTestId("coverage").textContent).toContain("Searched 1 of 1 document;"));
    await user.click(screen.getByRole("button", { name: "Stop limiting to contract" }));
    expect(within(screen.getByTestId("scope")).queryByText("contract")).toBeNull();
  });

  it("keeps the order that was chosen for the next start", async () => {
    const { user, view } = await library();
    await user.selectOptions(screen.getByRole("combobox", { name: "Order of the documents" }), "longest");
    expect(titles()[0]).toBe("Kestrel Airport master concession");
    view.unmount();
    await library();
    expect(titles()[0]).toBe("Kestrel Airport master concession");
  });

  it("deletes the ticked documents together, and brings them back together", async () => {
    const { user } = await library();
    for (const title of ["Albion Foods 10-Q, third quarter 2024", "Supplier scorecard 2024"]) {
      await user.click(screen.getByRole("checkbox", { name: `Ask only ${title}` }));
    }
    expect(screen.getByTestId("ticked").textContent).toContain("2 ticked");
    await user.click(within(screen.getByTestId("ticked")).getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(titles()).toHaveLength(10));
    expect(screen.queryByTestId("ticked")).toBeNull();
    const notice = within(await screen.findByTestId("undo-notice"));
    expect(notice.getByText("2 documents were deleted.")).toBeTruthy();
    await user.click(notice.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(titles()).toHaveLength(12));
  });
});

describe("the details of a document", () => {
  it("say where it is from, what was recognised and what bytes it is", async () => {
    const { user } = await library();
    await user.click(screen.getByRole("button", { name: "Actions for Northfield Water Authority annual report 2023" }));
    await user.click(await screen.findByRole("menuitem", { name: "Details…" }));
    const details = await screen.findByTestId("details");
    expect(within(details).getByText("5 of 121 pages by text recognition")).toBeTruthy();
    expect(within(details).getByText("/documents/northfield-2023.pdf")).toBeTruthy();
    expect(within(details).getByText(/^[0-9a-f]{64}$/)).toBeTruthy();
    expect(await seriousViolations(details)).toEqual([]);
  });

  it("let its title and tags be changed", async () => {
    const { user } = await library();
    await user.click(screen.getByRole("button", { name: "Actions for Supplier scorecard 2024" }));
    await user.click(await screen.findByRole("menuitem", { name: "Details…" }));
    const details = within(await screen.findByTestId("details"));
    const title = details.getByRole("textbox", { name: "Title" });
    await user.clear(title);
    expect((details.getByRole("button", { name: "Save" }) as HTMLButtonElement).disabled).toBe(true);
    await user.type(title, "Scorecard of suppliers");
    await user.type(details.getByRole("combobox", { name: "Add a tag" }), "suppliers{Enter}");
    await user.click(details.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByTestId("details")).toBeNull());
    await waitFor(() => expect(titles()).toContain("Scorecard of suppliers"));
    expect(screen.getByRole("button", { name: "suppliers 1" })).toBeTruthy();
  });
});
