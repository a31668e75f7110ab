import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";
import { SheetDialog } from "@/components/sheet-dialog";
import { StateGlyph } from "@/components/state-glyph";
import type { ListedDocument } from "@/ipc/bindings";
import { sayError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { TagEditor } from "./tag-editor";

interface DocumentDetailsProps {
  document: ListedDocument;
  /** Tags that other documents carry. */
  knownTags: readonly string[];
  onClose: () => void;
}

/** What is known about a document; its title and tags can be changed here. */
export function DocumentDetails({ document, knownTags, onClose }: DocumentDetailsProps) {
  const { t } = useTranslation();
  return (
    <SheetDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("library.detailsTitle")}
      testId="details"
      size="top-[10vh] max-h-[80vh] w-[576px]"
    >
      {document.document_id !== null && (
        <Editable document={document} documentId={document.document_id} knownTags={knownTags} onDone={onClose} />
      )}
      <Facts document={document} />
    </SheetDialog>
  );
}

interface EditableProps {
  document: ListedDocument;
  documentId: string;
  knownTags: readonly string[];
  onDone: () => void;
}

function Editable({ document, documentId, knownTags, onDone }: EditableProps) {
  const { t } = useTranslation();
  const { commands } = useIpc();
  const [title, setTitle] = useState(document.title);
  const [tags, setTags] = useState<readonly string[]>(document.tags);
  const save = useMutation({
    mutationFn: () =>
      unwrap(
        commands.editDocument(
          document.collection,
          documentId,
          title.trim() === document.title ? null : title.trim(),
          tags.join("\n") === document.tags.join("\n") ? null : [...tags],
        ),
      ),
    onSuccess: onDone,
  });
  const changed = title.trim() !== document.title || tags.join("\n") !== document.tags.join("\n");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() !== "" && changed) {
      save.mutate();
    }
  };
  return (
    <form onSubmit={submit} className="mt-3 space-y-3 border-line border-b pb-4">
      <label className="block">
        <span className="text-muted text-xs">{t("library.titleField")}</span>
        <input
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          aria-invalid={title.trim() === ""}
          className="mt-1 h-8 w-full rounded border border-line bg-paper px-2"
        />
      </label>
      <TagEditor tags={tags} known={knownTags} onChange={setTags} />
      {save.isError && <Notice title={t("library.cannotSave")} message={sayError(save.error)} />}
      <div className="flex justify-end">
        <Button type="submit" kind="primary" disabled={!changed || title.trim() === "" || save.isPending}>
          {t("library.save")}
        </Button>
      </div>
    </form>
  );
}

function Facts({ document }: { document: ListedDocument }) {
  const { t, i18n } = useTranslation();
  const day = (moment: string) =>
    new Date(moment).toLocaleString(i18n.language, { dateStyle: "medium", timeStyle: "short" });
  const recognised = document.recognised_pages ?? 0;
  const pages =
    document.page_count === null || document.page_count === 0
      ? null
      : recognised === 0
        ? t("library.pages", { count: document.page_count })
        : t("library.pagesRecognised", { count: document.page_count, recognised });
  return (
    <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-xs">
      <Fact name={t("library.fact.state")}>
        <span className="inline-flex items-center gap-1.5">
          <StateGlyph state={document.state} />
          {t(`state.${document.state}`)}
        </span>
        {document.message !== null && <span className="block text-warn">{document.message}</span>}
      </Fact>
      {pages !== null && <Fact name={t("library.fact.pages")}>{pages}</Fact>}
      {document.media_type !== null && <Fact name={t("library.fact.type")}>{document.media_type}</Fact>}
      <Fact name={t("library.fact.collection")}>{document.collection}</Fact>
      <Fact name={t("library.fact.from")}>
        {document.locations.map((location) => (
          <span key={location} className="block break-all">
            {pathOf(location)}
          </span>
        ))}
      </Fact>
      <Fact name={t("library.fact.added")}>{day(document.created_at)}</Fact>
      <Fact name={t("library.fact.changed")}>{day(document.updated_at)}</Fact>
      {document.sha256 !== null && (
        <Fact name={t("library.fact.hash")}>
          <code className="break-all text-[10.5px]">{document.sha256}</code>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 select-text">{children}</dd>
    </>
  );
}

/** A file's address as its path; an address of another kind as it is. */
function pathOf(uri: string): string {
  if (!uri.startsWith("file://")) {
    return uri;
  }
  try {
    return decodeURIComponent(uri.slice("file://".length));
  } catch {
    return uri;
  }
}
