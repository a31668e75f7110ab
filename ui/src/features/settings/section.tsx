import type { ReactNode } from "react";

/** A part of a page of the settings, under its own heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-6 last:mb-0">
      <h3 className="mb-1 font-semibold text-2xs text-muted uppercase tracking-wider">{title}</h3>
      {children}
    </section>
  );
}

interface FactProps {
  name: string;
  children: ReactNode;
}

/** One line of what is so. Goes into a `<dl>`. */
export function Fact({ name, children }: FactProps) {
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-0.5 border-line border-b py-1.5 last:border-b-0">
      <dt className="w-40 shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 grow select-text break-words">{children}</dd>
    </div>
  );
}
