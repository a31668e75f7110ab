import katex from "katex";
import { renderToStaticMarkup } from "react-dom/server";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { referenceAnchor } from "@/lib/export-conversation";
import { remarkMarkers } from "@/lib/markers";
import { type Formula, formulaIn, formulaOptions, protectFormulas } from "@/lib/maths";
import type { Quotable } from "@/lib/references";

/**
 * An answer's Markdown as HTML that stands on its own. As in the window, HTML in it stays text and images become their
 * description; only web and mail addresses are links.
 */
export function answerHtml(answer: Quotable, at: number): string {
  const known = new Set(answer.citations.map((citation) => citation.index));
  const components = {
    a: ({ href, children }) =>
      href !== undefined && /^(https?|mailto):/i.test(href) ? <a href={href}>{children}</a> : <span>{children}</span>,
    img: ({ alt }) => <span>[{alt ?? ""}]</span>,
    code: ({ className, children }) => {
      const formula = typeof children === "string" ? formulaIn(children) : null;
      return formula === null ? <code className={className}>{children}</code> : <FormulaMarkup {...formula} />;
    },
    "cite-chip": ({ index }: { index?: string }) => (
      <a className="n" href={`#${referenceAnchor(at, Number(index))}`}>
        [{index}]
      </a>
    ),
  } as Components;
  return renderToStaticMarkup(
    <ReactMarkdown
      remarkPlugins={[remarkGfm, [remarkMarkers, { isKnown: (index: number) => known.has(index) }]]}
      components={components}
    >
      {protectFormulas(answer.text)}
    </ReactMarkdown>,
  );
}

/** A formula as MathML, or its source where that cannot be made of it. */
function FormulaMarkup(formula: Formula) {
  try {
    const markup = katex.renderToString(formula.source, formulaOptions(formula));
    // biome-ignore lint/security/noDangerouslySetInnerHtml: made by KaTeX, which escapes text and may make no links here
    return <span dangerouslySetInnerHTML={{ __html: markup }} />;
  } catch {
    return <code>{formula.source}</code>;
  }
}
