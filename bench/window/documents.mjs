// A library of ten thousand documents: how smoothly its list scrolls, and whether what is scrolled to is painted.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Library } from "../../tests/e2e/pages/library.mjs";
import { recto, root } from "../../tests/e2e/recto.mjs";
import { until } from "../../tests/e2e/webdriver.mjs";
import { after, frames, newHome, SCROLL, spread, start } from "./common.mjs";
import { onScreen, originOf, Screen } from "./screen.mjs";

const COUNT = 10_000;
const SECONDS = 10;
const PLACES = 40;
/** Words cover more of the ground they stand on. */
const LEAST_INK = 0.01;
const LIST = '[data-testid="library"] .scroller:has([data-testid="documents"])';
/** Pixels a second: reading, looking through, and throwing the list from end to end. */
const SPEEDS = { slow: 600, fast: 6_000, thrown: 60_000 };

export async function documents() {
  const home = newHome();
  home.library = await library();
  const window = await start(home);
  const { session } = window;
  await new Library(session).isShown();
  await until("all are listed", () => session.script(`return document.querySelector('[data-testid="documents"] li')?.getAttribute("aria-setsize") === "${COUNT}"`));
  await session.asyncScript("setTimeout(arguments[0], 3000)");
  const screen = new Screen();
  after(() => screen.close());
  const rows = onScreen(await session.script(ROWS_IN_THE_MIDDLE, LIST), originOf("Recto"));
  const scrolled = {};
  for (const [name, speed] of Object.entries(SPEEDS)) {
    const looked = watch(() => screen.ink(rows));
    const intervals = await session.asyncScript(SCROLL, LIST, speed, SECONDS);
    scrolled[name] = { ...frames(intervals), ...(await looked.end()) };
  }
  const jumps = { ms: [], blank: 0 };
  for (let place = 0; place < PLACES; place++) {
    // Far apart and the same in every run.
    jumps.ms.push(await session.asyncScript(JUMP, LIST, (place * 0.618) % 1));
    if (screen.ink(rows) < LEAST_INK) jumps.blank += 1;
  }
  const filtered = await session.asyncScript(FILTER, ["letter", "9 of", "Letter 7777"]);
  await window.quit();
  return {
    documents: COUNT,
    seconds: SECONDS,
    scrolled,
    jumps: { ms: spread(jumps.ms), blank: jumps.blank },
    filter_ms: spread(filtered),
  };
}

/** Looks at the screen all the time, and counts how often there is no word where rows should be. */
function watch(inkOfRows) {
  let looked = 0;
  let blank = 0;
  const timer = setInterval(() => {
    looked += 1;
    if (inkOfRows() < LEAST_INK) blank += 1;
  }, 25);
  return {
    end: () => {
      clearInterval(timer);
      return { looked, blank };
    },
  };
}

/** The library, made once and kept beside the other artefacts: ten thousand letters take a while to be read. */
async function library() {
  const folder = join(root, "artefacts/bench/documents");
  const place = join(folder, "library");
  const done = join(folder, `${COUNT}-read`);
  if (existsSync(done)) return place;
  const letters = join(folder, "letters");
  mkdirSync(letters, { recursive: true });
  for (let number = 1; number <= COUNT; number++) {
    const words = `The ${number}th letter tells of the weather on day ${number} and of ${number % 97} boats in the harbour.`;
    writeFileSync(join(letters, `letter-${number}.md`), `# Letter ${number} of the harbour master\n\n${words}\n`);
  }
  await recto("--library", place, "collections", "create", "Letters");
  await recto("--library", place, "--collection", "Letters", "add", letters);
  writeFileSync(done, "");
  return place;
}

/** Jumps to a share of the list and returns how long it took until a row stood in the middle and was painted. */
const JUMP = `
  const [selector, share, done] = arguments;
  const element = document.querySelector(selector);
  const began = performance.now();
  element.scrollTop = share * (element.scrollHeight - element.clientHeight);
  const { left, top, height } = element.getBoundingClientRect();
  const look = () => {
    const row = document.elementFromPoint(left + 60, top + height / 2)?.closest('[data-testid="document-row"]');
    if (row == null) requestAnimationFrame(look);
    else requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
  };
  requestAnimationFrame(look);`;

/** Where the titles of two rows or more stand in the middle of the list. */
const ROWS_IN_THE_MIDDLE = `
  const { left, top, right, height } = document.querySelector(arguments[0]).getBoundingClientRect();
  const middle = top + height / 2;
  return { left: left + 36, top: middle - 42, right: right - 60, bottom: middle + 42 };`;

/** From a letter typed into the filter until the list shows what is left. */
const FILTER = `
  const [words, done] = arguments;
  const field = document.querySelector('[data-testid="library"] input[type="search"]');
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const times = [];
  const type = (text) => new Promise((resolve) => {
    const began = performance.now();
    set.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
  });
  (async () => {
    for (const word of words) {
      for (let length = 1; length <= word.length; length++) times.push(await type(word.slice(0, length)));
      await type("");
    }
    done(times);
  })();`;
