import { i18next } from "./i18n";

/** The kinds of document a question can be limited to: a media type, or a family of them that ends in `/`. */
const kinds = {
  "application/pdf": "pdf",
  "image/": "image",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "word",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "excel",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "powerpoint",
  "application/msword": "word97",
  "application/vnd.ms-excel": "excel97",
  "application/vnd.ms-powerpoint": "powerpoint97",
  "application/vnd.oasis.opendocument.text": "odt",
  "application/vnd.oasis.opendocument.spreadsheet": "ods",
  "application/vnd.oasis.opendocument.presentation": "odp",
  "application/rtf": "rtf",
  "text/csv": "csv",
  "message/rfc822": "mail",
  "text/html": "web",
  "application/epub+zip": "book",
  "text/markdown": "markdown",
  "text/plain": "text",
} as const;

function isNamed(kind: string): kind is keyof typeof kinds {
  return kind in kinds;
}

/** The kind a document belongs to. */
function kindOf(mediaType: string): string {
  return mediaType.startsWith("image/") ? "image/" : mediaType;
}

/** What a person calls a kind; one without a name is called by its media type. */
export function kindName(kind: string): string {
  return isNamed(kind) ? i18next.t(`scope.kinds.${kinds[kind]}`) : kind;
}

/** The kinds among documents, those with most documents first. */
export function kindsAmong(documents: readonly { media_type: string | null }[]): string[] {
  const counts = new Map<string, number>();
  for (const { media_type: mediaType } of documents) {
    if (mediaType !== null) {
      const kind = kindOf(mediaType);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([one, many], [other, more]) => more - many || one.localeCompare(other))
    .map(([kind]) => kind);
}
