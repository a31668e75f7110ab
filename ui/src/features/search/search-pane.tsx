import { Search, X } from "lucide-react";
import { type KeyboardEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/button";
import { Notice } from "@/components/notice";
import type { SearchQuery, SearchResult } from "@/ipc/bindings";
import { sayError } from "@/ipc/client";
import { useSearch } from "@/ipc/queries";
import { collectionFacets, documentFacets } from "@/lib/facets";
import { useQuiet } from "@/lib/media";
import { targetOfPassage, useViewParts } from "@/state/view";
import { Facets } from "./facets";
import { ResultRow } from "./result-row";

const typingPauseMs = 200;
const mostResults = 100;
const noResults: readonly SearchResult[] = [];

/** Passages that hold the person's words, without a question and without a model. */
export function SearchPane() {
  const { t } = useTranslation();
  const { searchQuery, scopeCollections, scopeTags, set, open } = useViewParts(
    "searchQuery",
    "scopeCollections",
    "scopeTags",
    "set",
    "open",
  );
  const words = useQuiet(searchQuery.trim(), typingPauseMs);
  const query = useMemo(
    (): SearchQuery => ({
      query: words,
      mode: "fts",
      limit: mostResults,
      scope: { collections: scopeCollections.length === 0 ? null : scopeCollections, tags: scopeTags },
      expand: false,
    }),
    [words, scopeCollections, scopeTags],
  );
  const search = useSearch(query);
  const all = words === "" ? noResults : (search.data?.results ?? noResults);
  const [collection, setCollection] = useState<string | null>(null);
  const [documentId, setDocumentId] = useState<string | null>(null);
  const inCollection = useMemo(
    () => all.filter((result) => collection === null || result.collection === collection),
    [all, collection],
  );
  const results = useMemo(
    () => inCollection.filter((result) => documentId === null || result.document_id === documentId),
    [inCollection, documentId],
  );
  const [active, setActive] = useState(0);
  const current = Math.min(active, Math.max(0, results.length - 1));
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const close = () => set({ searchOpen: false });
  useEffect(() => field.current?.select(), []);

  const move = (to: number) => {
    const next = Math.min(Math.max(0, to), results.length - 1);
    setActive(next);
    list.current?.querySelectorAll("[role=option]")[next]?.scrollIntoView?.({ block: "nearest" });
  };
  const openAt = useCallback(
    (at: number) => {
      const result = results[at];
      if (result !== undefined) {
        setActive(at);
        open(targetOfPassage(result));
      }
    },
    [results, open],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) {
      return;
    }
    switch (event.key) {
      case "ArrowDown":
        move(current + 1);
        break;
      case "ArrowUp":
        move(current - 1);
        break;
      case "Enter":
        openAt(current);
        break;
      case "Escape":
        close();
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return (
    <section
      aria-label={t("search.title")}
      className="absolute inset-0 z-10 flex flex-col bg-paper"
      data-testid="search-pane"
    >
      <div className="flex h-12 shrink-0 items-center gap-2 border-line border-b px-[max(16px,calc(50%-380px))]">
        <Search aria-hidden size={15} className="shrink-0 text-muted" />
        <input
          ref={field}
          // biome-ignore lint/a11y/noAutofocus: the pane appears because the person asked for it
          autoFocus
          role="combobox"
          aria-expanded={results.length > 0}
          aria-controls={`${id}-results`}
          aria-activedescendant={results.length === 0 ? undefined : `${id}-${current}`}
          aria-label={t("search.field")}
          placeholder={t("search.field")}
          value={searchQuery}
          onChange={(event) => {
            set({ searchQuery: event.target.value });
            setActive(0);
            setDocumentId(null);
            setCollection(null);
          }}
          onKeyDown={onKeyDown}
          data-testid="search-field"
          className="h-8 min-w-0 grow bg-transparent font-read text-[17px] outline-none placeholder:text-muted"
        />
        <IconButton label={t("search.close")} onClick={close}>
          <X size={15} />
        </IconButton>
      </div>
      {search.isError && words !== "" && (
        <div className="p-4">
          <Notice title={t("search.failed")} message={sayError(search.error)} onRetry={() => void search.refetch()} />
        </div>
      )}
      <p
        role="status"
        className="shrink-0 px-[max(16px,calc(50%-380px))] pt-3 text-muted text-xs"
        data-testid="search-summary"
      >
        {words === ""
          ? t("search.hint")
          : search.data === undefined
            ? search.isError
              ? ""
              : t("search.looking")
            : all.length === 0
              ? t("search.none", { words })
              : t(all.length === mostResults ? "search.countMost" : "search.count", {
                  count: all.length,
                  documents: search.data.coverage.documents_searched,
                })}
      </p>
      {all.length > 0 && (
        <Facets
          collections={collectionFacets(all)}
          documents={documentFacets(inCollection)}
          collection={collection}
          documentId={documentId}
          onCollection={(key) => {
            setCollection(key);
            setDocumentId(null);
            setActive(0);
          }}
          onDocument={(key) => {
            setDocumentId(key);
            setActive(0);
          }}
        />
      )}
      <div
        ref={list}
        id={`${id}-results`}
        role="listbox"
        aria-label={t("search.results")}
        tabIndex={-1}
        className="scroller min-h-0 grow overflow-y-auto px-[max(8px,calc(50%-388px))] pb-4"
        data-testid="search-results"
      >
        {results.map((result, at) => (
          <ResultRow
            key={`${result.document_id}/${result.chunk_id}`}
            id={`${id}-${at}`}
            result={result}
            words={words}
            at={at}
            active={at === current}
            onOpen={openAt}
          />
        ))}
      </div>
    </section>
  );
}
