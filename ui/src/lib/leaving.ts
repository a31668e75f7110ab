/** What leaves this machine, and where it goes. */

import type { ModelStatus } from "@/ipc/bindings";

export interface Leaving {
  /** What a model at the host does. */
  purpose: "answers" | "embedding" | "ranking";
  host: string;
}

/** Every use of a model that is not on this machine. */
export function leavingOf(models: ModelStatus): Leaving[] {
  const uses = [
    { purpose: "answers", host: models.remote_host },
    { purpose: "embedding", host: models.embedding_host ?? null },
    { purpose: "ranking", host: models.reranker_host ?? null },
  ] as const;
  return uses.flatMap(({ purpose, host }) => (host === null ? [] : [{ purpose, host }]));
}

/** The hosts, each once, as a person reads them. */
export function hostsOf(leaving: readonly Leaving[]): string {
  return [...new Set(leaving.map(({ host }) => host))].join(", ");
}
