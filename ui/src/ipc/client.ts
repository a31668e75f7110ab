import { Channel } from "@tauri-apps/api/core";
import { explainedError } from "@/lib/explained";
import type { AddPreview, ApiError, AskEvent, Changed, FilesDropped, FilesHovering, HoverEnded } from "./bindings";
import { commands, events } from "./bindings";

/** The commands, as generated. The in-memory engine implements the same type. */
export type Commands = typeof commands;

/** Stops listening. */
export type Unlisten = () => void;

/** Something that can be listened to. */
export interface EventSource<T> {
  listen(callback: (payload: T) => void): Promise<Unlisten>;
}

/** Everything the window needs from outside itself. */
export interface Ipc {
  commands: Commands;
  events: {
    changed: EventSource<Changed>;
    filesHovering: EventSource<FilesHovering>;
    hoverCounted: EventSource<AddPreview>;
    filesDropped: EventSource<FilesDropped>;
    hoverEnded: EventSource<HoverEnded>;
  };
  /** A channel for the events of one answer. */
  askChannel(onEvent: (event: AskEvent) => void): Channel<AskEvent>;
  /** The address of a rendered page, or of a part of one. */
  pageImage(request: PageImageRequest): string;
  /** Opens an address outside the application. */
  openExternal(url: string): Promise<void>;
}

/** A rendered page, or a part of it. */
export interface PageImageRequest {
  collection: string;
  documentId: string;
  sha256: string;
  /** 1-based. */
  page: number;
  /** Device pixels of the whole page, also for a part of it. */
  width: number;
  /** Points of the displayed page. */
  crop?: { left: number; top: number; right: number; bottom: number };
}

/** A command that failed, with the code that callers branch on. */
export class ApiFailure extends Error {
  readonly code: string;
  readonly retryable: boolean;

  constructor(error: ApiError) {
    super(error.message);
    this.name = "ApiFailure";
    this.code = error.code;
    this.retryable = error.retryable;
  }
}

/** The data of a command's result; throws an [`ApiFailure`] instead of returning an error. */
export async function unwrap<T>(
  result: Promise<{ status: "ok"; data: T } | { status: "error"; error: ApiError }>,
): Promise<T> {
  const settled = await result;
  if (settled.status === "error") {
    throw new ApiFailure(settled.error);
  }
  return settled.data;
}

/** What went wrong, whatever was thrown. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiFailure) {
    return { code: thrown.code, message: thrown.message, retryable: thrown.retryable };
  }
  return { code: "internal", message: thrown instanceof Error ? thrown.message : String(thrown), retryable: false };
}

/** What went wrong, in the language of the window. */
export function sayError(thrown: unknown): string {
  return explainedError(toApiError(thrown));
}

/** The address of a page on the application's own protocol; Windows and Android know it under another origin. */
export function pageAddress(request: PageImageRequest, origin: string): string {
  const { collection, documentId, sha256, page, width, crop } = request;
  const path = [collection, documentId, sha256, String(page)].map(encodeURIComponent).join("/");
  const part =
    crop === undefined
      ? ""
      : `&crop=${[crop.left, crop.top, crop.right, crop.bottom].map((edge) => edge.toFixed(1)).join(",")}`;
  return `${origin}/${path}?w=${width}${part}`;
}

const protocolOrigin = /Windows|Android/.test(navigator.userAgent) ? "http://page.localhost" : "page://localhost";

/** The real thing: Tauri's commands, events and page protocol. */
export function tauriIpc(): Ipc {
  return {
    commands,
    events: {
      changed: payloads(events.changed),
      filesHovering: payloads(events.filesHovering),
      hoverCounted: payloads(events.hoverCounted),
      filesDropped: payloads(events.filesDropped),
      hoverEnded: payloads(events.hoverEnded),
    },
    askChannel(onEvent) {
      const channel = new Channel<AskEvent>();
      channel.onmessage = onEvent;
      return channel;
    },
    pageImage: (request) => pageAddress(request, protocolOrigin),
    openExternal: async (url) => {
      await unwrap(commands.openLink(url));
    },
  };
}

function payloads<T>(event: { listen(callback: (event: { payload: T }) => void): Promise<Unlisten> }): EventSource<T> {
  return { listen: (callback) => event.listen(({ payload }) => callback(payload)) };
}
