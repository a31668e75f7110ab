import type { ReactNode } from "react";

interface SectionProps {
  title: string;
  /** A button beside the heading. */
  action?: ReactNode;
  children: ReactNode;
}

/** A part of a page of the settings, under its own heading. */
export function Section({ title, action, children }: SectionProps) {
  return (
    <section className="mb-8 last:mb-0">
      <div className="mb-1 flex h-7 items-center justify-between gap-4">
        <h3 className="font-semibold text-2xs text-muted uppercase tracking-wider">{title}</h3>
        {action}
      </div>
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
      <dt className="w-44 shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 grow basis-40 select-text break-words">{children}</dd>
    </div>
  );
}
