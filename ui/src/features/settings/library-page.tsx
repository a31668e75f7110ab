import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "@/components/copy-button";
import type { LibraryStatus, ListedDocument } from "@/ipc/bindings";
import { useCollections, useDocuments } from "@/ipc/queries";
import { isReadable, stateShape } from "@/lib/document-state";
import { numberOf } from "@/lib/format";
import { Fact, Section } from "./section";

const noDocuments: readonly ListedDocument[] = [];

/** What the library holds, counted from what is stored. */
export function holdings(documents: readonly ListedDocument[]) {
  const readable = documents.filter((document) => document.document_id !== null && isReadable(document.state));
  return {
    readable: readable.length,
    waiting: documents.filter((document) => stateShape(document.state) === "working" && !readable.includes(document))
      .length,
    problems: documents.filter(({ state }) => stateShape(state) === "failed" || stateShape(state) === "missing").length,
    pages: readable.reduce((sum, document) => sum + (document.page_count ?? 0), 0),
    recognised: readable.reduce((sum, document) => sum + (document.recognised_pages ?? 0), 0),
  };
}

/** Where the library is and what is in it. */
export function LibraryPage({ status }: { status: LibraryStatus }) {
  const { t } = useTranslation();
  const documents = useDocuments(null).data ?? noDocuments;
  const collections = useCollections().data ?? [];
  const held = useMemo(() => holdings(documents), [documents]);
  return (
    <>
      <Section title={t("settings.place")}>
        <div className="flex items-center gap-1">
          <code className="min-w-0 grow select-text break-all text-xs">{status.path}</code>
          <CopyButton text={status.path} />
        </div>
        {status.read_only && <p className="text-warn text-xs">{t("app.readOnly")}</p>}
      </Section>
      <Section title={t("settings.holdings")}>
        <dl className="tabular-nums">
          <Fact name={t("settings.collections")}>{numberOf(collections.length)}</Fact>
          <Fact name={t("settings.documents")}>{numberOf(held.readable)}</Fact>
          {held.waiting > 0 && <Fact name={t("settings.waiting")}>{numberOf(held.waiting)}</Fact>}
          {held.problems > 0 && <Fact name={t("settings.problems")}>{numberOf(held.problems)}</Fact>}
          <Fact name={t("settings.pages")}>{numberOf(held.pages)}</Fact>
          <Fact name={t("settings.recognised")}>{numberOf(held.recognised)}</Fact>
        </dl>
      </Section>
    </>
  );
}
