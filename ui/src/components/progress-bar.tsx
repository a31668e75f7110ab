/** How far something has come; a moving stripe while the total is unknown. */
export function ProgressBar({ done, total, label }: { done: number; total: number; label: string }) {
  const known = total > 0;
  const percent = known ? Math.min(100, (done / total) * 100) : 0;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={known ? total : undefined}
      aria-valuenow={known ? done : undefined}
      className="h-[3px] overflow-hidden rounded-full bg-line"
    >
      <div
        className={`h-full rounded-full ${known ? "bg-accent transition-[width] duration-200" : "w-1/4 bg-muted/50"}`}
        style={known ? { width: `${percent}%` } : undefined}
      />
    </div>
  );
}
