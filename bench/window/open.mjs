// From the click on a citation until its page is painted with the words boxed, beside PDFium alone drawing the same pages.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { Conversation } from "../../tests/e2e/pages/conversation.mjs";
import { Library } from "../../tests/e2e/pages/library.mjs";
import { root } from "../../tests/e2e/recto.mjs";
import { newHome, spread, start } from "./common.mjs";

const sample = join(root, "samples/sec-solely-incidental-interpretation-2019.pdf");
const QUESTION = "What does the Commission say of investment discretion, of advice and of compensation?";
const STARTS = 3;

export async function open() {
  const home = newHome();
  let window = await start(home);
  await new Library(window.session).isShown();
  await new Library(window.session).drop([sample]);
  await new Library(window.session).rowWithState("Solely Incidental", "ready");
  await new Conversation(window.session).ask(QUESTION);
  await new Conversation(window.session).hasEnded("answered");
  const pages = new Map();
  for (const { index, pages: cited } of (await new Conversation(window.session).stored()).citations) {
    if (![...pages.values()].includes(cited[0].number)) pages.set(index, cited[0].number);
  }
  await window.quit();
  const opened = { first: [], cold: [], warm: [] };
  for (let round = 0; round < STARTS; round++) {
    window = await start(home);
    await window.session.find('button[data-testid^="chip-"]');
    // What a start still has to do is not the reader's.
    await window.session.asyncScript("setTimeout(arguments[0], 3000)");
    for (const pass of ["cold", "warm"]) {
      for (const [index, page] of pages) {
        const isFirst = opened.cold.length % (pages.size - 1) === 0 && opened.first.length === round;
        const times = await window.session.asyncScript(CLICK_TO_PAINTED, `chip-${index}`, page);
        opened[pass === "cold" && isFirst ? "first" : pass].push(times);
        // As somebody reads: the neighbours of a page are drawn meanwhile.
        await window.session.asyncScript("setTimeout(arguments[0], 700)");
      }
    }
    await window.quit();
  }
  const width = Math.max(...opened.warm.map(({ width }) => width));
  const library = join(process.env.RECTO_ASSETS ?? join(root, "assets"), "libpdfium.so");
  const script = join(root, "bench/window/pdfium.py");
  const { stdout } = await promisify(execFile)("python3", [script, library, sample, String(width), ...[...pages.values()].map(String)]);
  const bare = Object.values(JSON.parse(stdout));
  const total = (all) => spread(all.map(({ painted }) => painted));
  return {
    pages: pages.size,
    starts: STARTS,
    width,
    first_ms: total(opened.first),
    cold_ms: total(opened.cold),
    warm_ms: total(opened.warm),
    steps_ms: { first: steps(opened.first), cold: steps(opened.cold), warm: steps(opened.warm) },
    pdfium_ms: spread(bare),
  };
}

/** The median of each step's end, counted from the click. */
function steps(all) {
  const names = ["handled", "sheet", "asked", "loaded", "boxed", "decoded", "painted"];
  return Object.fromEntries(
    names.map((name) => [name, spread(all.map((times) => times[name]).filter((ms) => ms !== null)).p50]),
  );
}

/**
 * `handled`: the click's own work is over; `sheet`: the page has its place; `asked`: its image is asked for; `loaded`: it is
 * there; `boxed`: the words are marked in view; `decoded`: the image has been decoded; `painted`: the frame after that. What
 * was there before the click has no time.
 */
const CLICK_TO_PAINTED = `
  const [id, page, done] = arguments;
  const times = { handled: null, sheet: null, asked: null, loaded: null, boxed: null };
  const sheet = () => document.querySelector('[data-testid="page-' + page + '"]');
  const isThere = { sheet: sheet() !== null, asked: sheet()?.querySelector("img") != null };
  const began = performance.now();
  const now = () => performance.now() - began;
  const observer = new MutationObserver(() => {
    if (!isThere.sheet && times.sheet === null && sheet() !== null) times.sheet = now();
    if (!isThere.asked && times.asked === null && sheet()?.querySelector("img") != null) times.asked = now();
  });
  observer.observe(document.body, { subtree: true, childList: true });
  const onLoad = (event) => {
    if (event.target instanceof HTMLImageElement && sheet()?.contains(event.target)) times.loaded ??= now();
  };
  document.addEventListener("load", onLoad, true);
  document.querySelector('button[data-testid="' + id + '"]').click();
  times.handled = now();
  const look = async () => {
    const image = sheet()?.querySelector("img");
    const marked = sheet()?.querySelector('.page-box[data-kind="quote"]') ?? sheet()?.querySelector(".page-box");
    const box = marked?.getBoundingClientRect();
    const view = document.querySelector('[data-testid="page-scroller"]')?.getBoundingClientRect();
    const inView = box !== undefined && view !== undefined && box.bottom > view.top && box.top < view.bottom;
    if (inView) times.boxed ??= now();
    if (!inView || !image?.complete || image.naturalWidth === 0) return requestAnimationFrame(look);
    await image.decode();
    const decoded = now();
    requestAnimationFrame(() => setTimeout(() => {
      observer.disconnect();
      document.removeEventListener("load", onLoad, true);
      done({ ...times, decoded, painted: now(), width: image.naturalWidth });
    }));
  };
  requestAnimationFrame(look);`;
