import type { DocumentState } from "@/ipc/bindings";

/** The four shapes a document's state is shown by. */
export type StateShape = "ready" | "working" | "failed" | "missing";

export function stateShape(state: DocumentState): StateShape {
  switch (state) {
    case "ready":
    case "ready_with_gaps":
      return "ready";
    case "queued":
    case "reading":
    case "ocr":
    case "indexing":
    case "embedding":
      return "working";
    case "missing":
      return "missing";
    case "needs_password":
    case "damaged":
    case "unsupported":
    case "empty":
    case "too_large":
    case "timed_out":
    case "out_of_memory":
    case "failed":
    case "cancelled":
      return "failed";
  }
}

/** Whether the document's text can be read and searched. */
export function isReadable(state: DocumentState): boolean {
  return state === "ready" || state === "ready_with_gaps" || state === "embedding";
}
