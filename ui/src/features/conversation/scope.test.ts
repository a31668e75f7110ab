import { describe, expect, it } from "vitest";
import type { ListedDocument } from "@/ipc/bindings";
import { scopeRequest } from "./scope";

function listed(collection: string, id: string | null): ListedDocument {
  return {
    collection,
    document_id: id,
    uri: "file:///x.pdf",
    title: "x",
    media_type: null,
    page_count: null,
    recognised_pages: null,
    tags: [],
    state: "ready",
    message: null,
    locations: [],
    sha256: null,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  };
}

const known = [listed("A", "a1"), listed("A", "a2"), listed("A", null), listed("B", "b1"), listed("B", "b2")];
const b1 = { collection: "B", documentId: "b1", title: "x" };

describe("scopeRequest", () => {
  it("asks everything when nothing is ticked", () => {
    expect(scopeRequest([], [], known)).toMatchObject({ collections: null, document_ids: [] });
  });

  it("asks whole collections, also the documents that are not listed yet", () => {
    expect(scopeRequest(["A"], [], known)).toMatchObject({ collections: ["A"], document_ids: [] });
  });

  it("asks of them only those that carry the tags", () => {
    expect(scopeRequest(["A"], [], known, ["audited"])).toMatchObject({ collections: ["A"], tags: ["audited"] });
  });

  it("asks a collection and a document of another one together", () => {
    const scope = scopeRequest(["A"], [b1], known);
    expect(scope.collections).toEqual(["A", "B"]);
    expect([...(scope.document_ids ?? [])].sort()).toEqual(["a1", "a2", "b1"]);
  });

  it("asks only one kind of document, and only those added of late", () => {
    const now = new Date("2026-03-10T12:00:00Z");
    expect(scopeRequest([], [], known, [], { kind: "image/", added: "week", now })).toMatchObject({
      collections: null,
      media_type: "image/",
      since: "2026-03-03T12:00:00.000Z",
    });
  });
});
