/** What the engine reports, in the language of the window. */

import type { ApiError } from "@/ipc/bindings";
import { i18next } from "./i18n";

/** The codes that people meet; the others are told as the engine tells them. */
const codes = [
  "not_found",
  "password_required",
  "damaged",
  "unsupported_type",
  "empty",
  "too_large",
  "timed_out",
  "out_of_memory",
  "disk_full",
  "library_in_use",
  "read_only",
  "collection_unavailable",
  "embedder_mismatch",
  "model_not_configured",
  "model_unreachable",
  "model_rejected",
  "context_overflow",
  "asset_missing",
] as const;

/**
 * What a failure means. The engine speaks English and names what it is about; in another language what its code stands for
 * is said first, and its own words follow.
 */
export function explained(code: string | null, message: string): string {
  const known = codes.find((candidate) => candidate === code);
  if (known === undefined || i18next.language.startsWith("en")) {
    return message;
  }
  const meaning = i18next.t(`error.${known}`);
  return message === "" ? meaning : `${meaning} (${message})`;
}

export function explainedError(error: ApiError): string {
  return explained(error.code, error.message);
}
