import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(process.cwd(), "src");

interface Import {
  file: string;
  /** The file or package imported; our own files relative to `src`. */
  from: string;
  typeOnly: boolean;
}

const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith("test/"))
  .sort();

const imports: Import[] = files.flatMap((file) => {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)"|import\(\s*"([^"]+)"\s*\)/g,
  );
  return [...found].map((match) => {
    const named = match[2] ?? match[3] ?? "";
    const from = named.startsWith("@/")
      ? named.slice(2)
      : named.startsWith(".")
        ? normalize(relative(root, join(root, dirname(file), named)))
        : named;
    return { file, from, typeOnly: match[1] !== undefined };
  });
});

function layer(path: string): string {
  return path.split("/")[0] ?? "";
}

function feature(path: string): string | null {
  return /^features\/([^/]+)/.exec(path)?.[1] ?? null;
}

function offenders(breaks: (one: Import) => boolean): string[] {
  return imports.filter(breaks).map(({ file, from }) => `${file} imports ${from}`);
}

describe("what may import what", () => {
  it("sees the files", () => {
    expect(files.length).toBeGreaterThan(40);
    expect(imports.some((one) => one.from === "@tauri-apps/api/core")).toBe(true);
  });

  it("a feature never imports another feature", () => {
    expect(
      offenders(({ file, from }) => {
        const target = feature(from);
        return feature(file) !== null && target !== null && target !== feature(file);
      }),
    ).toEqual([]);
  });

  it("only ipc imports Tauri", () => {
    expect(offenders(({ file, from }) => from.startsWith("@tauri-apps/") && layer(file) !== "ipc")).toEqual([]);
  });

  it("nothing below the features imports them or the app", () => {
    const below = ["components", "lib", "ipc", "state"];
    expect(
      offenders(({ file, from }) => below.includes(layer(file)) && ["features", "app"].includes(layer(from))),
    ).toEqual([]);
  });

  it("lib, components and state know the contract's types of ipc and nothing else of it", () => {
    const pure = ["components", "lib", "state"];
    expect(
      offenders(
        ({ file, from, typeOnly }) =>
          pure.includes(layer(file)) && layer(from) === "ipc" && !(typeOnly && from === "ipc/bindings"),
      ),
    ).toEqual([]);
  });

  it("lib stands on nothing but itself", () => {
    expect(
      offenders(({ file, from }) => layer(file) === "lib" && ["components", "state"].includes(layer(from))),
    ).toEqual([]);
  });

  it("the engine in memory stays out of the application's own bundle", () => {
    expect(offenders(({ from, typeOnly }) => from === "ipc/fake" && !typeOnly)).toEqual(["main.tsx imports ipc/fake"]);
  });
});
