import { beforeEach, describe, expect, it } from "vitest";
import { mostTabs } from "./reader-tabs";
import { recallTabs, rememberTabs } from "./remembered-tabs";
import { type ReaderTarget, readingPlace, targetOfDocument, useView } from "./view";

function document(id: string): ReaderTarget {
  return targetOfDocument({ collection: "A", documentId: id, title: `Title of ${id}` });
}

const open = (id: string) => useView.getState().open(document(id));
const shown = () => useView.getState().target?.documentId;
const tabs = () => useView.getState().tabs.map((tab) => tab.target.documentId);

beforeEach(() => {
  readingPlace.current = null;
});

describe("the tabs of the reader", () => {
  it("hold each document once, a new one behind the one that is shown", () => {
    for (const id of ["a", "b", "c"]) {
      open(id);
    }
    open("a");
    open("d");
    expect(tabs()).toEqual(["a", "d", "b", "c"]);
    expect(shown()).toBe("d");
  });

  it("keep the place a document was left at", () => {
    open("a");
    readingPlace.current = { unit: 7, share: 0.25 };
    open("b");
    useView.getState().showTab("A/a");
    expect(useView.getState().target?.place).toEqual({ unit: 7, share: 0.25 });
  });

  it("are walked round, and closing one shows its neighbour", () => {
    for (const id of ["a", "b", "c"]) {
      open(id);
    }
    const { stepTab, closeTab } = useView.getState();
    stepTab(1);
    expect(shown()).toBe("a");
    stepTab(-1);
    expect(shown()).toBe("c");
    closeTab();
    expect([shown(), ...tabs()]).toEqual(["b", "a", "b"]);
    closeTab("A/a");
    expect([shown(), ...tabs()]).toEqual(["b", "b"]);
    closeTab();
    expect(useView.getState()).toMatchObject({ target: null, readerOpen: false, tabs: [] });
  });

  it("open a closed document again on the way back", () => {
    open("a");
    open("b");
    useView.getState().closeTab("A/a");
    useView.getState().goBack();
    expect(shown()).toBe("a");
    expect(tabs()).toEqual(["b", "a"]);
  });

  it("give up the one that was shown longest ago when there are too many", () => {
    for (let at = 0; at < mostTabs; at += 1) {
      open(`d${at}`);
    }
    open("d0");
    open("one more");
    expect(tabs()).toHaveLength(mostTabs);
    expect(tabs()).toContain("d0");
    expect(tabs()).not.toContain("d1");
  });

  it("show a new document at the size of the one before, but upright", () => {
    open("a");
    useView.getState().setLook("A/a", { zoom: 1.5, fit: "width", turn: 1 });
    open("b");
    expect(useView.getState().tabs[1]?.look).toEqual({ zoom: 1.5, fit: "width", turn: 0 });
    expect(useView.getState().tabs[0]?.look.turn).toBe(1);
  });
});

describe("tabs that are kept", () => {
  it("hold what is marked and how it is looked at, but no words of a document", () => {
    useView.getState().open({ ...document("a"), quote: "secret words", page: 3, citationIndex: 2, answerKey: "x" });
    useView.getState().setLook("A/a", { zoom: 2, fit: "page", turn: 3 });
    const { tabs: open_, target } = useView.getState();
    rememberTabs(open_, target, true);
    const text = localStorage.getItem("recto.tabs") ?? "";
    expect(text).not.toContain("secret words");
    expect(text).not.toContain("Title of");
    const again = recallTabs();
    expect(again).toMatchObject({ active: 0, readerOpen: true });
    expect(again?.tabs[0]).toMatchObject({
      look: { zoom: 2, fit: "page", turn: 3 },
      target: { page: 3, citationIndex: 2, resume: true },
    });
  });

  it.each([
    "{",
    "3",
    '{"tabs": 3}',
    '{"tabs": [{"collection": 1}]}',
    '{"tabs": [{"collection": "A", "documentId": "a", "sha256": null, "answerKey": null, "page": "x"}]}',
  ])("are none when what was kept is %s", (text) => {
    localStorage.setItem("recto.tabs", text);
    expect(recallTabs()).toBeNull();
  });
});
