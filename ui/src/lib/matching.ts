function folded(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/**
 * How well a name fits what was typed: 0 when it begins with it, 1 when every typed word begins a word of it, 2 when
 * every typed word is somewhere in it; null when one is missing. Case and accents do not matter.
 */
export function fitOf(name: string, typed: string): 0 | 1 | 2 | null {
  const inside = folded(name);
  const wanted = folded(typed).trim();
  if (inside.startsWith(wanted)) {
    return 0;
  }
  const words = wanted.split(/\s+/);
  if (!words.every((word) => inside.includes(word))) {
    return null;
  }
  const begins = inside.split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => begins.some((begin) => begin.startsWith(word))) ? 1 : 2;
}

/** The things whose names fit, the best first; things that fit alike keep their order. */
export function matching<Thing>(things: readonly Thing[], nameOf: (thing: Thing) => string, typed: string): Thing[] {
  return things
    .map((thing) => ({ thing, fit: fitOf(nameOf(thing), typed) }))
    .filter((one): one is { thing: Thing; fit: 0 | 1 | 2 } => one.fit !== null)
    .sort((one, other) => one.fit - other.fit)
    .map(({ thing }) => thing);
}
