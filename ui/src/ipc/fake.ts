import type { Channel } from "@tauri-apps/api/core";
import type {
  AddPreview,
  Answer,
  AnswerTrace,
  ApiError,
  AskEvent,
  AskRequest,
  Changed,
  ChatModelSettings,
  ChosenDocument,
  Citation,
  Conversation,
  Coverage,
  EmbeddingModelSettings,
  Evidence,
  FilesDropped,
  FilesHovering,
  HoverEnded,
  ListedDocument,
  PageBox,
  QueueJob,
  RerankerSettings,
  ScopeRequest,
  SearchResult,
  SettingsView,
  StageModels,
  TracedCall,
} from "./bindings";
import type { Commands, EventSource, Ipc } from "./client";
import { fakeDocuments, scripted } from "./fake-library";
import { drawPage, type FakeDocument, locateInItems, locateOnPage, pageTextOf } from "./fake-pages";
import { contentsOf, findIn, searchIn } from "./fake-reading";

/** How the in-memory engine begins, and how fast it speaks. */
export interface FakeOptions {
  library: "full" | "empty";
  /** Puts running and failed jobs into the queue. */
  busy: boolean;
  /** Encrypts the concession agreement: its pages are drawn once it is unlocked. */
  locked: boolean;
  model: "none" | "local" | "remote";
  /** Milliseconds between two chunks of an answer; 0 pauses only at markers. */
  pace: number;
  /** Says no more after so many chunks until the answer is stopped, to look at an answer on its way. */
  holdAfter: number | null;
  /** Holds files over the window from the beginning, to look at what is said of them. */
  hover: boolean;
  now: () => Date;
}

export const fakeDefaults: FakeOptions = {
  library: "full",
  busy: false,
  locked: false,
  model: "local",
  pace: 40,
  holdAfter: null,
  hover: false,
  now: () => new Date(),
};

/** The in-memory engine: the same surface as the real one, and handles for tests. */
export interface FakeIpc extends Ipc {
  /** Sends an event as the engine would. */
  emit: {
    changed(payload: Changed): void;
    filesHovering(payload: FilesHovering): void;
    hoverCounted(payload: AddPreview): void;
    filesDropped(payload: FilesDropped): void;
    hoverEnded(): void;
  };
  /** Addresses and files that were to be opened outside. */
  opened: string[];
  /** Names of the files that were saved. */
  saved: string[];
  /** What was saved last: text, or bytes in base64. */
  lastSaved(): string | null;
}

interface Emitter<T> extends EventSource<T> {
  send(payload: T): void;
}

function emitter<T>(): Emitter<T> {
  const callbacks = new Set<(payload: T) => void>();
  return {
    listen: async (callback) => {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    send: (payload) => {
      for (const callback of callbacks) {
        callback(payload);
      }
    },
  };
}

type Result<T> = { status: "ok"; data: T } | { status: "error"; error: ApiError };

async function ok<T>(data: T): Promise<Result<T>> {
  return { status: "ok", data };
}

async function fail(code: string, message: string, retryable = false): Promise<Result<never>> {
  return { status: "error", error: { code, message, retryable } };
}

const unset = { provider: null, base_url: null, name: null, api_key_env: null, context_tokens: null };

/** What the engine begins with. */
const chatModels: Record<FakeOptions["model"], ChatModelSettings> = {
  none: unset,
  local: { ...unset, provider: "openai-compatible", base_url: "http://localhost:1234/v1", name: "qwen3-8b" },
  remote: { ...unset, provider: "openai", name: "gpt-4.1" },
};

/** The host that text goes to; null for this machine. */
function hostOf({ provider, base_url: address }: Pick<ChatModelSettings, "provider" | "base_url">): string | null {
  if (address != null) {
    const { hostname } = new URL(address);
    return /^(localhost|127\.)/.test(hostname) ? null : hostname;
  }
  return provider === "openai" || provider === "anthropic" || provider === "gemini" ? `api.${provider}.com` : null;
}

function summaryOf({ conversation, updatedAt }: { conversation: Conversation; updatedAt: string }) {
  const { conversation_id, title, answers } = conversation;
  return { conversation_id, title, updated_at: updatedAt, answers: answers.length };
}

/** What opens every encrypted file of the fake. */
export const fakePassword = "open sesame";

/** Makes an engine in memory. */
export function fakeIpc(options: Partial<FakeOptions> = {}): FakeIpc {
  const settings = { ...fakeDefaults, ...options };
  const changed = emitter<Changed>();
  const filesHovering = emitter<FilesHovering>();
  const hoverCounted = emitter<AddPreview>();
  const filesDropped = emitter<FilesDropped>();
  const hoverEnded = emitter<HoverEnded>();
  const opened: string[] = [];
  const saved: string[] = [];
  let lastSaved: string | null = null;
  let chatModel: ChatModelSettings = chatModels[settings.model];

  let documents: FakeDocument[] = settings.library === "full" ? [...fakeDocuments] : [];
  let collections: string[] = settings.library === "full" ? ["Concessions", "Q3 filings"] : ["Library"];
  let jobs: QueueJob[] = settings.busy ? busyJobs() : [];
  let paused = false;
  let finished = settings.busy ? 3 : 0;
  const lockedIds = new Set(settings.locked ? [scripted.harbour.documentId] : []);
  const conversations = new Map<string, { conversation: Conversation; updatedAt: string }>();
  const deletedConversations = new Map<string, { conversation: Conversation; updatedAt: string }>();
  const deletedDocuments: FakeDocument[] = [];
  const attached = new Map<string, string>();
  const cancelled = new Set<string>();
  /** What held answers do when they are stopped. */
  const onCancel = new Map<string, () => void>();
  let counter = 0;

  const stamp = () => settings.now().toISOString();
  const wait = () => new Promise<void>((resolve) => setTimeout(resolve, settings.pace));

  function listed(): ListedDocument[] {
    const committed = documents.map(
      (document): ListedDocument => ({
        collection: document.collection,
        document_id: document.documentId,
        uri: document.uri,
        title: document.title,
        media_type: document.mediaType,
        page_count: document.pages.length,
        recognised_pages: document.recognised.length,
        tags: [...document.tags].sort(),
        state: document.documentId.endsWith("0103") ? "ready_with_gaps" : "ready",
        message: document.documentId.endsWith("0103") ? "Pages 40–41 could not be read." : null,
        locations: [document.uri],
        sha256: document.sha256,
        created_at: stamp(),
        updated_at: stamp(),
      }),
    );
    const waiting = jobs.map(
      (job): ListedDocument => ({
        collection: job.collection,
        document_id: null,
        uri: job.uri,
        title: job.file_name,
        media_type: null,
        page_count: null,
        recognised_pages: null,
        tags: [],
        state: job.state,
        message: job.message,
        locations: [job.uri],
        sha256: null,
        created_at: stamp(),
        updated_at: stamp(),
      }),
    );
    return [...committed, ...waiting].sort(
      (one, other) => one.collection.localeCompare(other.collection) || one.title.localeCompare(other.title),
    );
  }

  let addTarget = "Documents";

  function enqueue(collection: string, paths: string[]): number {
    for (const path of paths) {
      counter += 1;
      jobs.push({
        job_id: `job-${counter}`,
        collection,
        uri: `file://${path}`,
        file_name: path.split("/").at(-1) ?? path,
        state: "queued",
        done: 0,
        total: 0,
        message: null,
        code: null,
      });
    }
    changed.send("queue");
    void work();
    return paths.length;
  }

  let working = false;
  /** Reads the queued jobs, a step at a time; each becomes a document with the pages of one of the samples. */
  async function work(): Promise<void> {
    if (working) {
      return;
    }
    working = true;
    for (;;) {
      const job = jobs.find((candidate) => candidate.state === "queued");
      if (job === undefined || paused) {
        break;
      }
      const model = fakeDocuments[counter % fakeDocuments.length] ?? scripted.meridian;
      for (const state of ["reading", "indexing", "embedding"] as const) {
        for (let done = 0; done <= 4 && jobs.includes(job); done += 1) {
          Object.assign(job, { state, done, total: 4 });
          changed.send("queue");
          await wait();
        }
      }
      if (jobs.includes(job)) {
        jobs = jobs.filter((candidate) => candidate !== job);
        finished += 1;
        documents.push({
          ...model,
          collection: job.collection,
          documentId: `added-${job.job_id}`,
          title: job.file_name.replace(/\.[^.]+$/, ""),
          uri: job.uri,
        });
        changed.send("documents");
        changed.send("queue");
      }
    }
    working = false;
  }

  function searched(request: { scope: ScopeRequest }): FakeDocument[] {
    const inCollections = request.scope.collections ?? null;
    const ids = request.scope.document_ids ?? [];
    const tags = request.scope.tags ?? [];
    const kind = request.scope.media_type ?? "";
    // Everything in it was added just now.
    const tooOld = request.scope.since != null && request.scope.since > stamp();
    return documents.filter(
      (document) =>
        (inCollections === null || inCollections.includes(document.collection)) &&
        !tooOld &&
        document.mediaType.startsWith(kind) &&
        (ids.length === 0 || ids.includes(document.documentId)) &&
        tags.every((tag) => document.tags.includes(tag)),
    );
  }

  function documentAt(collection: string, documentId: string): FakeDocument | undefined {
    return documents.find((candidate) => candidate.collection === collection && candidate.documentId === documentId);
  }

  const gone = () => fail("document_not_found", "This document was removed from the library.");

  async function answer(answerId: string, request: AskRequest, channel: Channel<AskEvent>): Promise<void> {
    const send = (event: AskEvent) => channel.onmessage(event);
    const conversationId = request.conversation_id ?? `conversation-${answerId}`;
    const inScope = searched(request);
    const script = scriptFor(request.question, inScope, chatModel.name === null || request.strategy === "quotes");
    const unread = jobs.filter((job) => job.message !== null);
    const coverage: Coverage = {
      documents_searched: inScope.length,
      documents_with_matches: new Set(script.citations.map((citation) => citation.document_id)).size,
      documents_total: inScope.length + unread.length,
      not_searched: unread.map((job) => ({
        document_id: null,
        title: job.file_name,
        reason: job.message ?? "",
      })),
      chosen: chosenFor(request.question, inScope),
    };
    const quotesOnly = chatModel.name === null || request.strategy === "quotes";
    const result: Answer = {
      answer_id: answerId,
      question: request.question,
      strategy: quotesOnly ? "quotes" : "passages",
      model: quotesOnly ? null : (request.model ?? "qwen3-8b"),
      status: "answered",
      scope: request.scope,
      text: script.text,
      uncited: false,
      unit_stats: { evidence: 9, neighbours: 0, runner_ups: 0, whole_documents: 0, returned: 9, cap: 12 },
      sections_dropped: 0,
      nearest: [],
      citations: script.citations,
      evidence: script.evidence,
      coverage,
      documents_failed: [],
      invalid_markers: 0,
      usage: quotesOnly
        ? { input_tokens: null, output_tokens: null, calls: 0 }
        : { input_tokens: 2913, output_tokens: 148, calls: 1 },
      error: null,
      elapsed_ms: 4180,
    };
    const end = (event: AskEvent & { answer: Answer }) => {
      const known = conversations.get(conversationId)?.conversation;
      conversations.set(conversationId, {
        updatedAt: stamp(),
        conversation: {
          conversation_id: conversationId,
          title: known?.title ?? request.question,
          answers: [...(known?.answers ?? []), event.answer],
        },
      });
      changed.send("conversations");
      send(event);
    };

    send({
      type: "started",
      answer_id: answerId,
      conversation_id: conversationId,
      strategy: result.strategy,
      scope: request.scope,
    });
    send({ type: "stage", name: "search", done: 0, total: inScope.length });
    await wait();
    send({ type: "stage", name: "search", done: inScope.length, total: inScope.length });
    await wait();
    if (script.kind === "refusal") {
      end({
        type: "finished",
        answer: { ...result, status: "refused", text: "", citations: [], evidence: [], nearest: script.nearest },
      });
      return;
    }
    send({ type: "evidence", evidence: script.evidence });
    if (script.kind === "failure") {
      const error: ApiError = {
        code: "model_unreachable",
        message: "The model at 127.0.0.1:11434 did not answer. Start it, or ask without a model.",
        retryable: true,
      };
      end({
        type: "failed",
        answer: { ...result, status: "failed", text: "", citations: [], error },
        error,
      });
      return;
    }
    send({ type: "stage", name: "generate", done: 0, total: 0 });
    let text = "";
    let chunks = 0;
    const verdicts: Citation[] = [];
    for (const chunk of script.text.split(/(?<=\s)|(?=\[\d)|(?<=\])/)) {
      if (settings.holdAfter !== null && chunks >= settings.holdAfter && !cancelled.has(answerId)) {
        await new Promise<void>((resolve) => onCancel.set(answerId, resolve));
      }
      if (cancelled.has(answerId)) {
        const citations = verdicts.filter((citation) => text.includes(`[${citation.index}]`));
        end({ type: "cancelled", answer: { ...result, status: "cancelled", text, citations } });
        return;
      }
      chunks += 1;
      text += chunk;
      send({ type: "text", delta: chunk });
      const index = /^\[(\d+)\]$/.exec(chunk)?.[1];
      if (index !== undefined) {
        send({ type: "citation", index: Number(index) });
      }
      if (settings.pace > 0 || index !== undefined) {
        await wait();
      }
      // The check of a citation trails its marker, as it does for real.
      const due = script.citations.find(
        (citation) =>
          !verdicts.includes(citation) && text.includes(`[${citation.index}]`) && Number(index) !== citation.index,
      );
      if (due !== undefined) {
        verdicts.push(due);
        send({ type: "verdict", citation: due });
      }
    }
    send({ type: "stage", name: "verify", done: script.citations.length, total: script.citations.length });
    for (const citation of script.citations) {
      if (!verdicts.includes(citation)) {
        send({ type: "verdict", citation });
      }
    }
    send({ type: "usage", usage: result.usage });
    end({ type: "finished", answer: result });
  }

  if (settings.hover) {
    setTimeout(() => {
      filesHovering.send({ count: 3 });
      hoverCounted.send({
        files: 1248,
        bytes: 3_100_000_000,
        unsupported: 12,
        unsupported_kinds: ["mp4", "zip"],
        already_here: 37,
        unreachable: 0,
        needed_bytes: 3_400_000_000,
        free_bytes: 210_000_000_000,
        complete: true,
      });
    }, 1_000);
  }

  let stages: StageModels = {};
  let embedding: EmbeddingModelSettings = {};
  let reranker: RerankerSettings = {};
  const settingsNow = (): SettingsView => ({ model: chatModel, stages, embedding, reranker, overridden_by: [] });

  const commands: Commands = {
    libraryStatus: () =>
      ok({
        version: "0.1.0",
        path: "/home/reader/Recto",
        read_only: false,
        models: {
          chat_model: chatModel.name ?? null,
          remote_host: hostOf(chatModel),
          embedding_model: embedding.name ?? "all-MiniLM-L6-v2",
          embedding_host: hostOf(embedding),
          reranker: reranker.name ?? reranker.model_file ?? null,
          reranker_host: hostOf(reranker),
          probe: null,
        },
      }),
    getSettings: () => ok(settingsNow()),
    setChatModel: (model) => {
      if (model.base_url != null && !/^https?:/.test(model.base_url)) {
        return fail("invalid_argument", "model.base_url: begins with http:// or https://");
      }
      chatModel = model;
      return ok(settingsNow());
    },
    setStageModel: (stage, model) => {
      stages = { ...stages, [stage]: model };
      return ok(settingsNow());
    },
    setEmbeddingModel: (model) => {
      if (model.name === "missing") {
        return fail("model_rejected", "The model server does not know the model missing.");
      }
      embedding = model.name == null ? {} : { ...model, dimension: 768 };
      return ok(settingsNow());
    },
    probeEmbeddingModel: (model) =>
      ok({
        usable: model.name !== "missing",
        checks: [
          { kind: "reachable", is_well: true, sentence: "The server answers." },
          {
            kind: "model",
            is_well: model.name !== "missing",
            sentence: model.name === "missing" ? "It does not offer the model." : "It offers the model.",
          },
        ],
        models: [],
        remote_host: hostOf(model),
        key_source: null,
      }),
    setReranker: (chosen) => {
      if (chosen.model_file === "missing.onnx") {
        return fail("asset_missing", "There is no file missing.onnx.");
      }
      reranker = chosen;
      return ok(settingsNow());
    },
    probeReranker: (chosen) =>
      ok({
        usable: true,
        checks: [{ kind: "ranking", is_well: true, sentence: "It ranks an answer before a text that is none." }],
        models: [],
        remote_host: hostOf(chosen),
        key_source: null,
      }),
    probeChatModel: (model) => {
      const there = model.name !== "missing";
      return ok({
        usable: there,
        checks: [
          { kind: "reachable", is_well: true, sentence: "The server answers." },
          {
            kind: "model",
            is_well: there,
            sentence: there ? "It offers the model." : "It does not offer the model.",
          },
          { kind: "tools", is_well: null, sentence: "Whether it uses tools is not known." },
        ],
        models: ["qwen3:8b", "llama3.2"],
        remote_host: hostOf(model),
        key_source: null,
      });
    },
    localModelServers: () =>
      ok([
        { kind: "ollama", provider: "ollama", base_url: "http://127.0.0.1:11434", models: ["qwen3:8b", "llama3.2"] },
      ]),
    searchConversations: (query) => {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      const found = [...conversations.values()].filter(({ conversation }) => {
        const said = conversation.answers.map((answer) => `${answer.question} ${answer.text}`).join(" ");
        const text = `${conversation.title} ${said}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
      return ok(found.map(summaryOf));
    },
    renameConversation: (conversationId, title) => {
      const known = conversations.get(conversationId);
      if (known === undefined) {
        return fail("not_found", "There is no such conversation.");
      }
      known.conversation = { ...known.conversation, title };
      changed.send("conversations");
      return ok(null);
    },
    saveTextFile: (name, content) => {
      saved.push(name);
      lastSaved = content;
      return ok(true);
    },
    saveFile: (name, content) => {
      saved.push(name);
      lastSaved = content;
      return ok(true);
    },
    saveDiagnostics: () => {
      saved.push("recto-diagnostics.zip");
      return ok(true);
    },
    pagePicture: ({ document_id: documentId, sha256, crop, width_px }) => {
      const document = documents.find((candidate) => candidate.documentId === documentId);
      return document === undefined || document.sha256 !== sha256 || lockedIds.has(documentId)
        ? gone()
        : ok(blankPicture(crop, width_px));
    },
    openOriginal: (collection, documentId) => {
      opened.push(`file:${documentAt(collection, documentId)?.title}`);
      return ok(null);
    },
    revealOriginal: (collection, documentId) => {
      opened.push(`folder:${documentAt(collection, documentId)?.title}`);
      return ok(null);
    },
    listCollections: () =>
      ok(
        [...collections].sort().map((name) => {
          const inside = documents.filter((document) => document.collection === name).length;
          const coming = jobs.filter((job) => job.collection === name).length;
          return {
            name,
            documents: inside + coming,
            ready: inside,
            error: null,
            embedding_model: "all-MiniLM-L6-v2",
            location: attached.get(name) ?? null,
          };
        }),
      ),
    createCollection: (name) => {
      if (collections.includes(name)) {
        return fail("collection_exists", `There is a collection “${name}” already. Choose another name.`);
      }
      collections.push(name);
      changed.send("documents");
      return ok(null);
    },
    attachCollection: (name, folder) => {
      if (!folder.includes("/collections/")) {
        return fail(
          "not_found",
          `There is no collection in ${folder}. Name the folder of one: collections/… of another library.`,
        );
      }
      if (collections.includes(name)) {
        return fail("invalid_argument", `There is a collection “${name}” already. Choose another name.`);
      }
      collections.push(name);
      attached.set(name, folder);
      changed.send("documents");
      return ok(null);
    },
    openFolderDialog: () => ok("/shared/Tides/collections/tides"),
    previewAdd: (_, paths) =>
      ok({
        files: paths.filter((path) => path.endsWith(".pdf")).length,
        bytes: 3_100_000 * paths.length,
        unsupported: paths.filter((path) => path.endsWith(".mp4")).length,
        unsupported_kinds: paths.some((path) => path.endsWith(".mp4")) ? ["mp4"] : [],
        already_here: 0,
        unreachable: 0,
        needed_bytes: 3_900_000 * paths.length,
        free_bytes: 210_000_000_000,
        complete: true,
      }),
    removeCollection: (name) => {
      collections = collections.filter((candidate) => candidate !== name);
      documents = documents.filter((document) => document.collection !== name);
      changed.send("documents");
      return ok(null);
    },
    listDocuments: (names) =>
      ok({ documents: listed().filter((document) => names === null || names.includes(document.collection)) }),
    addPaths: (collection, paths) => ok(enqueue(collection ?? addTarget, paths)),
    setAddTarget: async (collection) => {
      addTarget = collection;
    },
    e2eDrop: (paths) => ok(enqueue(addTarget, paths)),
    openLink: (url) => {
      opened.push(url);
      return ok(null);
    },
    openFileDialog: () => ok(["/documents/new-filing.pdf"]),
    deleteDocument: (collection, documentId) => {
      const deleted = documentAt(collection, documentId);
      if (deleted === undefined) {
        return gone();
      }
      documents = documents.filter((document) => document !== deleted);
      deletedDocuments.push(deleted);
      changed.send("documents");
      return ok(null);
    },
    restoreDocument: (collection, documentId) => {
      const deleted = deletedDocuments.find(
        (document) => document.collection === collection && document.documentId === documentId,
      );
      if (deleted === undefined) {
        return fail("not_found", "It is too late to bring this document back. Add its file again.");
      }
      documents.push(deleted);
      changed.send("documents");
      return ok(null);
    },
    queue: () =>
      ok({
        paused,
        active: jobs.filter((job) => job.message === null).length,
        finished,
        jobs: jobs.map((job) => ({ ...job })),
      }),
    cancelJob: (jobId) => {
      jobs = jobs.filter((job) => job.job_id !== jobId);
      changed.send("queue");
      return ok(null);
    },
    retryJob: (jobId) => {
      const job = jobs.find((candidate) => candidate.job_id === jobId);
      if (job === undefined) {
        return fail("not_found", "This job is no longer in the queue.");
      }
      Object.assign(job, { state: "queued", message: null, code: null, done: 0, total: 0 });
      changed.send("queue");
      return ok(null);
    },
    moveJobToFront: (jobId) => {
      const job = jobs.find((candidate) => candidate.job_id === jobId);
      if (job?.state !== "queued") {
        return fail("not_found", "There is no such job in the queue.");
      }
      const others = jobs.filter((candidate) => candidate !== job);
      const first = others.findIndex((candidate) => candidate.state === "queued");
      others.splice(first === -1 ? others.length : first, 0, job);
      jobs = others;
      changed.send("queue");
      return ok(null);
    },
    unlockJob: (jobId, password) => {
      const job = jobs.find((candidate) => candidate.job_id === jobId);
      if (job === undefined) {
        return fail("not_found", "This job is no longer in the queue.");
      }
      const opens = password === fakePassword;
      Object.assign(job, opens ? { state: "queued", message: null, code: null, done: 0, total: 0 } : {});
      changed.send("queue");
      return ok(null);
    },
    dismissJob: (jobId) => {
      jobs = jobs.filter((job) => job.job_id !== jobId);
      changed.send("queue");
      return ok(null);
    },
    pauseQueue: (value) => {
      paused = value;
      changed.send("queue");
      if (!paused && !settings.busy) {
        void work();
      }
      return ok(null);
    },
    search: (query) => {
      const results = searchIn(searched(query), query.query, query.limit);
      return ok({
        query: query.query,
        mode: query.mode,
        unit_stats: {
          evidence: results.length,
          neighbours: 0,
          runner_ups: 0,
          whole_documents: 0,
          returned: results.length,
          cap: query.limit,
        },
        results,
        coverage: {
          documents_searched: searched(query).length,
          documents_with_matches: new Set(results.map((result) => result.document_id)).size,
          documents_total: searched(query).length,
          not_searched: [],
        },
      });
    },
    ask: (request, channel) => {
      counter += 1;
      const answerId = `answer-${counter}`;
      void answer(answerId, request, channel);
      return ok(answerId);
    },
    cancelAnswer: (answerId) => {
      cancelled.add(answerId);
      onCancel.get(answerId)?.();
      return ok(null);
    },
    answerTrace: (answerId) => {
      const kept = [...conversations.values()].flatMap(({ conversation }) => conversation.answers);
      const found = kept.find((answer) => answer.answer_id === answerId);
      return found === undefined ? fail("not_found", "There is no answer with this id.") : ok(traceOf(answerId, found));
    },
    replayAnswer: (answerId) => {
      const kept = [...conversations.values()].flatMap(({ conversation }) => conversation.answers);
      const answer = kept.find((one) => one.answer_id === answerId);
      return answer === undefined
        ? fail("not_found", "There is no answer with this id.")
        : ok({ answer_id: answerId, differing: [], answer });
    },
    listConversations: () =>
      ok([...conversations.values()].sort((one, other) => other.updatedAt.localeCompare(one.updatedAt)).map(summaryOf)),
    getConversation: (conversationId) => {
      const kept = conversations.get(conversationId);
      return kept === undefined
        ? fail("not_found", "This conversation is no longer in the library.")
        : ok(structuredClone(kept.conversation));
    },
    deleteConversation: (conversationId) => {
      const deleted = conversations.get(conversationId);
      if (deleted === undefined) {
        return fail("not_found", "There is no such conversation.");
      }
      conversations.delete(conversationId);
      deletedConversations.set(conversationId, deleted);
      changed.send("conversations");
      return ok(null);
    },
    restoreConversation: (conversationId) => {
      const deleted = deletedConversations.get(conversationId);
      if (deleted === undefined) {
        return fail("not_found", "It is too late to bring this conversation back.");
      }
      conversations.set(conversationId, deleted);
      deletedConversations.delete(conversationId);
      changed.send("conversations");
      return ok(null);
    },
    pageText: (collection, documentId, number) => {
      const document = documentAt(collection, documentId);
      const page = document?.pages[number - 1];
      return document === undefined || page === undefined ? gone() : ok(pageTextOf(document, page));
    },
    documentContents: (collection, documentId) => {
      const document = documentAt(collection, documentId);
      return document === undefined ? gone() : ok(contentsOf(document));
    },
    findInDocument: (collection, documentId, words) => {
      const document = documentAt(collection, documentId);
      return document === undefined ? gone() : ok({ matches: findIn(document, words) });
    },
    unlockDocument: (collection, documentId, password) => {
      if (documentAt(collection, documentId) === undefined) {
        return gone();
      }
      if (lockedIds.has(documentId) && password !== fakePassword) {
        return fail("password_required", "The password does not open the file.");
      }
      lockedIds.delete(documentId);
      return ok(null);
    },
    editDocument: (collection, documentId, title, tags) => {
      const document = documentAt(collection, documentId);
      if (document === undefined) {
        return gone();
      }
      if (title !== null && title.trim() === "") {
        return fail("invalid_argument", "A title needs at least one letter.");
      }
      documents = documents.map((candidate) =>
        candidate === document
          ? { ...document, title: title ?? document.title, tags: [...new Set(tags ?? document.tags)].sort() }
          : candidate,
      );
      changed.send("documents");
      const row = listed().find((candidate) => candidate.document_id === documentId);
      return row === undefined ? gone() : ok(row);
    },
    documentView: (collection, documentId) => {
      const document = documentAt(collection, documentId);
      return document === undefined
        ? gone()
        : ok({
            collection,
            document_id: documentId,
            sha256: document.sha256,
            title: document.title,
            uri: document.uri,
            pages: document.pages.map((page) => page.size),
            items: document.items,
          });
    },
    addSamples: () => {
      const name = collections[0] ?? "Library";
      return ok(
        enqueue(name, [
          "/samples/federal-reserve-annual-report-2023.pdf",
          "/samples/opm-annual-performance-report-2017.pdf",
          "/samples/sec-solely-incidental-interpretation-2019.pdf",
        ]),
      );
    },
  };

  return {
    commands,
    events: { changed, filesHovering, hoverCounted, filesDropped, hoverEnded },
    emit: {
      changed: changed.send,
      filesHovering: filesHovering.send,
      hoverCounted: hoverCounted.send,
      filesDropped: filesDropped.send,
      hoverEnded: () => hoverEnded.send(null),
    },
    askChannel: (onEvent) => ({ onmessage: onEvent }) as unknown as Channel<AskEvent>,
    pageImage: ({ documentId, page: number, width, crop }) => {
      const document = documents.find((candidate) => candidate.documentId === documentId);
      const page = document?.pages[number - 1];
      return document === undefined || page === undefined || lockedIds.has(documentId)
        ? "data:image/png,none"
        : drawPage(document, page, width, crop);
    },
    openExternal: async (url) => {
      opened.push(url);
    },
    opened,
    saved,
    lastSaved: () => lastSaved,
  };
}

/** What would have been sent for an answer, and what came back. */
function traceOf(answerId: string, { question, strategy, model, evidence, text, usage }: Answer): AnswerTrace {
  const passages = evidence.map(({ index, title, text: passage }) => `[${index}] ${title}\n${passage}`).join("\n\n");
  const sent: TracedCall = {
    stage: "generate",
    model: model ?? "",
    document_id: null,
    messages: [
      {
        role: "system",
        content:
          "Answer from the numbered passages alone. Put the number of each passage you use in square brackets behind the sentence it supports. Where the passages do not hold the answer, say so.",
      },
      { role: "user", content: `Passages:\n\n${passages}\n\nQuestion: ${question}` },
    ],
    schema: null,
    tools: [],
    reply: text,
    tool_calls: [],
    usage,
    error: null,
    complete: true,
  };
  return {
    answer_id: answerId,
    question,
    strategy,
    calls: model === null ? [] : [sent],
    decisions: [{ stage: "verify", document_id: null, what: `${evidence.length} passages were given.` }],
  };
}

/** A PNG file of one white pixel, said to be as large as the part asked for. */
function blankPicture(crop: PageBox, widthPx: number) {
  const width = Math.round(widthPx / 2);
  return {
    media_type: "image/png",
    width,
    height: Math.round((width * (crop.bottom - crop.top)) / (crop.right - crop.left)),
    base64: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==",
  };
}

function busyJobs(): QueueJob[] {
  const job = (
    id: number,
    file_name: string,
    state: QueueJob["state"],
    done: number,
    total: number,
    code: string | null = null,
    message: string | null = null,
  ): QueueJob => ({
    job_id: `busy-${id}`,
    collection: "Q3 filings",
    uri: `file:///documents/${file_name}`,
    file_name,
    state,
    done,
    total,
    code,
    message,
  });
  return [
    job(1, "granite-insurance-10q-2024q3.pdf", "reading", 61, 148),
    job(2, "hollis-and-marsh-10q-2024q3.pdf", "embedding", 212, 260),
    job(3, "imperial-cement-10q-2024q3.pdf", "queued", 0, 0),
    job(4, "juniper-biotech-10q-2024q3.pdf", "queued", 0, 0),
    job(
      5,
      "board-minutes-2024-09.pdf",
      "needs_password",
      0,
      0,
      "password_required",
      "The file is protected with a password.",
    ),
    job(
      6,
      "scan-2019-11.pdf",
      "damaged",
      0,
      0,
      "damaged",
      "The file ends in the middle of its page table; 0 of 14 pages could be read.",
    ),
  ];
}

interface Script {
  kind: "answer" | "refusal" | "failure";
  text: string;
  citations: Citation[];
  evidence: Evidence[];
  nearest: SearchResult[];
}

interface Wanted {
  index: number;
  document: FakeDocument;
  page: number;
  quote: string;
  headings: string[];
  quoteBy: Citation["quote_by"];
  verdict: Citation["verdict"];
  missing?: string[];
  computed?: string[];
  operands?: string[];
}

function cite(wanted: Wanted): Citation {
  const { index, document, quote, headings } = wanted;
  const page = document.pages[wanted.page - 1];
  const spans = locateInItems(document.items, quote);
  const name = page === undefined ? null : { number: page.size.number, label: page.size.label };
  const passage = page?.blocks.find((block) => block.text.includes(quote))?.text ?? quote;
  const quoteBoxes = page === undefined || wanted.verdict === "not_located" ? [] : locateOnPage(page, quote, "quote");
  return {
    index,
    collection: document.collection,
    document_id: document.documentId,
    title: document.title,
    uri: document.uri,
    section_title: headings.at(-1) ?? null,
    headings,
    section_ids: [`${document.documentId}/s4`],
    pages: name === null ? [] : [name],
    chunk_ids: [`${document.documentId}/c${index}`],
    doc_item_refs: spans.length > 0 ? spans.map((span) => span.ref) : [`#/texts/${index}`],
    sha256: document.sha256,
    locator: name === null ? { kind: "heading", path: headings } : { kind: "page", pages: [name] },
    quote,
    quote_by: wanted.quoteBy,
    verdict: wanted.verdict,
    mark:
      wanted.verdict === "not_located" || (wanted.missing ?? []).length > 0
        ? "open"
        : wanted.quoteBy === "answer" && wanted.verdict === "verbatim"
          ? "proven"
          : "near",
    numbers: {
      found: [],
      missing: wanted.missing ?? [],
      computed: wanted.computed ?? [],
      operands: wanted.operands ?? [],
    },
    boxes: page === undefined ? [] : [...quoteBoxes, ...locateOnPage(page, passage, "passage")],
    spans,
  };
}

/** Lets a quote go on at the top of the next page. */
function acrossPages(citation: Citation, document: FakeDocument, number: number, rest: string): Citation {
  const page = document.pages[number - 1];
  if (page === undefined) {
    return citation;
  }
  const pages = [...citation.pages, { number, label: page.size.label }];
  return {
    ...citation,
    pages,
    locator: { kind: "page", pages },
    quote: `${citation.quote} ${rest}`,
    boxes: [
      ...citation.boxes.filter((box) => box.kind === "quote"),
      ...locateOnPage(page, rest, "quote"),
      ...citation.boxes.filter((box) => box.kind === "passage"),
    ],
  };
}

function passageOf(citation: Citation, rank: number, text = citation.quote): SearchResult {
  return {
    rank,
    score: 1 / (60 + rank),
    confidence: null,
    role: "evidence",
    neighbour_of: null,
    locator: citation.locator,
    spans: citation.spans,
    collection: citation.collection,
    document_id: citation.document_id,
    title: citation.title,
    uri: citation.uri,
    chunk_id: citation.chunk_ids[0] ?? "",
    chunk_ids: citation.chunk_ids,
    pages: citation.pages,
    headings: citation.headings,
    labels: ["text"],
    doc_item_refs: citation.doc_item_refs,
    text,
    boxes: citation.boxes
      .filter((box) => box.kind === "passage")
      .map(({ page, left, top, right, bottom }) => ({ page, left, top, right, bottom })),
  };
}

/** Which documents a question is about: those whose first word or period it names. */
function chosenFor(question: string, inScope: readonly FakeDocument[]): ChosenDocument[] {
  const asked = question.toLowerCase();
  return inScope.flatMap((document) => {
    const name = document.title.split(" ")[0] ?? "";
    const reasons = [name, "third quarter"].filter(
      (words) => asked.includes(words.toLowerCase()) && document.title.toLowerCase().includes(words.toLowerCase()),
    );
    return reasons.includes(name)
      ? [{ collection: document.collection, document_id: document.documentId, title: document.title, reasons }]
      : [];
  });
}

function scriptFor(question: string, inScope: readonly FakeDocument[], quotesOnly: boolean): Script {
  const discussion = ["Item 2. Management’s Discussion and Analysis", "Results of operations"];
  const liquidity = ["Item 2. Management’s Discussion and Analysis", "Liquidity and capital resources"];
  const { meridian, harbour, notes, scorecard } = scripted;
  const revenue = cite({
    index: 1,
    document: meridian,
    page: 21,
    quote:
      "Net revenue for the third quarter was $1,577 million, an increase of 15% from $1,371 million in the third quarter of 2023.",
    headings: discussion,
    quoteBy: "answer",
    verdict: "verbatim",
    computed: quotesOnly ? [] : ["$206 million"],
    operands: quotesOnly ? [] : ["1,577 − 1,371"],
  });
  const services = cite({
    index: 2,
    document: meridian,
    page: 21,
    quote:
      "The increase was driven primarily by growth in services, including calibration contracts and software subscriptions",
    headings: discussion,
    quoteBy: quotesOnly ? "answer" : "recto",
    verdict: quotesOnly ? "verbatim" : "aligned",
  });
  const call = cite({
    index: 3,
    document: notes,
    page: 0,
    quote: "management called the backlog the largest in the company’s history.",
    headings: ["Services"],
    quoteBy: "answer",
    verdict: "verbatim",
  });
  const margin = cite({
    index: 4,
    document: meridian,
    page: 21,
    quote: "Gross margin was 47.2%, compared with 45.9% a year earlier.",
    headings: discussion,
    quoteBy: "recto",
    verdict: "aligned",
    missing: quotesOnly ? [] : ["1.6 points"],
  });
  const cash = cite({
    index: 6,
    document: meridian,
    page: 24,
    quote: "Cash, cash equivalents and short-term investments totalled $2,148 million at quarter end.",
    headings: liquidity,
    quoteBy: "recto",
    verdict: "aligned",
  });
  const clause = cite({
    index: 7,
    document: harbour,
    page: 17,
    quote: "The Authority may terminate this Agreement by giving not less than ninety days’ written notice",
    headings: ["Clause 14. Termination by the Authority"],
    quoteBy: "recto",
    verdict: "aligned",
  });
  const transfer = acrossPages(
    cite({
      index: 8,
      document: harbour,
      page: 17,
      quote: "The Operator shall continue to run the Services until the date of transfer and shall",
      headings: ["Clause 14. Termination by the Authority"],
      quoteBy: "answer",
      verdict: "verbatim",
    }),
    harbour,
    18,
    "keep all safety certificates valid for a further six months.",
  );
  const site = cite({
    index: 9,
    document: scorecard,
    page: 0,
    quote: "83.7 %",
    headings: ["Sites"],
    quoteBy: "answer",
    verdict: "verbatim",
  });
  const all = [revenue, services, call, margin, cash, clause];
  const evidence = (cited: readonly Citation[]) =>
    all.map((citation, at) => ({
      ...passageOf(citation, at + 1),
      index: citation.index,
      cited: cited.includes(citation),
    }));

  if (/weather|refus/i.test(question) || inScope.length === 0) {
    const nearest = inScope.length === 0 ? [] : [passageOf(cash, 1), passageOf(clause, 2)];
    return { kind: "refusal", text: "", citations: [], evidence: [], nearest };
  }
  if (/terminat/i.test(question)) {
    const citations = [clause, transfer, site];
    return {
      kind: "answer",
      text: `The Authority may end the agreement with ninety days’ notice.[7] Until the transfer the Operator runs the services and keeps its safety certificates valid for six months more.[8] Ridgeway delivered 83.7 % on time in the second half.[9]\n`,
      citations,
      evidence: citations.map((citation, at) => ({
        ...passageOf(citation, at + 1),
        index: citation.index,
        cited: true,
      })),
      nearest: [],
    };
  }
  if (/formula/i.test(question)) {
    return {
      kind: "answer",
      text: `The increase is the share \\(g = \\frac{r_1 - r_0}{r_0}\\) of the revenue before:[1]\n\n$$g = \\frac{1577 - 1371}{1371} \\approx 0.15$$\n\nThe same in code:\n\n\`\`\`python\nbefore, now = 1371, 1577\nprint(round((now - before) / before, 2))  # 0.15, from $1,371 to $1,577\n\`\`\`\n`,
      citations: [revenue],
      evidence: evidence([revenue]),
      nearest: [],
    };
  }
  if (/fail/i.test(question)) {
    return { kind: "failure", text: "", citations: [], evidence: evidence([]), nearest: [] };
  }
  if (quotesOnly) {
    const citations = [
      revenue,
      services,
      { ...margin, quote_by: "answer" as const, verdict: "verbatim" as const, mark: "proven" as const },
      call,
    ];
    return {
      kind: "answer",
      text: `**${meridian.title}**\n\n> ${revenue.quote} [1]\n\n> ${services.quote} [2]\n\n> ${margin.quote} [4]\n\n**${notes.title}**\n\n> ${call.quote} [3]\n`,
      citations,
      evidence: evidence(citations.map((citation) => all.find(({ index }) => index === citation.index) ?? citation)),
      nearest: [],
    };
  }
  const citations = [revenue, services, call, margin];
  return {
    kind: "answer",
    text: `Revenue rose by 15 % to **$1,577 million** in the third quarter of 2024, from $1,371 million a year before: $206 million more.[1] The growth came mainly from services: calibration contracts and software subscriptions.[2] On the call, management described the contract backlog as *the largest in the company’s history*.[3]\n\nMargins moved the same way:\n\n- Gross margin reached 47.2 %, a gain of 1.6 points.[4]\n- Freight was cheaper, while the Sensing segment wrote down inventory.[4]\n\nNothing in these documents breaks services growth down by region.\n`,
    citations,
    evidence: evidence(citations),
    nearest: [],
  };
}

/** Reads how the engine in memory is to begin from the page's address: `?library=empty&busy&model=none`. */
export function fakeOptionsFrom(search: string): Partial<FakeOptions> {
  const query = new URLSearchParams(search);
  const options: Partial<FakeOptions> = {};
  if (query.get("library") === "empty") {
    options.library = "empty";
  }
  if (query.has("locked")) {
    options.locked = true;
  }
  if (query.has("hover")) {
    options.hover = true;
  }
  if (query.has("busy")) {
    options.busy = true;
  }
  const model = query.get("model");
  if (model === "none" || model === "local" || model === "remote") {
    options.model = model;
  }
  const pace = query.get("pace");
  if (pace !== null) {
    options.pace = Number(pace);
  }
  const hold = query.get("hold");
  if (hold !== null) {
    options.holdAfter = Number(hold);
  }
  return options;
}
