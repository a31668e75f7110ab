import { useMutation } from "@tanstack/react-query";
import { Plus, Search } from "lucide-react";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "@/components/button";
import { Notice } from "@/components/notice";
import { toApiError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { useDocuments } from "@/ipc/queries";
import { useAction } from "@/lib/actions";
import { shortcutLabel } from "@/lib/keyboard";
import { CollectionList } from "./collection-list";
import { DocumentList } from "./document-list";
import { useSelectedCollection } from "./selected-collection";
import { useAddFiles } from "./use-add-files";

/** Collections and documents, with where each of them stands. */
export function LibraryPane() {
  const { t } = useTranslation();
  const { commands } = useIpc();
  const selected = useSelectedCollection((state) => state.name);
  const [filter, setFilter] = useState("");
  const documents = useDocuments(selected === null ? null : [selected]);
  const openDialog = useAddFiles();
  const adding = useMutation({ mutationFn: openDialog });
  const samples = useMutation({ mutationFn: () => unwrap(commands.addSamples()) });
  useAction(
    "addFiles",
    useCallback(() => adding.mutate(), [adding.mutate]),
  );

  const wanted = filter.trim().toLowerCase();
  const shown = (documents.data ?? []).filter((document) => document.title.toLowerCase().includes(wanted));
  const failure = adding.error ?? samples.error;

  return (
    <div className="flex h-full min-h-0 flex-col">
      <CollectionList />
      <div className="flex items-center gap-1 px-3 pt-3 pb-1">
        <h2 className="grow truncate font-semibold text-2xs text-muted uppercase tracking-wider">
          {t("library.documents")}
        </h2>
        <IconButton
          label={`${t("library.add")} (${shortcutLabel("addFiles")})`}
          onClick={() => adding.mutate()}
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
      {failure !== null && (
        <div className="px-3 pb-2">
          <Notice title={toApiError(failure).message} />
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
        <div className="mx-3 mt-1 rounded-md border border-line border-dashed px-4 py-5 text-center">
          {selected === null ? (
            <>
              <p className="font-read text-[15px]">{t("library.emptyTitle")}</p>
              <p className="mt-1 text-muted text-xs">{t("library.emptyBody")}</p>
              <div className="mt-3 flex flex-wrap justify-center gap-2">
                <Button
                  kind="primary"
                  onClick={() => samples.mutate()}
                  disabled={samples.isPending}
                  data-testid="add-samples"
                >
                  {t("library.addSamples")}
                </Button>
                <Button onClick={() => adding.mutate()}>{t("library.add")}</Button>
              </div>
            </>
          ) : (
            <p className="text-muted text-xs">{t("library.emptyCollection")}</p>
          )}
        </div>
      )}
      {shown.length === 0 && wanted !== "" && (
        <p className="px-3 py-2 text-muted text-xs">{t("library.noMatch", { filter: filter.trim() })}</p>
      )}
      <DocumentList documents={shown} />
    </div>
  );
}
