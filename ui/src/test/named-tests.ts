import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../../..");

/** The rows of the tables of a document in `docs`, without their heads. */
export function rowsOf(name: string): string[][] {
  const lines = readFileSync(join(root, "docs", name), "utf8").split("\n");
  return lines
    .filter((line, at) => line.startsWith("| ") && !lines[at + 1]?.startsWith("|---"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** The tests that a cell names as `file: name`. */
export function testsIn(cell: string): { file: string; name: string }[] {
  return [...cell.matchAll(/`([^`:]+\.[a-z]+): ([^`]+)`/g)].map(([, file = "", name = ""]) => ({ file, name }));
}

/** Those of the tests that a cell names which do not exist. */
export function missingTests(cell: string): string[] {
  return testsIn(cell)
    .filter(({ file, name }) => !readFileSync(join(root, file), "utf8").includes(name))
    .map(({ file, name }) => `${file}: ${name}`);
}
