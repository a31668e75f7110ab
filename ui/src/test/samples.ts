import type { Answer, Citation } from "@/ipc/bindings";

/** A citation with nothing special about it. */
export function citation(changes: Partial<Citation> = {}): Citation {
  return {
    index: 1,
    collection: "Filings",
    document_id: "doc-1",
    title: "Annual report",
    uri: "file:///report.pdf",
    section_title: null,
    headings: [],
    section_ids: [],
    pages: [{ number: 7, label: "371" }],
    chunk_ids: [],
    doc_item_refs: [],
    sha256: "ab".repeat(32),
    locator: { kind: "page", pages: [{ number: 7, label: "371" }] },
    quote: "Revenue rose.",
    quote_by: "answer",
    verdict: "verbatim",
    mark: "proven",
    numbers: { found: [], missing: [], computed: [] },
    boxes: [],
    spans: [],
    ...changes,
  };
}

/** A finished answer without citations. */
export function answer(changes: Partial<Answer> = {}): Answer {
  return {
    answer_id: "a1",
    question: "What?",
    strategy: "quotes",
    model: null,
    status: "answered",
    scope: {},
    text: "That.",
    uncited: false,
    unit_stats: { evidence: 0, neighbours: 0, runner_ups: 0, whole_documents: 0, returned: 0, cap: 0 },
    sections_dropped: 0,
    nearest: [],
    citations: [],
    evidence: [],
    coverage: { documents_searched: 0, documents_with_matches: 0, documents_total: 0, not_searched: [] },
    documents_failed: [],
    invalid_markers: 0,
    usage: { input_tokens: null, output_tokens: null, calls: 0 },
    error: null,
    elapsed_ms: 1,
    ...changes,
  };
}
