import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

type Tokens = Record<string, string>;

const styles = readFileSync("src/styles.css", "utf8");

/** The colours of the block whose selector is at `from`. */
function tokensFrom(from: number): Tokens {
  const start = styles.indexOf("{", from);
  const block = styles.slice(start, styles.indexOf("}", start));
  return Object.fromEntries([...block.matchAll(/--([a-z-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]));
}

const light = tokensFrom(styles.indexOf(":root {"));
const dark = { ...light, ...tokensFrom(styles.indexOf(':root[data-theme="dark"] {')) };

function channels(hex: string): [number, number, number] {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return [r ?? 0, g ?? 0, b ?? 0];
}

/** Relative luminance as WCAG 2 defines it. */
function luminance(rgb: readonly number[]): number {
  const [r, g, b] = rgb.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

function contrast(one: readonly number[], other: readonly number[]): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

/** What is printed and what is marked lie over the paper by multiplying. */
function multiplied(...layers: readonly string[]): number[] {
  return layers
    .map(channels)
    .reduce<number[]>((under, over) => under.map((value, at) => value * (over[at] ?? 1)), [1, 1, 1]);
}

/** Every pair of a text colour and a ground it is seen on. */
const pairs: readonly [text: string, ground: string][] = [
  ...["chrome", "paper", "hover", "desk", "accent-soft", "warn-soft", "claim"].map(
    (ground) => ["ink", ground] as [string, string],
  ),
  ...["chrome", "paper", "hover", "desk", "accent-soft"].map((ground) => ["muted", ground] as [string, string]),
  ...["chrome", "paper", "hover", "accent-soft", "claim"].map((ground) => ["accent", ground] as [string, string]),
  ...["chrome", "paper", "hover", "warn-soft", "accent-soft"].map((ground) => ["warn", ground] as [string, string]),
  ["on-accent", "accent"],
  ["paper", "warn"],
  ["paper", "ink"],
];

describe.each([
  ["light", light],
  ["dark", dark],
])("in the %s theme", (_, tokens) => {
  it("every token is known", () => {
    expect([...new Set(pairs.flat())].filter((name) => tokens[name] === undefined)).toEqual([]);
  });

  it("text and chips stand out from their ground by at least 4.5 to 1", () => {
    const weak = pairs
      .map(([text, ground]) => ({
        pair: `${text} on ${ground}`,
        ratio: contrast(channels(tokens[text] ?? ""), channels(tokens[ground] ?? "")),
      }))
      .filter(({ ratio }) => ratio < 4.5)
      .map(({ pair, ratio }) => `${pair}: ${ratio.toFixed(2)}`);
    expect(weak).toEqual([]);
  });

  it("black print stays legible under both marks, and both marks differ from the page and from each other", () => {
    const soft = multiplied(tokens["mark-soft"] ?? "");
    const strong = multiplied(tokens["mark-soft"] ?? "", tokens.mark ?? "");
    expect(contrast([0, 0, 0], strong)).toBeGreaterThan(4.5);
    expect(contrast(channels("#22201c"), strong)).toBeGreaterThan(4.5);
    expect(luminance(strong)).toBeLessThan(luminance(soft) * 0.9);
    expect(luminance(soft)).toBeLessThan(0.95);
  });

  it("words that were looked for stay legible under their marks, and the one gone to stands out", () => {
    const page = [tokens.found ?? "", tokens["found-current"] ?? ""];
    for (const mark of page) {
      expect(contrast(channels("#22201c"), multiplied(mark))).toBeGreaterThan(4.5);
      expect(contrast(channels("#22201c"), multiplied(mark, tokens.mark ?? ""))).toBeGreaterThan(4.5);
    }
    expect(luminance(channels(page[1] ?? ""))).toBeLessThan(luminance(channels(page[0] ?? "")) * 0.85);
  });

  it("what is drawn to be seen, not read, stands out by at least 3 to 1", () => {
    for (const ground of ["paper", "chrome"]) {
      for (const drawn of ["accent", "mark-line", "warn"]) {
        const ratio = contrast(channels(tokens[drawn] ?? ""), channels(tokens[ground] ?? ""));
        expect(ratio, `${drawn} on ${ground}`).toBeGreaterThanOrEqual(3);
      }
    }
  });
});
