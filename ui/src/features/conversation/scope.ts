import type { ListedDocument, ScopeRequest } from "@/ipc/bindings";
import type { AddedWithin, ScopedDocument } from "@/state/view";

/** Conditions beside what is ticked. */
export interface ScopeConditions {
  /** A media type, or a family of them that ends in `/`. */
  kind: string | null;
  added: AddedWithin | null;
  now: Date;
}

const daysWithin: Record<AddedWithin, number> = { week: 7, month: 30, year: 365 };
const dayMs = 24 * 60 * 60 * 1000;

/**
 * The scope of a question: the ticked collections and the ticked documents together, as far as they carry the tags.
 *
 * The engine takes both as conditions that must hold at once, so a collection ticked beside documents of another one
 * is spelled out as its documents.
 */
export function scopeRequest(
  collections: readonly string[],
  documents: readonly ScopedDocument[],
  known: readonly ListedDocument[],
  tags: readonly string[] = [],
  conditions: ScopeConditions | null = null,
): ScopeRequest {
  const ids = new Set(documents.map((document) => document.documentId));
  if (ids.size > 0) {
    for (const document of known) {
      if (document.document_id !== null && collections.includes(document.collection)) {
        ids.add(document.document_id);
      }
    }
  }
  const names = new Set([...collections, ...documents.map((document) => document.collection)]);
  return {
    collections: names.size === 0 ? null : [...names],
    document_ids: [...ids],
    tags: [...tags],
    folder: null,
    media_type: conditions?.kind ?? null,
    since:
      conditions?.added == null
        ? null
        : new Date(conditions.now.getTime() - daysWithin[conditions.added] * dayMs).toISOString(),
    until: null,
  };
}

/** Whether a question was put to less than everything. */
export function isLimited(scope: ScopeRequest | null): boolean {
  return (
    scope !== null &&
    (scope.collections != null ||
      (scope.document_ids ?? []).length > 0 ||
      (scope.tags ?? []).length > 0 ||
      [scope.folder, scope.media_type, scope.since, scope.until].some((condition) => condition != null))
  );
}

/** Everything. */
export const everything: ScopeRequest = scopeRequest([], [], []);
