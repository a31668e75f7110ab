import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(__dirname, "../../..");
const lines = readFileSync(join(root, "docs/reports.md"), "utf8").split("\n");
const rows = lines.filter((line) => /^\| T\d+ \|/.test(line));

describe("the faults that were reported of similar software", () => {
  test("are those of the list, each once and in order", () => {
    const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
    const numbers = rows.map((row) => Number(/T(\d+)/.exec(row)?.[1]));
    expect(numbers).toEqual([...range(1, 42), ...range(80, 85), ...range(93, 108)]);
  });

  test.each(rows.map((row) => [/T\d+/.exec(row)?.[0] ?? "", row]))("%s is held by tests that exist", (_, row) => {
    const named = [...row.matchAll(/`([^`:]+\.[a-z]+): ([^`]+)`/g)];
    const missing = named.filter(([, file = "", name = ""]) => !readFileSync(join(root, file), "utf8").includes(name));
    expect(missing.map(([whole]) => whole)).toEqual([]);
    // Without a test there is at least a sentence.
    expect(row.split("|")[3]?.trim()).not.toBe("");
  });
});
