import { describe, expect, it } from "vitest";
import type { LaidOutCell, LaidOutItem, Locator } from "@/ipc/bindings";
import "./i18n";
import { blocksOf, nestItems, placeTitle, tableRows } from "./laid-out";

function item(ref: string, label: string, place: Locator | null = null): LaidOutItem {
  return { ref, label, level: 0, text: ref, table: null, place };
}

function cell(row: number, column: number): LaidOutCell {
  return { row, column, row_span: 1, column_span: 1, header: false, text: `${row},${column}`, start: 0, end: 3 };
}

describe("blocksOf", () => {
  it("puts list items that follow each other into one list", () => {
    const blocks = blocksOf([
      item("a", "list_item"),
      item("b", "list_item"),
      item("c", "text"),
      item("d", "list_item"),
    ]);
    expect(blocks.map((block) => block.kind)).toEqual(["list", "item", "list"]);
    expect(blocks[0]).toMatchObject({ items: [{ ref: "a" }, { ref: "b" }] });
  });

  it("begins every slide and every sheet with a heading, once", () => {
    const sheet = (range: string): Locator => ({ kind: "sheet", name: "Prices", range });
    const blocks = blocksOf([
      item("a", "text", { kind: "slide", number: 1 }),
      item("b", "list_item", { kind: "slide", number: 1 }),
      item("c", "list_item", { kind: "slide", number: 2 }),
      item("d", "table", sheet("A1:B3")),
      item("e", "table", sheet("A9:B12")),
    ]);
    expect(blocks.map((block) => (block.kind === "place" ? placeTitle(block.place) : block.kind))).toEqual([
      "Slide 1",
      "item",
      "list",
      "Slide 2",
      "list",
      "Sheet “Prices”",
      "item",
      "item",
    ]);
  });

  it("puts no heading over pages or headings", () => {
    expect(blocksOf([item("a", "text", { kind: "heading", path: ["x"] })]).map((block) => block.kind)).toEqual([
      "item",
    ]);
  });
});

describe("tableRows", () => {
  it("orders cells by row and column, and keeps rows that hold none of their own", () => {
    const rows = tableRows({ rows: 3, columns: 2, cells: [cell(0, 1), cell(0, 0), cell(2, 0), cell(9, 0)] });
    expect(rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([["0,0", "0,1"], [], ["2,0"]]);
  });
});

describe("nestItems", () => {
  it("puts deeper items under the one before them, also where a level is skipped or the list begins deep", () => {
    const levels = [1, 0, 2, 1, 0].map((level, at) => ({ ...item(`i${at}`, "list_item"), level }));
    const shape = (nodes: ReturnType<typeof nestItems>): unknown[] =>
      nodes.map((node) => [node.item.ref, shape(node.under)]);
    expect(shape(nestItems(levels))).toEqual([
      ["i0", []],
      [
        "i1",
        [
          ["i2", []],
          ["i3", []],
        ],
      ],
      ["i4", []],
    ]);
  });
});
