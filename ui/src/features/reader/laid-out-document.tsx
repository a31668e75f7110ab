import { type MouseEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentView, LaidOutItem, LocateMatch } from "@/ipc/bindings";
import { blocksOf, type ListNode, nestItems, placeTitle } from "@/lib/laid-out";
import { type ReaderTarget, useView } from "@/state/view";
import { ItemTable } from "./item-table";
import { MarkedText } from "./marked-text";
import { type TextMark, useTextMarks } from "./marks";
import { Ticks } from "./tick-rail";
import { useItemScroll } from "./use-item-scroll";

interface LaidOutProps {
  view: DocumentView;
  target: ReaderTarget;
  found: readonly LocateMatch[];
}

const noMarks: readonly TextMark[] = [];

/** A document without pages: its items one after another, with the cited words marked. */
export function LaidOutDocument({ view, target, found }: LaidOutProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const opening = useView((state) => state.opening);
  const revealClaim = useView((state) => state.revealClaim);
  const marks = useTextMarks(target, found);
  const { onScroll, ticks } = useItemScroll(scroller, view, target);

  const onClick = (event: MouseEvent) => {
    const mark = (event.target as Element).closest<HTMLElement>("mark[data-citation]");
    if (mark?.dataset.citation !== undefined && window.getSelection()?.isCollapsed !== false) {
      revealClaim(Number(mark.dataset.citation));
    }
  };
  const shown = (item: LaidOutItem) => (
    <Item key={item.ref} item={item} marks={marks.get(item.ref) ?? noMarks} opening={opening} />
  );

  return (
    <div className="relative min-h-0 min-w-0 grow">
      {/* biome-ignore lint/a11y/useSemanticElements: a scrolled region, not a form */}
      <div
        ref={scroller}
        role="region"
        aria-label={t("reader.document", { title: view.title })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        tabIndex={0}
        className="scroller absolute inset-0 overflow-y-auto outline-offset-[-2px]"
        onScroll={onScroll}
        data-testid="laid-out"
      >
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: a shortcut for the pointer; chips and ticks do the same */}
        <article className="laid-out" onClick={onClick}>
          {blocksOf(view.items).map((block) =>
            block.kind === "place" ? (
              <h3 key={block.key} className="laid-out-place" data-testid="place">
                {placeTitle(block.place)}
              </h3>
            ) : block.kind === "list" ? (
              <List key={block.key} nodes={nestItems(block.items)} marks={marks} opening={opening} />
            ) : (
              shown(block.item)
            ),
          )}
        </article>
      </div>
      <Ticks ticks={ticks} target={target} />
    </div>
  );
}

interface ItemProps {
  item: LaidOutItem;
  marks: readonly TextMark[];
  opening: number;
}

interface ListProps {
  nodes: readonly ListNode[];
  marks: ReadonlyMap<string, readonly TextMark[]>;
  opening: number;
}

/** A list, with the lists in it. */
function List({ nodes, marks, opening }: ListProps) {
  return (
    <ul>
      {nodes.map(({ item, under }) => (
        <li key={item.ref} data-ref={item.ref} data-numbered={/^(\d+|[a-z]|[ivx]+)[.)]\s/i.test(item.text)}>
          <MarkedText text={item.text} marks={marks.get(item.ref) ?? noMarks} opening={opening} />
          {under.length > 0 && <List nodes={under} marks={marks} opening={opening} />}
        </li>
      ))}
    </ul>
  );
}

function Item({ item, marks, opening }: ItemProps) {
  const words = <MarkedText text={item.text} marks={marks} opening={opening} />;
  switch (item.label) {
    case "title":
      return (
        <h3 data-ref={item.ref} className="laid-out-title">
          {words}
        </h3>
      );
    case "section_header":
      return (
        <h4 data-ref={item.ref} data-level={Math.min(Math.max(item.level, 1), 3)}>
          {words}
        </h4>
      );
    case "code":
      return (
        <pre data-ref={item.ref}>
          <code>{words}</code>
        </pre>
      );
    case "formula":
      return (
        <p data-ref={item.ref} className="laid-out-formula">
          {words}
        </p>
      );
    case "table":
    case "document_index":
      return item.table === null ? (
        <pre data-ref={item.ref}>{words}</pre>
      ) : (
        <ItemTable item={item} table={item.table} marks={marks} opening={opening} />
      );
    case "caption":
      return (
        <p data-ref={item.ref} className="laid-out-caption">
          {words}
        </p>
      );
    case "footnote":
      return (
        <p data-ref={item.ref} className="laid-out-footnote">
          {words}
        </p>
      );
    case "page_header":
    case "page_footer":
      return (
        <p data-ref={item.ref} className="laid-out-furniture">
          {words}
        </p>
      );
    default:
      return <p data-ref={item.ref}>{words}</p>;
  }
}
