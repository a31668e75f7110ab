// Measures the real window and writes bench/results/window.json. Run by bench/window/run, which gives it a screen and a message bus.
//
//     bench/window/run [open] [documents] [pages] [typing]
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { root } from "../../tests/e2e/recto.mjs";
import { endAll, load } from "./common.mjs";
import { documents } from "./documents.mjs";
import { open } from "./open.mjs";
import { pages } from "./pages.mjs";
import { typing } from "./typing.mjs";

const results = join(root, "bench/results/window.json");
const measurements = { open, documents, pages, typing };
const asked = process.argv.slice(2);
const known = readdirSync(join(root, "bench/results")).includes("window.json") ? JSON.parse(readFileSync(results, "utf8")) : {};
for (const name of asked.length === 0 ? Object.keys(measurements) : asked) {
  const before = load();
  try {
    const result = await measurements[name]();
    known.result = { ...known.result, [name]: { load: before, ...result } };
    console.log(name, JSON.stringify(known.result[name], null, 2));
  } finally {
    await endAll();
  }
}
const commit = execFileSync("git", ["-C", root, "rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
const { model: processor } = cpus()[0];
writeFileSync(
  results,
  `${JSON.stringify({ benchmark: "window", commit, profile: "dev (dependencies optimised)", cores: cpus().length, processor, result: known.result }, null, 2)}\n`,
);
