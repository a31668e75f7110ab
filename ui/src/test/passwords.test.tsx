import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { fakePassword } from "@/ipc/fake";
import { scripted } from "@/ipc/fake-library";
import { targetOfDocument, useView } from "@/state/view";
import { seriousViolations } from "./axe";
import { renderApp } from "./render-app";

const wrong = "This password does not open the file. Try another one.";

/** Nothing that the page shows or keeps may hold what was typed. */
function heldByThePage(): boolean {
  const fields = [...document.querySelectorAll("input")].map((field) => field.value);
  return [document.body.innerHTML, JSON.stringify(localStorage), ...fields].some((text) => text.includes(fakePassword));
}

describe("a file that needs a password", () => {
  it("asks for it where it waits, says when it is wrong, and goes on when it is right", async () => {
    const { user } = await renderApp({ busy: true });
    const row = (await screen.findAllByTestId("document-row")).find(
      ({ dataset }) => dataset.state === "needs_password",
    );
    await user.click(within(row as HTMLElement).getByText("Needs a password. Enter it…"));
    const field = await screen.findByLabelText("Password of board-minutes-2024-09.pdf");
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect((field as HTMLInputElement).type).toBe("password");
    await user.type(field, "guess{Enter}");
    expect(await screen.findByText(wrong)).toBeTruthy();
    expect((field as HTMLInputElement).value).toBe("");
    expect(await seriousViolations()).toEqual([]);
    await user.type(field, `${fakePassword}{Enter}`);
    await waitFor(() => expect(screen.queryByTestId("password-form")).toBeNull());
    expect(heldByThePage()).toBe(false);
  });
});

describe("an encrypted document that is read", () => {
  async function openLocked() {
    const app = await renderApp({ locked: true });
    await act(async () => useView.getState().open(targetOfDocument(scripted.harbour)));
    const page = await screen.findByTestId("page-1");
    fireEvent.error(await within(page).findByRole("img"));
    return app;
  }

  it("asks for its password once for all pages, and draws them when it is right", async () => {
    const { user } = await openLocked();
    const bar = await screen.findByTestId("locked");
    expect(within(screen.getByTestId("page-1")).getByText("Locked")).toBeTruthy();
    const field = within(bar).getByLabelText("Password of Harbour Rail concession agreement");
    await user.type(field, "guess{Enter}");
    expect(await within(bar).findByText(wrong)).toBeTruthy();
    expect(await seriousViolations()).toEqual([]);
    await user.type(field, `${fakePassword}{Enter}`);
    await waitFor(() => expect(screen.queryByTestId("locked")).toBeNull());
    const image = await within(screen.getByTestId("page-1")).findByRole("img");
    expect(image.getAttribute("src")).toMatch(/^data:image\/svg/);
    expect(heldByThePage()).toBe(false);
  });

  it("offers to try again, not a password, when the page failed for another reason", async () => {
    await renderApp();
    await act(async () => useView.getState().open(targetOfDocument(scripted.harbour)));
    const page = await screen.findByTestId("page-1");
    fireEvent.error(await within(page).findByRole("img"));
    expect(await within(page).findByRole("button", { name: "Try again" })).toBeTruthy();
    expect(screen.queryByTestId("locked")).toBeNull();
  });
});

describe("a page that cannot be drawn", () => {
  it("says why, in the language of the window, and is tried again", async () => {
    const { user, ipc } = await renderApp();
    const refuse = vi.spyOn(ipc.commands, "pagePicture").mockResolvedValue({
      status: "error",
      error: { code: "not_found", message: "The original file is no longer in the library.", retryable: false },
    });
    await act(async () => useView.getState().open(targetOfDocument(scripted.harbour)));
    const page = await screen.findByTestId("page-1");
    fireEvent.error(await within(page).findByRole("img"));
    expect(await within(page).findByText("The original file is no longer in the library.")).toBeTruthy();
    expect(refuse.mock.calls[0]?.[0]).toMatchObject({ crop: { page: 1, left: 0, top: 0 }, highlights: [] });
    await user.click(within(page).getByRole("button", { name: "Try again" }));
    expect(await within(page).findByRole("img")).toBeTruthy();
  });
});
