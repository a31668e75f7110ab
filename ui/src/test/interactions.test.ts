import { describe, expect, test } from "vitest";
import { missingTests, rowsOf, testsIn } from "./named-tests";

const rows = rowsOf("interactions.md");

describe("the interactions of the window", () => {
  test("are listed once each", () => {
    const names = rows.map(([interaction]) => interaction);
    expect(names.length).toBeGreaterThan(60);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(rows)("%s is shown by tests that exist, or it is said why not", (_interaction, shownBy = "") => {
    expect(missingTests(shownBy)).toEqual([]);
    expect(testsIn(shownBy).length > 0 || /^(measured|there|not there|on the command line)/.test(shownBy)).toBe(true);
  });
});
