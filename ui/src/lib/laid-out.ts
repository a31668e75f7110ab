import type { LaidOutCell, LaidOutItem, LaidOutTable, Locator } from "@/ipc/bindings";
import { i18next } from "./i18n";

/** How the items of a document without pages are put together for reading. */
export type LaidOutBlock =
  | { kind: "item"; key: string; item: LaidOutItem }
  /** List items one after another. */
  | { kind: "list"; key: string; items: LaidOutItem[] }
  /** Where a slide, a sheet or a part begins. */
  | { kind: "place"; key: string; place: Locator };

/** Names a place as far as a heading over it goes: a sheet, whatever the cells. */
function placeKey(place: Locator | null): string {
  switch (place?.kind) {
    case "slide":
      return `slide ${place.number}`;
    case "sheet":
      return `sheet ${place.name}`;
    case "part":
      return `part ${place.name}`;
    default:
      return "";
  }
}

/** The heading over a slide, a sheet or a part. */
export function placeTitle(place: Locator): string {
  switch (place.kind) {
    case "slide":
      return i18next.t("reader.slide", { number: place.number });
    case "sheet":
      return i18next.t("reader.sheet", { name: place.name });
    case "part":
      return place.name;
    default:
      return "";
  }
}

/** Puts list items into lists, and a heading wherever a slide, a sheet or a part begins. */
export function blocksOf(items: readonly LaidOutItem[]): LaidOutBlock[] {
  const blocks: LaidOutBlock[] = [];
  let place = "";
  for (const item of items) {
    const here = placeKey(item.place);
    if (here !== place && here !== "" && item.place !== null) {
      blocks.push({ kind: "place", key: `place ${item.ref}`, place: item.place });
    }
    place = here;
    const last = blocks.at(-1);
    if (item.label !== "list_item") {
      blocks.push({ kind: "item", key: item.ref, item });
    } else if (last?.kind === "list") {
      last.items.push(item);
    } else {
      blocks.push({ kind: "list", key: `list ${item.ref}`, items: [item] });
    }
  }
  return blocks;
}

/** The cells of a table by rows; a row that only cells from above reach into is there, and empty. */
export function tableRows(table: LaidOutTable): { row: number; cells: LaidOutCell[] }[] {
  const rows = Array.from({ length: table.rows }, (_, row) => ({ row, cells: [] as LaidOutCell[] }));
  for (const cell of table.cells) {
    rows[cell.row]?.cells.push(cell);
  }
  for (const { cells } of rows) {
    cells.sort((one, other) => one.column - other.column);
  }
  return rows;
}

/** A list item and those that belong under it. */
export interface ListNode {
  item: LaidOutItem;
  under: ListNode[];
}

/** Nests list items by their levels; a level that is skipped counts as the next one. */
export function nestItems(items: readonly LaidOutItem[]): ListNode[] {
  const top: ListNode[] = [];
  const path: ListNode[] = [];
  for (const item of items) {
    while ((path.at(-1)?.item.level ?? -1) >= item.level) {
      path.pop();
    }
    const node: ListNode = { item, under: [] };
    (path.at(-1)?.under ?? top).push(node);
    path.push(node);
  }
  return top;
}
