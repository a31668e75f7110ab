import { describe, expect, test } from "vitest";
import { missingTests, rowsOf } from "./named-tests";

const rows = rowsOf("reports.md");

describe("the faults that were reported of similar software", () => {
  test("are those of the list, each once and in order", () => {
    const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
    const numbers = rows.map(([number]) => Number(/^T(\d+)$/.exec(number ?? "")?.[1]));
    expect(numbers).toEqual([...range(1, 42), ...range(80, 85), ...range(93, 108)]);
  });

  test.each(rows)("%s is held by tests that exist", (_number, _reported, heldBy) => {
    expect(missingTests(heldBy ?? "")).toEqual([]);
    // Without a test there is at least a sentence.
    expect(heldBy).not.toBe("");
  });
});
