import type { ReactNode } from "react";
import { CopyButton } from "@/components/copy-button";

/** A part of a syntax tree of HTML. */
export interface HtmlNode {
  value?: string;
  children?: readonly unknown[];
}

/** All text below a node. */
export function textOf(node: HtmlNode | undefined): string {
  return node?.value ?? (node?.children ?? []).map((child) => textOf(child as HtmlNode)).join("");
}

/** Code, with a button that copies it. */
export function CodeBlock({ node, children }: { node?: HtmlNode; children?: ReactNode }) {
  return (
    <div className="group relative">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        tabIndex={0}
      >
        {children}
      </pre>
      <CopyButton
        text={textOf(node).replace(/\n$/, "")}
        className="absolute top-1 right-1 bg-hover opacity-0 focus-visible:opacity-100 group-hover:opacity-100"
      />
    </div>
  );
}
