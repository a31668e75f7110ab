import type { Citation } from "@/ipc/bindings";
import { claimStart } from "./claim";
import type { TreeNode } from "./markers";

/** What the number check says of the figures of a claim that a citation stands for. */
export interface FigureNote {
  index: number;
  /** Not in the cited words. */
  missing: readonly string[];
  /** Following from figures that are. */
  computed: readonly string[];
}

/** The notes of those citations about whose figures there is something to say. */
export function figureNotes(citations: readonly Citation[]): FigureNote[] {
  return citations
    .filter(({ numbers }) => numbers.missing.length + numbers.computed.length > 0)
    .map(({ index, numbers }) => ({ index, missing: numbers.missing, computed: numbers.computed }));
}

/** A stretch of a block's text that is one figure. */
interface Mark {
  start: number;
  end: number;
  kind: "missing" | "computed";
  index: number;
}

interface Leaf {
  node: TreeNode;
  parent: TreeNode;
  start: number;
}

/** The parts of a text that a claim never leaves. */
const blocks = new Set(["paragraph", "heading", "tableCell"]);

/**
 * A remark plugin that wraps the figures of a claim which the number check has something to say about in
 * `<checked-figure kind="missing" index="n">` elements. Runs behind the one that makes the markers to citations; a claim is
 * the sentence or quotation before a marker, as everywhere in the window.
 */
export function remarkFigures(options: { notes: readonly FigureNote[] }) {
  const notes = new Map(options.notes.map((note) => [note.index, note]));
  return (tree: TreeNode): void => {
    if (notes.size > 0) {
      visit(tree, notes);
    }
  };
}

function visit(node: TreeNode, notes: ReadonlyMap<number, FigureNote>): void {
  if (blocks.has(node.type)) {
    markBlock(node, notes);
    return;
  }
  for (const child of node.children ?? []) {
    visit(child, notes);
  }
}

function markBlock(block: TreeNode, notes: ReadonlyMap<number, FigureNote>): void {
  const leaves: Leaf[] = [];
  const chips: { index: number; at: number }[] = [];
  let text = "";
  const collect = (node: TreeNode) => {
    for (const child of node.children ?? []) {
      if (child.type === "citation") {
        chips.push({ index: Number(child.data?.hProperties?.index), at: text.length });
      } else if (child.value !== undefined) {
        if (child.type === "text") {
          leaves.push({ node: child, parent: node, start: text.length });
        }
        text += child.value;
      } else {
        collect(child);
      }
    }
  };
  collect(block);
  const marks: Mark[] = [];
  for (const { index, at } of chips) {
    const note = notes.get(index);
    if (note === undefined) {
      continue;
    }
    const claim = text.slice(0, at).trimEnd();
    const from = claimStart(claim);
    for (const kind of ["missing", "computed"] as const) {
      for (const figure of note[kind]) {
        for (const place of placesOf(figure, claim, from)) {
          if (!marks.some((mark) => mark.start < place.end && place.start < mark.end)) {
            marks.push({ ...place, kind, index });
          }
        }
      }
    }
  }
  if (marks.length > 0) {
    marks.sort((one, other) => one.start - other.start);
    for (const leaf of leaves) {
      splitLeaf(leaf, marks);
    }
  }
}

/** Where a figure stands in a text at or behind `from`, but not as a part of a longer one. */
export function placesOf(figure: string, text: string, from: number): { start: number; end: number }[] {
  // The check writes a negative figure with its sign or in brackets, whichever way the answer has it.
  const forms = [figure, figure.replace(/^\((.*)\)$/, "$1"), figure.replace(/^[-−]/, "")];
  for (const form of new Set(forms)) {
    const places: { start: number; end: number }[] = [];
    for (let at = text.indexOf(form, from); form !== "" && at !== -1; at = text.indexOf(form, at + form.length)) {
      const end = at + form.length;
      if (!/[\p{L}\d][.,]?$/u.test(text.slice(Math.max(0, at - 2), at)) && !/^[.,]?[\p{L}\d]/u.test(text.slice(end))) {
        places.push({ start: at, end });
      }
    }
    if (places.length > 0) {
      return places;
    }
  }
  return [];
}

function splitLeaf({ node, parent, start }: Leaf, marks: readonly Mark[]): void {
  const value = node.value ?? "";
  const pieces: TreeNode[] = [];
  let done = 0;
  for (const mark of marks) {
    const from = Math.max(0, mark.start - start);
    const to = Math.min(value.length, mark.end - start);
    if (from >= to) {
      continue;
    }
    if (from > done) {
      pieces.push({ type: "text", value: value.slice(done, from) });
    }
    pieces.push({
      type: "figure",
      data: { hName: "checked-figure", hProperties: { kind: mark.kind, index: String(mark.index) } },
      children: [{ type: "text", value: value.slice(from, to) }],
    });
    done = to;
  }
  if (pieces.length === 0) {
    return;
  }
  if (done < value.length) {
    pieces.push({ type: "text", value: value.slice(done) });
  }
  const at = parent.children?.indexOf(node) ?? -1;
  parent.children?.splice(at, 1, ...pieces);
}
