/** A piece of a passage: the person's words, or what stands between them. */
export interface SnippetPiece {
  text: string;
  hit: boolean;
}

/** Words are cut this much before they are compared, so that `filing` also marks `filings` and `filed`. */
const ending = 3;
const shortest = 4;

function stemOf(word: string): string {
  return word.slice(0, Math.max(Math.min(word.length, shortest), word.length - ending));
}

function folded(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/**
 * The part of a passage around the first of the person's words, about `length` letters long, with every such word
 * marked. An ellipsis stands where something was left out.
 */
export function snippetOf(passage: string, query: string, length: number): SnippetPiece[] {
  const stems = [...folded(query).matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => stemOf(word));
  const isHit = (word: string) => stems.some((stem) => folded(word).startsWith(stem));
  const text = passage.replaceAll(/\s+/g, " ").trim();
  const words = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map((match) => ({ at: match.index, word: match[0] }));
  const hits = words.filter(({ word }) => isHit(word));
  const start = beginningFor(text, hits[0]?.at ?? 0, length);
  const end = start + length >= text.length ? text.length : text.lastIndexOf(" ", start + length);
  const pieces: SnippetPiece[] = [];
  const push = (piece: string, hit: boolean) => piece !== "" && pieces.push({ text: piece, hit });
  let from = start;
  push(start > 0 ? "… " : "", false);
  for (const { at, word } of hits) {
    if (at >= from && at + word.length <= end) {
      push(text.slice(from, at), false);
      push(word, true);
      from = at + word.length;
    }
  }
  push(text.slice(from, Math.max(from, end)), false);
  push(end < text.length ? " …" : "", false);
  return pieces;
}

/** Begins a little before the first hit, at a word, and not so late that the passage ends early. */
function beginningFor(text: string, firstHit: number, length: number): number {
  if (text.length <= length) {
    return 0;
  }
  const wanted = Math.min(Math.max(0, firstHit - Math.floor(length / 4)), text.length - length);
  return wanted === 0 ? 0 : text.indexOf(" ", wanted) + 1;
}
