import { createContext, memo, type ReactNode, useContext, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { LinkDialog } from "@/components/link-dialog";
import { useIpc } from "@/ipc/provider";
import { remarkMarkers } from "@/lib/markers";

/** Draws a chip; `occurrence` counts, from 1, how often its number has come up in the text. */
export type RenderChip = (index: number, occurrence: number) => ReactNode;

/** Draws the chip for a number; given by the answer around the text. */
const ChipContext = createContext<RenderChip>(() => null);

interface MarkdownProps {
  text: string;
  /** Numbers that are citations here. */
  known: readonly number[];
  renderChip: RenderChip;
}

/**
 * Markdown of an answer. What a model writes is not trusted: HTML stays text, images become their description, and a
 * link shows its address before it is opened outside.
 */
export function Markdown({ text, known, renderChip }: MarkdownProps) {
  return (
    <ChipContext value={renderChip}>
      <Body text={text} known={known.join(",")} />
    </ChipContext>
  );
}

/** Parsed again only when the text or the set of known numbers changes, not when a verdict swaps a glyph. */
const Body = memo(function Body({ text, known }: { text: string; known: string }) {
  const plugins = useMemo(() => {
    const numbers = new Set(known === "" ? [] : known.split(",").map(Number));
    const markers: [typeof remarkMarkers, Parameters<typeof remarkMarkers>[0]] = [
      remarkMarkers,
      { isKnown: (index) => numbers.has(index) },
    ];
    return [remarkGfm, markers];
  }, [known]);
  return (
    <div className="prose-answer">
      <ReactMarkdown remarkPlugins={plugins} components={components}>
        {text}
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

const components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  img: ({ alt }) => <ImageText alt={alt} />,
  "cite-chip": CiteChip,
} as Components;
