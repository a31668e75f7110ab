import type { ChipState } from "@/lib/chip-state";

const paths: Record<ChipState, string> = {
  verified: "M2 6.4 4.8 9.2 10 3.2",
  matched: "M1.8 4.6c1.4-1.6 2.7-1.6 4.2-.4s2.8 1.2 4.2-.4M1.8 8.6c1.4-1.6 2.7-1.6 4.2-.4s2.8 1.2 4.2-.4",
  problem: "M6 1.8v5M6 9.6v.6",
  pending: "M6 2.2a3.8 3.8 0 1 1 0 7.6a3.8 3.8 0 0 1 0-7.6",
};

/** ✓, ≈, ! or ◌, drawn so that all four take the same room. */
export function ChipGlyph({ state }: { state: ChipState }) {
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" fill="none" stroke="currentColor" strokeLinecap="round">
      <path
        d={paths[state]}
        strokeWidth={state === "pending" ? 1.4 : 1.8}
        strokeDasharray={state === "pending" ? "1.6 2.4" : undefined}
        strokeLinejoin="round"
      />
    </svg>
  );
}
