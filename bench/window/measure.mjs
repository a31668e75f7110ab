// Measures the real window and writes bench/results/window.json. Run by bench/window/run, which gives it a screen and a message bus.
//
//     bench/window/run [open]
import { execFile, execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Conversation } from "../../tests/e2e/pages/conversation.mjs";
import { Library } from "../../tests/e2e/pages/library.mjs";
import { Home, root, Window } from "../../tests/e2e/recto.mjs";

const results = join(root, "bench/results/window.json");
const sample = join(root, "samples/sec-solely-incidental-interpretation-2019.pdf");
const STARTS = 3;

/** What is run after a measurement, whatever became of it. */
const ends = [];
const t = { after: (end) => ends.push(end) };

/** From the click on a citation until its page is painted with the words boxed, beside PDFium alone drawing the same pages. */
async function open() {
  const home = new Home();
  t.after(() => home.remove());
  let window = await start(home);
  await new Library(window.session).isShown();
  await new Library(window.session).drop([sample]);
  await new Library(window.session).rowWithState("Solely Incidental", "ready");
  const question = "What does the Commission say of investment discretion, of advice and of compensation?";
  await new Conversation(window.session).ask(question);
  await new Conversation(window.session).hasEnded("answered");
  const pages = new Map();
  for (const { index, pages: cited } of (await new Conversation(window.session).stored()).citations) {
    if (![...pages.values()].includes(cited[0].number)) pages.set(index, cited[0].number);
  }
  await window.quit();
  const cold = [];
  const warm = [];
  let width = 0;
  for (let round = 0; round < STARTS; round++) {
    window = await start(home);
    await window.session.find('button[data-testid^="chip-"]');
    for (const times of [cold, warm]) {
      for (const [index, page] of pages) {
        const opened = await window.session.asyncScript(CLICK_TO_PAINTED, `chip-${index}`, page);
        times.push(opened.ms);
        width = opened.width;
      }
    }
    await window.quit();
  }
  const library = join(process.env.RECTO_ASSETS ?? join(root, "assets"), "libpdfium.so");
  const { stdout } = await promisify(execFile)("python3", [
    join(root, "bench/window/pdfium.py"),
    library,
    sample,
    String(width),
    ...[...pages.values()].map(String),
  ]);
  const bare = Object.values(JSON.parse(stdout));
  return { pages: pages.size, starts: STARTS, width, cold_ms: spread(cold), warm_ms: spread(warm), pdfium_ms: spread(bare) };
}

const CLICK_TO_PAINTED = `
  const [id, page, done] = arguments;
  const began = performance.now();
  document.querySelector('button[data-testid="' + id + '"]').click();
  const look = async () => {
    const sheet = document.querySelector('[data-testid="page-' + page + '"]');
    const image = sheet?.querySelector("img");
    const box = sheet?.querySelector(".page-box")?.getBoundingClientRect();
    const inView = box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
    if (!inView || !image?.complete || image.naturalWidth === 0) return requestAnimationFrame(look);
    await image.decode();
    requestAnimationFrame(() => setTimeout(() => done({ ms: performance.now() - began, width: image.naturalWidth })));
  };
  requestAnimationFrame(look);`;

function start(home) {
  return Window.open(home).then((window) => {
    t.after(() => window.kill());
    return window;
  });
}

function spread(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] * 10) / 10;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), most: at(1) };
}

const measurements = { open };
const asked = process.argv.slice(2);
const known = readdirSync(join(root, "bench/results")).includes("window.json") ? JSON.parse(readFileSync(results, "utf8")) : {};
for (const name of asked.length === 0 ? Object.keys(measurements) : asked) {
  try {
    const result = await measurements[name]();
    known.result = { ...known.result, [name]: { load: Number(readFileSync("/proc/loadavg", "utf8").split(" ")[0]), ...result } };
    console.log(name, JSON.stringify(result, null, 2));
  } finally {
    for (const end of ends.splice(0).reverse()) await end();
  }
}
const commit = execFileSync("git", ["-C", root, "rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
const { model: processor } = cpus()[0];
writeFileSync(
  results,
  `${JSON.stringify({ benchmark: "window", commit, profile: "dev (dependencies optimised)", cores: cpus().length, processor, result: known.result }, null, 2)}\n`,
);
