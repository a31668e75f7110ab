import { useMutation } from "@tanstack/react-query";
import { FolderPlus, FolderSymlink, Library, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "@/components/button";
import { ConfirmDialog } from "@/components/confirm-dialog";
import type { CollectionSummary } from "@/ipc/bindings";
import { sayError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { useCollections } from "@/ipc/queries";
import { useSelectedCollection } from "@/state/selected-collection";
import { useView } from "@/state/view";
import { AttachDialog } from "./attach-dialog";

/** The collections: which one is looked at, and which ones a question is limited to. */
export function CollectionList() {
  const { t } = useTranslation();
  const { commands } = useIpc();
  const collections = useCollections().data ?? [];
  const { name: selected, select } = useSelectedCollection();
  const [naming, setNaming] = useState(false);
  const [attaching, setAttaching] = useState(false);
  const [removing, setRemoving] = useState<CollectionSummary | null>(null);
  const remove = useMutation({
    mutationFn: (name: string) => unwrap(commands.removeCollection(name)),
    onSuccess: () => select(null),
  });
  const total = collections.reduce((sum, collection) => sum + collection.documents, 0);

  return (
    <div className="shrink-0">
      <div className="flex items-center gap-1 px-3 pt-2 pb-1">
        <h2 className="grow truncate font-semibold text-2xs text-muted uppercase tracking-wider">
          {t("library.collections")}
        </h2>
        <IconButton label={t("library.attachTitle")} onClick={() => setAttaching(true)} data-testid="attach">
          <FolderSymlink size={15} />
        </IconButton>
        <IconButton label={t("library.newCollection")} onClick={() => setNaming(true)}>
          <FolderPlus size={15} />
        </IconButton>
      </div>
      <ul className="scroller max-h-48 overflow-y-auto px-1.5" data-testid="collections">
        <li>
          <button
            type="button"
            aria-current={selected === null}
            onClick={() => select(null)}
            className="flex h-7 w-full items-center gap-2 rounded px-1.5 text-left hover:bg-hover aria-[current=true]:bg-hover aria-[current=true]:font-medium"
          >
            <Library aria-hidden size={14} className="shrink-0 text-muted" />
            <span className="grow truncate">{t("library.all")}</span>
            <span className="text-2xs text-muted tabular-nums">{total}</span>
          </button>
        </li>
        {collections.map((collection) => (
          <CollectionRow
            key={collection.name}
            collection={collection}
            selected={selected === collection.name}
            onSelect={() => select(collection.name)}
            onRemove={() => setRemoving(collection)}
          />
        ))}
      </ul>
      {attaching && <AttachDialog onClose={() => setAttaching(false)} />}
      {naming && <NewCollection onClose={() => setNaming(false)} />}
      {remove.isError && <p className="px-3 py-1 text-warn text-xs">{sayError(remove.error)}</p>}
      <ConfirmDialog
        open={removing !== null}
        title={t(isAttached(removing) ? "library.detachTitle" : "library.removeTitle", { name: removing?.name ?? "" })}
        body={t(isAttached(removing) ? "library.detachBody" : "library.removeBody")}
        confirm={t(isAttached(removing) ? "library.detachConfirm" : "library.removeConfirm")}
        onConfirm={() => removing !== null && remove.mutate(removing.name)}
        onClose={() => setRemoving(null)}
      />
    </div>
  );
}

/** Whether it belongs to another library, which is never changed. */
function isAttached(collection: CollectionSummary | null): boolean {
  return (collection?.location ?? null) !== null;
}

interface CollectionRowProps {
  collection: CollectionSummary;
  selected: boolean;
  onSelect: () => void;
  onRemove: () => void;
}

function CollectionRow({ collection, selected, onSelect, onRemove }: CollectionRowProps) {
  const { t } = useTranslation();
  const scoped = useView((state) => state.scopeCollections.includes(collection.name));
  const toggle = useView((state) => state.toggleScopeCollection);
  const attached = isAttached(collection) ? t("library.attachedFrom", { folder: collection.location ?? "" }) : null;
  const shownCount =
    collection.ready === collection.documents
      ? `${collection.documents}`
      : `${collection.ready}/${collection.documents}`;
  const count = t("library.readOf", { ready: collection.ready, total: collection.documents });
  return (
    <li
      className={`group flex h-7 items-center rounded px-1.5 hover:bg-hover ${selected ? "bg-hover" : ""}`}
      data-testid="collection-row"
      data-name={collection.name}
    >
      <input
        type="checkbox"
        checked={scoped}
        onChange={() => toggle(collection.name)}
        aria-label={t("library.limitToCollection", { name: collection.name })}
        className="mr-2 size-3.5 shrink-0 accent-accent"
      />
      <button
        type="button"
        aria-current={selected}
        aria-label={t("library.showCollection", { name: collection.name, count: shownCount })}
        title={
          collection.error === null
            ? [count, attached].filter((part) => part !== null).join("\n")
            : t("library.unavailable", { error: collection.error })
        }
        onClick={onSelect}
        className={`flex min-w-0 grow items-center gap-2 text-left ${selected ? "font-medium" : ""}`}
      >
        <span className={`grow truncate ${collection.error === null ? "" : "text-warn"}`}>{collection.name}</span>
        {attached !== null && (
          <FolderSymlink role="img" aria-label={attached} size={12} className="shrink-0 text-muted" />
        )}{" "}
        <span className="text-2xs text-muted tabular-nums">{shownCount}</span>
      </button>
      <IconButton
        label={t("library.actionsCollection", { name: collection.name })}
        onClick={onRemove}
        className="reveal"
      >
        <Trash2 size={13} />
      </IconButton>
    </li>
  );
}

function NewCollection({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { commands } = useIpc();
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: (wanted: string) => unwrap(commands.createCollection(wanted)),
    onSuccess: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") {
      create.mutate(name.trim());
    }
  };
  return (
    <form onSubmit={submit} className="flex gap-1.5 px-3 py-1">
      <input
        // biome-ignore lint/a11y/noAutofocus: the field appears because the person asked for it
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.preventDefault();
            onClose();
          }
        }}
        aria-label={t("library.collectionName")}
        placeholder={t("library.collectionName")}
        aria-invalid={create.isError}
        className="h-7 min-w-0 grow rounded border border-line bg-paper px-2 text-xs"
      />
      <Button type="submit" disabled={create.isPending || name.trim() === ""}>
        {t("library.create")}
      </Button>
      {create.isError && <p className="text-warn text-xs">{sayError(create.error)}</p>}
    </form>
  );
}
