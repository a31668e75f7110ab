import { describe, expect, it } from "vitest";
import type { ListedDocument } from "@/ipc/bindings";
import { arrange, tagsOf } from "./document-order";

function listed(title: string, changes: Partial<ListedDocument> = {}): ListedDocument {
  return {
    collection: "A",
    document_id: title,
    uri: `file:///${title}`,
    title,
    media_type: null,
    page_count: 1,
    recognised_pages: null,
    tags: [],
    state: "ready",
    message: null,
    locations: [],
    sha256: null,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
    ...changes,
  };
}

const everything = { words: "", tags: [], problemsOnly: false };
const titles = (documents: ListedDocument[]) => documents.map((document) => document.title);

describe("arrange", () => {
  const documents = [
    listed("Note 10", { page_count: 3, created_at: "2026-03-01T00:00:00Z", tags: ["audited"] }),
    listed("Note 2", { page_count: null, state: "failed" }),
    listed("Élan report", { page_count: 90, state: "ready_with_gaps", tags: ["audited", "2024"] }),
  ];

  it("orders by title, the number in it counting as one", () => {
    expect(titles(arrange(documents, everything, "title"))).toEqual(["Élan report", "Note 2", "Note 10"]);
  });

  it("orders by what was added last, by length, and by what needs attention", () => {
    expect(titles(arrange(documents, everything, "added"))[0]).toBe("Note 10");
    expect(titles(arrange(documents, everything, "pages"))).toEqual(["Élan report", "Note 10", "Note 2"]);
    expect(titles(arrange(documents, everything, "state"))[0]).toBe("Note 2");
  });

  it("lists what fits the words, carries every tag, or has a problem", () => {
    expect(titles(arrange(documents, { ...everything, words: "elan" }, "title"))).toEqual(["Élan report"]);
    expect(titles(arrange(documents, { ...everything, tags: ["audited", "2024"] }, "title"))).toEqual(["Élan report"]);
    expect(titles(arrange(documents, { ...everything, problemsOnly: true }, "title"))).toEqual([
      "Élan report",
      "Note 2",
    ]);
  });

  it("counts the tags", () => {
    expect(tagsOf(documents)).toEqual([
      { tag: "2024", count: 1 },
      { tag: "audited", count: 2 },
    ]);
  });
});
