import { numberOf } from "./format";

const units = ["B", "kB", "MB", "GB", "TB"] as const;

/** A size as people say it, in powers of a thousand, as disks are sold: `3.1 GB`. */
export function sizeOf(bytes: number): string {
  let size = Math.max(0, bytes);
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || size >= 99.95 ? 0 : 1;
  return `${numberOf(Number(size.toFixed(digits)), digits)} ${units[unit]}`;
}
