import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { explainedError } from "@/lib/explained";
import type { Changed, DocumentView, PageSize, SearchQuery, SettingsView } from "./bindings";
import { type Ipc, unwrap } from "./client";
import { useIpc } from "./provider";

/** Everything the window reads; state comes from what is stored, never from messages. */
export const keys = {
  status: ["status"] as const,
  settings: ["settings"] as const,
  collections: ["documents", "collections"] as const,
  documents: (collections: string[] | null) => ["documents", "list", collections] as const,
  queue: ["queue"] as const,
  conversations: ["conversations", "list"] as const,
  foundConversations: (words: string) => ["conversations", "found", words] as const,
  conversation: (id: string) => ["conversations", "one", id] as const,
  trace: (answerId: string) => ["trace", answerId] as const,
  pageText: (collection: string, documentId: string, sha256: string, page: number) =>
    ["view", "text", collection, documentId, sha256, page] as const,
  contents: (collection: string, documentId: string) => ["view", "contents", collection, documentId] as const,
  find: (collection: string, documentId: string, words: string) =>
    ["view", "find", collection, documentId, words] as const,
  undrawn: (sha256: string, page: number, attempt: number) => ["view", "undrawn", sha256, page, attempt] as const,
  locked: (collection: string, documentId: string, sha256: string) =>
    ["view", "locked", collection, documentId, sha256] as const,
  search: (query: SearchQuery) => ["search", query] as const,
  view: (collection: string, documentId: string, sha256: string | null) =>
    ["view", collection, documentId, sha256] as const,
};

export function useLibraryStatus() {
  const { commands } = useIpc();
  return useQuery({ queryKey: keys.status, queryFn: () => unwrap(commands.libraryStatus()) });
}

export function useSettings() {
  const { commands } = useIpc();
  return useQuery({ queryKey: keys.settings, queryFn: () => unwrap(commands.getSettings()) });
}

/** Changes the settings; the bar at the top tells of it at once. */
export function useSaveSettings<Change>(save: (change: Change) => Promise<SettingsView>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: save,
    onSuccess: (settings) => {
      client.setQueryData(keys.settings, settings);
      void client.invalidateQueries({ queryKey: keys.status });
    },
  });
}

export function useCollections() {
  const { commands } = useIpc();
  return useQuery({ queryKey: keys.collections, queryFn: () => unwrap(commands.listCollections()) });
}

export function useDocuments(collections: string[] | null) {
  const { commands } = useIpc();
  return useQuery({
    queryKey: keys.documents(collections),
    queryFn: async () => (await unwrap(commands.listDocuments(collections))).documents,
    placeholderData: (previous) => previous,
  });
}

export function useQueue() {
  const { commands } = useIpc();
  return useQuery({ queryKey: keys.queue, queryFn: () => unwrap(commands.queue()) });
}

export function useConversations() {
  const { commands } = useIpc();
  return useQuery({ queryKey: keys.conversations, queryFn: () => unwrap(commands.listConversations()) });
}

/** The conversations in which all words stand, in questions and answers too. */
export function useFoundConversations(words: string) {
  const { commands } = useIpc();
  return useQuery({
    queryKey: keys.foundConversations(words.trim()),
    queryFn: () => unwrap(commands.searchConversations(words)),
    enabled: words.trim() !== "",
    placeholderData: (previous) => previous,
  });
}

/** How to read a stored conversation. */
export function conversationQuery(ipc: Ipc, conversationId: string) {
  return queryOptions({
    queryKey: keys.conversation(conversationId),
    queryFn: () => unwrap(ipc.commands.getConversation(conversationId)),
  });
}

/** How a stored answer came about; what is stored never changes. */
export function traceQuery(ipc: Ipc, answerId: string) {
  return queryOptions({
    queryKey: keys.trace(answerId),
    queryFn: () => unwrap(ipc.commands.answerTrace(answerId)),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useDocumentView(place: { collection: string; documentId: string; sha256: string | null } | null) {
  const { commands } = useIpc();
  return useQuery({
    queryKey: keys.view(place?.collection ?? "", place?.documentId ?? "", place?.sha256 ?? null),
    queryFn: () =>
      unwrap(commands.documentView(place?.collection ?? "", place?.documentId ?? "", place?.sha256 ?? null)),
    enabled: place !== null,
    // The bytes behind a hash never change.
    staleTime: place?.sha256 == null ? 0 : Number.POSITIVE_INFINITY,
  });
}

/** How long what was read of a page is kept after the page has left the view. */
const pageTextKeptMs = 30_000;

interface OpenDocument {
  collection: string;
  document_id: string;
  sha256: string;
}

/** The words of a page; asked for only while the page is `wanted`. */
export function usePageText(document: OpenDocument, page: number, wanted: boolean) {
  const { commands } = useIpc();
  const { collection, document_id: id, sha256 } = document;
  return useQuery({
    queryKey: keys.pageText(collection, id, sha256, page),
    queryFn: () => unwrap(commands.pageText(collection, id, page)),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: pageTextKeptMs,
  });
}

/**
 * Whether pages that could not be drawn belong to an encrypted file. Their images cannot say why they did not come;
 * opening the file without a password can.
 */
export function useLocked(document: OpenDocument, failed: boolean): boolean {
  const { commands } = useIpc();
  const { collection, document_id: id, sha256 } = document;
  const locked = useQuery({
    queryKey: keys.locked(collection, id, sha256),
    queryFn: async () => {
      const opened = await commands.unlockDocument(collection, id, "");
      return opened.status === "error" && opened.error.code === "password_required";
    },
    enabled: failed,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return failed && locked.data === true;
}

export function useContents(document: OpenDocument, wanted: boolean) {
  const { commands } = useIpc();
  const { collection, document_id: id } = document;
  return useQuery({
    queryKey: keys.contents(collection, id),
    queryFn: () => unwrap(commands.documentContents(collection, id)),
    enabled: wanted,
  });
}

/** Every place of `words` in a document; without words nothing is asked. */
export function useFound(document: OpenDocument, words: string) {
  const { commands } = useIpc();
  const { collection, document_id: id } = document;
  return useQuery({
    queryKey: keys.find(collection, id, words),
    queryFn: async () => (await unwrap(commands.findInDocument(collection, id, words))).matches,
    enabled: words !== "",
  });
}

/** Passages that hold the words of the query; without words nothing is asked. */
export function useSearch(query: SearchQuery) {
  const { commands } = useIpc();
  return useQuery({
    queryKey: keys.search(query),
    queryFn: () => unwrap(commands.search(query)),
    enabled: query.query !== "",
    placeholderData: (previous) => previous,
  });
}

/** A command as a mutation: `useCommand((commands, id: string) => commands.cancelJob(id))`. */
export function useCommand<Argument, Data>(run: (commands: Ipc["commands"], argument: Argument) => Promise<Data>) {
  const { commands } = useIpc();
  return useMutation({ mutationFn: (argument: Argument) => run(commands, argument) });
}

function invalidate(client: QueryClient, changed: Changed): void {
  void client.invalidateQueries({ queryKey: [changed] });
  if (changed === "queue") {
    // A job that has not become a document yet is a row of the list too.
    void client.invalidateQueries({ queryKey: ["documents"] });
  }
}

/** Reads again whatever the engine says has changed. */
export function useChanges(): void {
  const client = useQueryClient();
  useEngineEvent(
    "changed",
    useCallback((changed: Changed) => invalidate(client, changed), [client]),
  );
}

/** Pixels across a page that is only drawn to hear why it cannot be. */
const probeWidth = 64;

/**
 * Why a page could not be drawn, in words; null while that is not known. An image says no more than that it failed, so the
 * same page is asked for by a command, which has a reason.
 */
export function useWhyUndrawn(view: DocumentView, page: PageSize, attempt: number): string | null {
  const { commands } = useIpc();
  const why = useQuery({
    queryKey: keys.undrawn(view.sha256, page.number, attempt),
    queryFn: async () => {
      const drawn = await commands.pagePicture({
        collection: view.collection,
        document_id: view.document_id,
        sha256: view.sha256,
        width_px: probeWidth,
        crop: { page: page.number, left: 0, top: 0, right: page.width, bottom: page.height },
        highlights: [],
      });
      return drawn.status === "error" ? explainedError(drawn.error) : null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return why.data ?? null;
}

/** Listens to an event of the engine for as long as the component is there; `callback` must be stable. */
export function useEngineEvent<Name extends keyof Ipc["events"]>(
  name: Name,
  callback: (payload: Parameters<Parameters<Ipc["events"][Name]["listen"]>[0]>[0]) => void,
): void {
  const { events } = useIpc();
  useEffect(() => {
    let stopped = false;
    let unlisten = () => {};
    const source = events[name] as { listen(callback: (payload: never) => void): Promise<() => void> };
    void source.listen(callback as (payload: never) => void).then((stop) => {
      unlisten = stop;
      if (stopped) {
        stop();
      }
    });
    return () => {
      stopped = true;
      unlisten();
    };
  }, [events, name, callback]);
}
