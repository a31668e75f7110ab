import type { SearchResult } from "@/ipc/bindings";

export interface Facet {
  /** What narrows the results: a collection's name, or a document's id. */
  key: string;
  name: string;
  count: number;
}

/** Results counted by one of their properties, most first, equal counts by name. */
function counted(results: readonly SearchResult[], of: (result: SearchResult) => { key: string; name: string }) {
  const facets = new Map<string, Facet>();
  for (const result of results) {
    const { key, name } = of(result);
    const facet = facets.get(key) ?? { key, name, count: 0 };
    facets.set(key, { ...facet, count: facet.count + 1 });
  }
  return [...facets.values()].sort((one, other) => other.count - one.count || one.name.localeCompare(other.name));
}

export function collectionFacets(results: readonly SearchResult[]): Facet[] {
  return counted(results, ({ collection }) => ({ key: collection, name: collection }));
}

export function documentFacets(results: readonly SearchResult[]): Facet[] {
  return counted(results, (result) => ({ key: result.document_id, name: result.title }));
}
