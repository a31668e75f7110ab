import { createContext, memo, type ReactNode, useContext, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { LinkDialog } from "@/components/link-dialog";
import { useIpc } from "@/ipc/provider";
import { type FigureNote, remarkFigures } from "@/lib/figures";
import { remarkMarkers } from "@/lib/markers";
import { formulaIn, protectFormulas } from "@/lib/maths";
import { CheckedFigure } from "./checked-figure";
import { CodeBlock } from "./code-block";
import { Maths } from "./maths";
import { usePaced } from "./use-paced";

/** Draws a chip; `occurrence` counts, from 1, how often its number has come up in the text. */
export type RenderChip = (index: number, occurrence: number) => ReactNode;

/** Draws the chip for a number; given by the answer around the text. */
const ChipContext = createContext<RenderChip>(() => null);

interface MarkdownProps {
  text: string;
  /** Numbers that are citations here. */
  known: readonly number[];
  /** What is to be said of figures in it. */
  figures?: readonly FigureNote[];
  renderChip: RenderChip;
}

const noFigures: readonly FigureNote[] = [];

/**
 * Markdown of an answer. What a model writes is not trusted: HTML stays text, images become their description, and a
 * link shows its address before it is opened outside.
 */
export function Markdown({ text, known, figures = noFigures, renderChip }: MarkdownProps) {
  const paced = usePaced(text);
  return (
    <ChipContext value={renderChip}>
      <Body text={paced} known={known.join(",")} figures={JSON.stringify(figures)} />
    </ChipContext>
  );
}

/**
 * Parsed again only when the text, the set of known numbers or what is said of figures changes, not when a verdict swaps
 * a glyph. Both are handed on as strings, so that equal ones are the same.
 */
const Body = memo(function Body({ text, known, figures }: { text: string; known: string; figures: string }) {
  const plugins = useMemo(() => {
    const numbers = new Set(known === "" ? [] : known.split(",").map(Number));
    const markers: [typeof remarkMarkers, Parameters<typeof remarkMarkers>[0]] = [
      remarkMarkers,
      { isKnown: (index) => numbers.has(index) },
    ];
    const marks: [typeof remarkFigures, Parameters<typeof remarkFigures>[0]] = [
      remarkFigures,
      { notes: JSON.parse(figures) as FigureNote[] },
    ];
    return [remarkGfm, markers, marks];
  }, [known, figures]);
  return (
    <div className="prose-answer">
      <ReactMarkdown remarkPlugins={plugins} components={components}>
        {protectFormulas(text)}
      </ReactMarkdown>
    </div>
  );
});

function CiteChip({ index, occurrence }: { index?: string; occurrence?: string }) {
  return useContext(ChipContext)(Number(index), Number(occurrence));
}

function OutsideLink({ href, children }: { href?: string; children?: ReactNode }) {
  const ipc = useIpc();
  const [asking, setAsking] = useState(false);
  if (href === undefined || !/^(https?|mailto):/i.test(href)) {
    return <span>{children}</span>;
  }
  return (
    <>
      <a
        href={href}
        onClick={(event) => {
          event.preventDefault();
          setAsking(true);
        }}
      >
        {children}
      </a>
      {asking && (
        <LinkDialog address={href} onOpen={() => void ipc.openExternal(href)} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

function ImageText({ alt }: { alt?: string }) {
  const { t } = useTranslation();
  return <span className="text-muted">[{t("ask.image", { alt: alt ?? "" })}]</span>;
}

/** Code in a line, or the formula that it stands for. */
function InlineCode({ className, children }: { className?: string; children?: ReactNode }) {
  const formula = typeof children === "string" ? formulaIn(children) : null;
  return formula === null ? <code className={className}>{children}</code> : <Maths {...formula} />;
}

/** A table wider than the answer is moved within its own room, and its words stay whole. */
function WideTable({ children }: { children?: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
    <div className="table-room scroller" tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}

const components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  code: ({ className, children }) => <InlineCode className={className}>{children}</InlineCode>,
  table: ({ children }) => <WideTable>{children}</WideTable>,
  pre: ({ node, children }) => <CodeBlock node={node}>{children}</CodeBlock>,
  img: ({ alt }) => <ImageText alt={alt} />,
  "cite-chip": CiteChip,
  "checked-figure": CheckedFigure,
} as Components;
