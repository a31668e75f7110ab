import { recall, remember } from "./remembered";

/** Where each document was last read, kept between starts of the window. */

interface Place {
  unit: number;
  share: number;
}

const key = "positions";
/** The oldest are forgotten beyond this many. */
const most = 300;

function stored(): [string, number, number][] {
  try {
    const kept: unknown = JSON.parse(recall(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(entry: unknown): entry is [string, number, number] {
  return (
    Array.isArray(entry) &&
    typeof entry[0] === "string" &&
    Number.isInteger(entry[1]) &&
    entry[1] >= 1 &&
    Number.isFinite(entry[2])
  );
}

/** Where a document was last read; null when it never was. */
export function recallPosition(documentId: string): Place | null {
  const entry = stored().find(([id]) => id === documentId);
  return entry === undefined ? null : { unit: entry[1], share: entry[2] };
}

/** Keeps where a document is read. */
export function rememberPosition(documentId: string, place: Place): void {
  const others = stored().filter(([id]) => id !== documentId);
  const share = Number(place.share.toFixed(4));
  remember(key, JSON.stringify([[documentId, place.unit, share], ...others].slice(0, most)));
}
