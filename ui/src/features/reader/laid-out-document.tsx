import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentView, LaidOutItem } from "@/ipc/bindings";
import { markSpans } from "@/lib/spans";
import { type ReaderTarget, useView } from "@/state/view";

/** A document without pages: its items one after another, with the cited words marked. */
export function LaidOutDocument({ view, target }: { view: DocumentView; target: ReaderTarget }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const opening = useView((state) => state.opening);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || opening === 0) {
      return;
    }
    const mark = element.querySelector("mark");
    element.scrollTop =
      mark === null
        ? 0
        : mark.getBoundingClientRect().top -
          element.getBoundingClientRect().top +
          element.scrollTop -
          element.clientHeight / 3;
  }, [opening]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a scrolled region, not a form
    <div
      ref={scroller}
      role="region"
      aria-label={t("reader.document", { title: view.title })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
      tabIndex={0}
      className="scroller min-h-0 grow overflow-y-auto outline-offset-[-2px]"
      data-testid="laid-out"
    >
      <article className="mx-auto my-4 max-w-[68ch] rounded-sm bg-paper px-10 py-12 font-read text-[16px] leading-[26px] shadow-sm">
        {view.items.map((item) => (
          <Item key={item.ref} item={item}>
            <Marked item={item} target={target} opening={opening} />
          </Item>
        ))}
      </article>
    </div>
  );
}

function Marked({ item, target, opening }: { item: LaidOutItem; target: ReaderTarget; opening: number }) {
  const spans = target.spans.filter((span) => span.ref === item.ref);
  let at = 0;
  return markSpans(item.text, spans).map((piece) => {
    const key = at;
    at += piece.text.length;
    return piece.marked ? (
      <mark
        key={`${opening}-${key}`}
        data-kind={target.spanKind}
        data-testid={`mark-${target.spanKind}`}
        data-pulse={target.spanKind === "quote"}
      >
        {piece.text}
      </mark>
    ) : (
      piece.text
    );
  });
}

function Item({ item, children }: { item: LaidOutItem; children: ReactNode }) {
  const place = { "data-ref": item.ref };
  switch (item.label) {
    case "title":
      return (
        <h3 {...place} className="mb-4 font-semibold text-[24px] leading-8">
          {children}
        </h3>
      );
    case "section_header":
      return (
        <h4 {...place} className={`mt-6 mb-2 font-semibold ${item.level <= 1 ? "text-[19px]" : "text-[16px]"}`}>
          {children}
        </h4>
      );
    case "list_item":
      return (
        <div {...place} className="relative my-1" style={{ paddingLeft: 20 + 20 * item.level }}>
          <span aria-hidden className="absolute text-muted" style={{ left: 4 + 20 * item.level }}>
            •
          </span>
          {children}
        </div>
      );
    case "code":
    case "formula":
    case "table":
      return (
        <pre {...place} className="my-3 overflow-x-auto rounded bg-hover px-3 py-2 font-mono text-[13px] leading-5">
          {children}
        </pre>
      );
    case "page_header":
    case "page_footer":
    case "footnote":
    case "caption":
      return (
        <p {...place} className="my-2 text-[14px] text-muted leading-[22px]">
          {children}
        </p>
      );
    default:
      return (
        <p {...place} className="my-3 whitespace-pre-line">
          {children}
        </p>
      );
  }
}
