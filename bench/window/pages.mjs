// A document of five hundred pages: how smoothly it scrolls, and whether going through it again takes more memory.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Library } from "../../tests/e2e/pages/library.mjs";
import { Reader } from "../../tests/e2e/pages/reader.mjs";
import { pdf, runningText } from "../../tests/fixtures/pdf.mjs";
import { frames, newHome, rounded, SCROLL, spread, start, webviewMegabytes } from "./common.mjs";

const PAGES = 500;
const SECONDS = 10;
const SCROLLER = '[data-testid="page-scroller"]';
/** Pixels a second: reading on, leafing through, and rushing by. */
const SPEEDS = { read: 300, leafed: 2_000, rushed: 20_000 };

export async function pages() {
  const home = newHome();
  const file = join(home.folder, "log.pdf");
  writeFileSync(file, logOfTheTower());
  const window = await start(home);
  const { session } = window;
  await new Library(session).isShown();
  await new Library(session).drop([file]);
  await new Library(session).rowWithState("Log of the Tower", "ready", 600_000);
  await new Reader(session).open("Log of the Tower");
  await new Reader(session).settledPage(1);
  const scrolled = {};
  for (const [name, speed] of Object.entries(SPEEDS)) {
    scrolled[name] = frames(await session.asyncScript(SCROLL, SCROLLER, speed, SECONDS));
  }
  const before = webviewMegabytes(window);
  const passes = [];
  for (let pass = 0; pass < 2; pass++) {
    const shown = [];
    for (let first = 0; first < PAGES; first += 20) shown.push(...(await session.asyncScript(GO_THROUGH, SCROLLER, first, 20)));
    await session.asyncScript("setTimeout(arguments[0], 5000)");
    passes.push({ megabytes: webviewMegabytes(window), shown_ms: spread(shown) });
  }
  await window.quit();
  const [first, second] = passes;
  return {
    pages: PAGES,
    seconds: SECONDS,
    frames_ms: scrolled,
    webview_mb: { before, first: first.megabytes, second: second.megabytes, second_by_first: rounded((100 * second.megabytes) / first.megabytes) / 100 },
    shown_ms: { first: first.shown_ms, second: second.shown_ms },
  };
}

/** Goes from page to page, waiting at each until its image is there. */
const GO_THROUGH = `
  const [selector, first, count, done] = arguments;
  const element = document.querySelector(selector);
  const step = element.scrollHeight / ${PAGES};
  const times = [];
  (async () => {
    for (let index = first; index < first + count; index++) {
      const began = performance.now();
      element.scrollTop = index * step + 40;
      await new Promise((resolve) => {
        const look = () => {
          const image = document.querySelector('[data-testid="page-' + (index + 1) + '"] img');
          if (image?.complete && image.naturalWidth > 0) requestAnimationFrame(() => setTimeout(resolve));
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
      times.push(performance.now() - began);
    }
    done(times);
  })();`;

function logOfTheTower() {
  const winds = ["mistral", "sirocco", "levanter", "tramontana", "bora"];
  const page = (number) => {
    const about = (line) => `In the ${line}th hour of night ${number} the ${winds[(number * line) % winds.length]} blew and ${(number * 7 + line) % 31} ships went by. `;
    const text = Array.from({ length: 28 }, (_, line) => about(line + 1)).join("").trim();
    return { lines: runningText([["heading", `Night ${number}`], ["text", text]]) };
  };
  return pdf({ title: "Log of the Tower", pages: Array.from({ length: PAGES }, (_, index) => page(index + 1)) });
}
