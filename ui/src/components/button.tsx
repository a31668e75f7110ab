import type { ComponentProps, ReactNode } from "react";

type ButtonProps = ComponentProps<"button"> & { kind?: "plain" | "quiet" | "primary" | "danger" };

const looks = {
  plain: "border-line bg-paper text-ink hover:bg-hover",
  quiet: "border-transparent text-ink hover:bg-hover",
  primary: "border-accent bg-accent text-on-accent hover:brightness-110",
  danger: "border-warn bg-warn text-paper hover:brightness-110",
};

export function Button({ kind = "plain", className = "", ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={`inline-flex h-7 shrink-0 items-center gap-1.5 whitespace-nowrap rounded border px-2.5 font-medium text-xs disabled:opacity-45 ${looks[kind]} ${className}`}
      {...rest}
    />
  );
}

type IconButtonProps = ComponentProps<"button"> & { label: string; children: ReactNode };

/** A button that is only an icon; its label is read out and shown as a title. */
export function IconButton({ label, className = "", children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-flex size-7 shrink-0 items-center justify-center rounded text-muted hover:bg-hover hover:text-ink disabled:opacity-40 disabled:hover:bg-transparent ${className}`}
      {...rest}
    >
      {children}
    </button>
  );
}
