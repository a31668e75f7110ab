import { FileText, Folder } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Facet } from "@/lib/facets";

interface FacetsProps {
  collections: readonly Facet[];
  documents: readonly Facet[];
  collection: string | null;
  documentId: string | null;
  onCollection: (key: string | null) => void;
  onDocument: (key: string | null) => void;
}

/** More documents than this are found by scrolling, not by choosing. */
const mostDocuments = 8;

/** Where the results lie, to narrow them down. */
export function Facets(props: FacetsProps) {
  const { t } = useTranslation();
  const { collections, documents, collection, documentId, onCollection, onDocument } = props;
  return (
    <div className="shrink-0 space-y-1.5 px-[max(16px,calc(50%-380px))] pt-2 pb-2">
      {collections.length > 1 && (
        <Row label={t("search.byCollection")}>
          {collections.map((facet) => (
            <FacetButton
              key={facet.key}
              facet={facet}
              icon={<Folder aria-hidden size={12} className="shrink-0" />}
              pressed={facet.key === collection}
              onPress={() => onCollection(facet.key === collection ? null : facet.key)}
            />
          ))}
        </Row>
      )}
      {documents.length > 1 && (
        <Row label={t("search.byDocument")}>
          {documents.slice(0, mostDocuments).map((facet) => (
            <FacetButton
              key={facet.key}
              facet={facet}
              icon={<FileText aria-hidden size={12} className="shrink-0" />}
              pressed={facet.key === documentId}
              onPress={() => onDocument(facet.key === documentId ? null : facet.key)}
            />
          ))}
        </Row>
      )}
    </div>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of toggles, not of form fields
    <div role="group" aria-label={label} className="flex flex-wrap gap-1.5">
      {children}
    </div>
  );
}

interface FacetButtonProps {
  facet: Facet;
  icon: ReactNode;
  pressed: boolean;
  onPress: () => void;
}

function FacetButton({ facet, icon, pressed, onPress }: FacetButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      title={facet.name}
      className="inline-flex h-6 max-w-56 items-center gap-1.5 rounded-full border border-line px-2 text-muted text-xs hover:bg-hover hover:text-ink aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-ink"
    >
      {icon}
      <span className="truncate">{facet.name}</span> <span className="tabular-nums">{facet.count}</span>
    </button>
  );
}
