import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { fakeIpc } from "@/ipc/fake";
import { IpcProvider } from "@/ipc/provider";
import { Markdown } from "./markdown";

const ipc = fakeIpc();

function show(text: string, known: number[] = [1, 2, 3]) {
  return render(
    <IpcProvider ipc={ipc}>
      <Markdown text={text} known={known} renderChip={(index, occurrence) => <b>{`<${index}.${occurrence}>`}</b>} />
    </IpcProvider>,
  ).container;
}

describe("markers in Markdown", () => {
  it.each([
    ["Rose.[1][2]", "Rose.<1.1><2.1>"],
    ["Rose.[1] And again.[1]", "Rose.<1.1> And again.<1.2>"],
    ["In [2023] it rose.[3]", "In [2023] it rose.<3.1>"],
    ["**Bold [2]** and *so on*[1]", "Bold <2.1> and so on<1.1>"],
    ["As `a[1]` says.[1]", "As a[1] says.<1.1>"],
    ["A \\[1\\] of its own.[2]", "A [1] of its own.<2.1>"],
    ["> A quote with its own [2] inside. [1]", "A quote with its own [2] inside. <1.1>"],
    ["Not yet [4]", "Not yet [4]"],
  ])("%s", (text, expected) => {
    expect(show(text).textContent?.trim()).toBe(expected);
  });

  it("leaves code blocks alone", () => {
    const container = show("```\nrow[1]\n```\n\nDone.[1]");
    expect(container.querySelector("pre")?.textContent).toContain("row[1]");
    expect(container.textContent).toContain("<1.1>");
  });

  it("stays a marker when the quoted text defines it as a link", () => {
    const container = show("Rose.[1]\n\n[1]: https://example.com");
    expect(container.querySelector("a")).toBeNull();
    expect(container.textContent).toContain("<1.1>");
  });

  it("reaches into lists and tables", () => {
    const container = show("- one [1]\n\n| a | b |\n|---|---|\n| x [2] | y |");
    expect(container.querySelector("li")?.textContent).toBe("one <1.1>");
    expect(container.querySelector("td")?.textContent).toBe("x <2.1>");
  });
});

describe("what a model writes is not trusted", () => {
  it("keeps HTML as text and loads no image", () => {
    const container = show(
      '<script>x()</script><img src="https://example.com/x.png">\n\n![chart](https://example.com/y.png)',
    );
    expect(container.querySelector("script, img, iframe")).toBeNull();
    expect(container.textContent).toContain("chart");
  });

  it("makes no link of an address that runs something", () => {
    const container = show("[go](javascript:alert(1)) [file](file:///etc/hosts)");
    expect(container.querySelector("a")).toBeNull();
  });

  it("shows an address before it is opened outside", async () => {
    show("See [the filing](https://example.com/filing).");
    await userEvent.click(screen.getByRole("link", { name: "the filing" }));
    expect(await screen.findByText("https://example.com/filing")).toBeTruthy();
    expect(ipc.opened).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Open" }));
    expect(ipc.opened).toEqual(["https://example.com/filing"]);
  });
});

describe("formulas and code", () => {
  it("draws a formula and keeps the marker behind it", async () => {
    const container = show("It follows that \\(a_1^2 = b\\).[1]\n\n$$\\frac{x}{y}$$");
    await waitFor(() => expect(container.querySelectorAll("math")).toHaveLength(2));
    expect(container.querySelector("math[display=block] mfrac")).not.toBeNull();
    expect(container.textContent).toContain("<1.1>");
  });

  it("draws nothing of a formula that links or loads", async () => {
    const container = show("\\(\\href{https://example.com}{x} + \\includegraphics{https://example.com/y.png}\\)");
    await waitFor(() => expect(container.querySelector("math")).not.toBeNull());
    expect(container.querySelector("a, img, [href], [src]")).toBeNull();
  });

  it("shows the source of what is no formula", async () => {
    const container = show("\\(\\frac{\\)");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(container.querySelector("code")?.textContent).toBe("\\frac{");
  });

  it("copies a block of code as it is", async () => {
    const user = userEvent.setup();
    show('```sh\nrecto ask "What?"\n```');
    await user.click(screen.getByRole("button", { name: "Copy" }));
    expect(await navigator.clipboard.readText()).toBe('recto ask "What?"');
    expect(await screen.findByRole("button", { name: "Copied" })).toBeTruthy();
  });
});
