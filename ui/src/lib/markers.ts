/** A piece of prose: words, or a citation number. */
export type Piece = { kind: "text"; text: string } | { kind: "marker"; index: number };

/**
 * Splits prose at `[n]` markers whose number is known.
 *
 * `[2023]` in a sentence is not a citation unless 2023 was offered as one, and stays as it is written. The engine
 * normalises lists and ranges to single markers, so only the plain form is read here.
 */
export function splitMarkers(text: string, isKnown: (index: number) => boolean): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(/\[(\d{1,6})\]/g)) {
    const index = Number(match[1]);
    if (!isKnown(index)) {
      continue;
    }
    if (match.index > from) {
      pieces.push({ kind: "text", text: text.slice(from, match.index) });
    }
    pieces.push({ kind: "marker", index });
    from = match.index + match[0].length;
  }
  if (from < text.length) {
    pieces.push({ kind: "text", text: text.slice(from) });
  }
  return pieces;
}

/** The parts of a syntax tree that are looked at; `mdast` nodes fit. */
export interface TreeNode {
  type: string;
  value?: string;
  label?: string | null;
  children?: TreeNode[];
  position?: { start: { offset?: number }; end: { offset?: number } };
  data?: { hName?: string; hProperties?: Record<string, unknown> };
}

/** Nodes whose brackets are the author's own. */
const untouched = new Set(["code", "inlineCode", "html", "link", "definition", "image"]);

/**
 * A remark plugin that turns known markers of the prose into `<cite-chip index="n" occurrence="k">` elements.
 *
 * Code, raw HTML and link texts are left alone, and so are escaped brackets. In a block quote only a marker that closes
 * it is ours: the others belong to the quoted text.
 */
export function remarkMarkers(options: { isKnown: (index: number) => boolean }) {
  return (tree: TreeNode, file: { value: unknown }): void => {
    const { isKnown } = options;
    replaceMarkers(tree, { isKnown, source: String(file.value), quoted: false, closes: false, seen: new Map() });
  };
}

interface Place {
  isKnown: (index: number) => boolean;
  source: string;
  /** Inside a block quote. */
  quoted: boolean;
  /** Inside the last piece of it. */
  closes: boolean;
  /** How often each number has come up. */
  seen: Map<number, number>;
}

function replaceMarkers(node: TreeNode, place: Place): void {
  if (node.children === undefined || untouched.has(node.type)) {
    return;
  }
  const quoted = place.quoted || node.type === "blockquote";
  const last = node.children.length - 1;
  node.children = node.children.flatMap((child, at) => {
    const closes = at === last && (node.type === "blockquote" || !quoted || place.closes);
    const inside = { ...place, quoted, closes };
    if (child.type === "linkReference" && /^\d{1,6}$/.test(child.label ?? "") && place.isKnown(Number(child.label))) {
      // Quoted text may define `[1]: …`; the marker is still a marker.
      return [citationNode(Number(child.label), place)];
    }
    if (child.type !== "text" || child.value === undefined) {
      replaceMarkers(child, inside);
      return [child];
    }
    return splitText(child, child.value, inside);
  });
}

function splitText(node: TreeNode, value: string, place: Place): TreeNode[] {
  const { start, end } = node.position ?? {};
  const written = place.source.slice(start?.offset ?? 0, end?.offset ?? 0);
  const escaped = [...written.matchAll(/(\\?)\[\d{1,6}(\\?)\]/g)].map((match) => match[1] !== "" || match[2] !== "");
  const pieces = splitMarkers(value, () => true);
  let seen = -1;
  return pieces.map((piece, at) => {
    if (piece.kind === "text") {
      return { type: "text", value: piece.text };
    }
    seen += 1;
    const rest = pieces.slice(at + 1);
    const closing = place.closes && rest.every((other) => other.kind === "marker" || /^[\s.]*$/.test(other.text));
    const ours = place.isKnown(piece.index) && escaped[seen] !== true && (!place.quoted || closing);
    return ours ? citationNode(piece.index, place) : { type: "text", value: `[${piece.index}]` };
  });
}

function citationNode(index: number, place: Place): TreeNode {
  const occurrence = (place.seen.get(index) ?? 0) + 1;
  place.seen.set(index, occurrence);
  const hProperties = { index: String(index), occurrence: String(occurrence) };
  return { type: "citation", data: { hName: "cite-chip", hProperties }, children: [] };
}
