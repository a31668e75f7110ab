import { Plus, Search } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/button";
import { Notice } from "@/components/notice";
import { toApiError } from "@/ipc/client";
import { useDocuments } from "@/ipc/queries";
import { runAction } from "@/lib/actions";
import { shortcutLabel } from "@/lib/keyboard";
import { useSelectedCollection } from "@/state/selected-collection";
import { CollectionList } from "./collection-list";
import { DocumentList } from "./document-list";

/** `Note 2` before `Note 10`. */
const byTitle = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Collections and documents, with where each of them stands. */
export function LibraryPane() {
  const { t } = useTranslation();
  const selected = useSelectedCollection((state) => state.name);
  const [filter, setFilter] = useState("");
  const documents = useDocuments(selected === null ? null : [selected]);

  const wanted = filter.trim().toLowerCase();
  const shown = useMemo(
    () =>
      (documents.data ?? [])
        .filter((document) => document.title.toLowerCase().includes(wanted))
        .sort((one, other) => byTitle.compare(one.title, other.title)),
    [documents.data, wanted],
  );

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
      {documents.data !== undefined && documents.data.length > 8 && (
        <div className="relative mx-3 mb-1">
          <Search aria-hidden size={13} className="absolute top-[7px] left-2 text-muted" />
          <input
            type="search"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            placeholder={t("library.filter")}
            aria-label={t("library.filter")}
            className="h-7 w-full rounded border border-line bg-paper pr-2 pl-7 text-xs placeholder:text-muted"
          />
        </div>
      )}
      {documents.isError && (
        <div className="px-3">
          <Notice
            title={t("library.cannotList")}
            message={toApiError(documents.error).message}
            onRetry={() => void documents.refetch()}
          />
        </div>
      )}
      {documents.data?.length === 0 && (
        <p className="px-3 py-1 text-muted text-xs">
          {selected === null ? t("library.none") : t("library.emptyCollection")}
        </p>
      )}
      {shown.length === 0 && wanted !== "" && (
        <p className="px-3 py-2 text-muted text-xs">{t("library.noMatch", { filter: filter.trim() })}</p>
      )}
      <DocumentList documents={shown} />
    </div>
  );
}
