import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/button";
import { Notice } from "@/components/notice";
import type { ListedDocument } from "@/ipc/bindings";
import { sayError } from "@/ipc/client";
import { useDocuments } from "@/ipc/queries";
import { runAction } from "@/lib/actions";
import { arrange, type DocumentFilter, type DocumentOrder, hasProblem, orders, tagsOf } from "@/lib/document-order";
import { shortcutLabel } from "@/lib/keyboard";
import { recall, remember } from "@/lib/remembered";
import { useSelectedCollection } from "@/state/selected-collection";
import { CollectionList } from "./collection-list";
import { DocumentFilters } from "./document-filters";
import { DocumentList } from "./document-list";
import { TickedBar } from "./ticked-bar";

const noFilter: DocumentFilter = { words: "", tags: [], problemsOnly: false };
const noDocuments: readonly ListedDocument[] = [];
const orderKey = "library.order";

/** Collections and documents, with where each of them stands. */
export function LibraryPane() {
  const { t } = useTranslation();
  const selected = useSelectedCollection((state) => state.name);
  const [filter, setFilter] = useState(noFilter);
  const [order, setOrder] = useOrder();
  const documents = useDocuments(selected === null ? null : [selected]);
  const all = documents.data ?? noDocuments;
  const tags = useMemo(() => tagsOf(all), [all]);
  // A tag that no document carries any more must not hide them all.
  const applied = useMemo(
    () => ({ ...filter, tags: filter.tags.filter((tag) => tags.some((known) => known.tag === tag)) }),
    [filter, tags],
  );
  const shown = useMemo(() => arrange(all, applied, order), [all, applied, order]);

  return (
    <div className="flex h-full min-h-0 flex-col">
      <CollectionList />
      <div className="flex items-center gap-1 px-3 pt-3 pb-1">
        <h2 className="grow truncate font-semibold text-2xs text-muted uppercase tracking-wider">
          {t("library.documents")}
        </h2>
        <IconButton
          label={`${t("library.add")} (${shortcutLabel("addFiles")})`}
          onClick={() => runAction("addFiles")}
          data-testid="add-files"
        >
          <Plus size={15} />
        </IconButton>
      </div>
      {all.length > 1 && (
        <DocumentFilters
          filter={applied}
          onFilter={setFilter}
          order={order}
          onOrder={setOrder}
          tags={tags}
          problems={all.filter(hasProblem).length}
        />
      )}
      <TickedBar documents={all} />
      {documents.isError && (
        <div className="px-3">
          <Notice
            title={t("library.cannotList")}
            message={sayError(documents.error)}
            onRetry={() => void documents.refetch()}
          />
        </div>
      )}
      {documents.data?.length === 0 && (
        <p className="px-3 py-1 text-muted text-xs">
          {selected === null ? t("library.none") : t("library.emptyCollection")}
        </p>
      )}
      {shown.length === 0 && all.length > 0 && (
        <p className="px-3 py-2 text-muted text-xs">
          {applied.words.trim() === "" ? t("library.noneLeft") : t("library.noMatch", { filter: applied.words.trim() })}
        </p>
      )}
      <DocumentList documents={shown} />
    </div>
  );
}

/** The order that was chosen last, also in an earlier start. */
function useOrder(): [DocumentOrder, (order: DocumentOrder) => void] {
  const [order, setOrder] = useState<DocumentOrder>(
    () => orders.find((known) => known === recall(orderKey)) ?? "title",
  );
  return [
    order,
    (next) => {
      setOrder(next);
      remember(orderKey, next);
    },
  ];
}
