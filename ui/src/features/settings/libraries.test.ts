import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { libraries } from "./libraries";

function readJson(path: string): { license?: string; dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(path, "utf8"));
}

it("every library of the window is named with its licence", () => {
  const { dependencies = {} } = readJson("package.json");
  const expected = Object.keys(dependencies)
    .sort()
    .map((name) => ({ name, licence: readJson(`node_modules/${name}/package.json`).license }));
  expect(libraries).toEqual(expected);
});
