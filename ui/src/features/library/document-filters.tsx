import { Search, Tag, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type DocumentFilter, type DocumentOrder, orders } from "@/lib/document-order";
import { useView } from "@/state/view";

interface DocumentFiltersProps {
  filter: DocumentFilter;
  onFilter: (filter: DocumentFilter) => void;
  order: DocumentOrder;
  onOrder: (order: DocumentOrder) => void;
  tags: readonly { tag: string; count: number }[];
  problems: number;
}

/** What narrows the list of documents, and what it is ordered by. */
export function DocumentFilters({ filter, onFilter, order, onOrder, tags, problems }: DocumentFiltersProps) {
  const { t } = useTranslation();
  const setScopeTags = useView((state) => state.setScopeTags);
  const toggleTag = (tag: string) =>
    onFilter({
      ...filter,
      tags: filter.tags.includes(tag) ? filter.tags.filter((known) => known !== tag) : [...filter.tags, tag],
    });
  return (
    <div className="space-y-1 px-3 pb-1">
      <div className="flex gap-1">
        <div className="relative min-w-0 grow">
          <Search aria-hidden size={13} className="absolute top-[7px] left-2 text-muted" />
          <input
            type="search"
            value={filter.words}
            onChange={(event) => onFilter({ ...filter, words: event.target.value })}
            placeholder={t("library.filter")}
            aria-label={t("library.filter")}
            className="h-7 w-full rounded border border-line bg-paper pr-2 pl-7 text-xs placeholder:text-muted"
          />
        </div>
        <select
          value={order}
          onChange={(event) => onOrder(orders.find((known) => known === event.target.value) ?? "title")}
          aria-label={t("library.order")}
          title={t("library.order")}
          className="h-7 w-[76px] shrink-0 rounded border border-line bg-paper px-1 text-muted text-xs"
        >
          {orders.map((known) => (
            <option key={known} value={known}>
              {t(`library.orders.${known}`)}
            </option>
          ))}
        </select>
      </div>
      {(tags.length > 0 || problems > 0) && (
        // biome-ignore lint/a11y/useSemanticElements: a group of toggles, not of form fields
        <div role="group" aria-label={t("library.narrow")} className="flex max-h-14 flex-wrap gap-1 overflow-y-auto">
          {problems > 0 && (
            <Toggle
              pressed={filter.problemsOnly}
              onPress={() => onFilter({ ...filter, problemsOnly: !filter.problemsOnly })}
              icon={<TriangleAlert aria-hidden size={11} className="shrink-0 text-warn" />}
              name={t("library.problems")}
              count={problems}
            />
          )}
          {tags.map(({ tag, count }) => (
            <Toggle
              key={tag}
              pressed={filter.tags.includes(tag)}
              onPress={() => toggleTag(tag)}
              icon={<Tag aria-hidden size={11} className="shrink-0" />}
              name={tag}
              count={count}
            />
          ))}
          {filter.tags.length > 0 && (
            <button
              type="button"
              onClick={() => setScopeTags([...filter.tags])}
              className="h-6 rounded px-1.5 text-2xs text-accent hover:bg-hover"
            >
              {t("library.askTags")}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

interface ToggleProps {
  pressed: boolean;
  onPress: () => void;
  icon: ReactNode;
  name: string;
  count: number;
}

function Toggle({ pressed, onPress, icon, name, count }: ToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className="inline-flex h-6 max-w-full items-center gap-1 rounded-full border border-line px-2 text-2xs text-muted hover:bg-hover hover:text-ink aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-ink"
    >
      {icon}
      <span className="truncate">{name}</span> <span className="tabular-nums">{count}</span>
    </button>
  );
}
