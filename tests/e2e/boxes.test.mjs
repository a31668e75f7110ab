// Boxes over words: what the window draws over a page lies on the words that the picture of the page shows, whatever the
// size, the turn and the crop of the page and the resolution of the screen. The words are red; the picture says where.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pdf } from "../fixtures/pdf.mjs";
import { Library } from "./pages/library.mjs";
import { Reader } from "./pages/reader.mjs";
import { Picture } from "./png.mjs";
import { Home, interactions, requirePrograms, Window } from "./recto.mjs";

const SIZE = 14;
/** The pages, each with the words that are looked for on it. */
const SHEETS = [
  { words: "HUNTg", x: 90, y: 640 },
  { words: "HANGp", x: 120, y: 400, rotate: 90 },
  { words: "HIDEg", x: 60, y: 300, rotate: 180 },
  { words: "HUMPg", x: 200, y: 150, rotate: 270 },
  { words: "HEAVg", x: 70, y: 250, crop: [50, 60, 430, 500] },
  { words: "HALFp", x: 40, y: 90, crop: [101, 77, 433, 555], rotate: 90 },
  { words: "HUGEp", x: 500, y: 900, width: 842, height: 1191 },
  { words: "HONEg", x: 30, y: 60, width: 298, height: 420, rotate: 270 },
];
/** Page sizes by the resolution of the screen: all of them where it is plain, the outermost and one between where it is fine. */
const ZOOMS = { 1: ["fit", 25, 60, 110, 240, 500], 2: ["fit", 25, 110, 500] };

test("boxes lie on the words", { timeout: 900_000 }, async (t) => {
  requirePrograms();
  const home = new Home();
  t.after(() => home.remove());
  const file = join(home.folder, "sheets.pdf");
  writeFileSync(file, sheets());

  for (const scale of [1, 2]) {
    await t.test(`at GDK_SCALE ${scale}`, async (t) => {
      const window = await Window.open(home, { environment: { GDK_SCALE: String(scale) } });
      t.after(() => window.kill());
      const step = interactions(t, () => window);
      const { session } = window;
      const reader = new Reader(session);
      const library = new Library(session);
      await library.isShown();
      if (scale === 1) await library.drop([file]);
      await library.rowWithState("Sheets", "ready");
      if (!(await session.has('[data-testid="page-scroller"]'))) await reader.open("Sheets");
      await session.press("Control+3");
      const compare = async (turn, chosen) => {
        for (const index of chosen) {
          const sheet = SHEETS[index];
          const off = await distances(session, reader, index + 1, sheet, scale, turn);
          assert.ok(off.along <= 1 && off.across <= 1, `page ${index + 1}: ${JSON.stringify(off)}`);
        }
      };
      const all = [...SHEETS.keys()];
      /** Every third sheet, beginning with another one each time: in a few rounds all have had their turn. */
      const third = (round) => all.filter((index) => (index + round) % 3 === 0);
      for (const [round, zoom] of ZOOMS[scale].entries()) {
        await step(zoom === "fit" ? "fitted to the width" : `at about ${zoom} %`, async () => {
          await zoomTo(session, reader, zoom);
          await compare(0, zoom === "fit" ? all : third(round));
        });
      }
      for (const turn of [90, 180, 270]) {
        await step(`turned by ${turn} degrees in the reader`, async () => {
          await zoomTo(session, reader, "fit");
          await session.press("r");
          await compare(turn, third(turn / 90));
        });
      }
      await session.press("Control+3");
      await session.press("r");
      await window.picture(`boxes-scale-${scale}`);
      await window.quit();
    });
  }
});

/** The size that a test is about: what fits, or what enough steps from it come nearest to. */
async function zoomTo(session, reader, zoom) {
  await session.press("Control+3");
  await session.press("Control+0");
  if (zoom === "fit") return;
  const key = (await reader.zoom()) < zoom ? "Control+=" : "Control+-";
  const isShort = key === "Control+=" ? (now) => now < zoom : (now) => now > zoom;
  for (let step = 0; step < 20 && isShort(await reader.zoom()); step++) await session.press(key);
}

/** How far, in CSS pixels, the box of a page's words is from where the picture of the window has them. */
async function distances(session, reader, number, { words, size = SIZE }, scale, turn = 0) {
  await session.press("Control+f");
  await session.find('[data-testid="find-words"]');
  // At once, as pasting does: while letters come one by one, a part of the word is marked already.
  await session.script(
    `const field = document.querySelector('[data-testid="find-words"]');
     Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, arguments[0]);
     field.dispatchEvent(new Event("input", { bubbles: true }));`,
    words,
  );
  const marked = await reader.settledPage(number, ({ find, view }) => find.length === 1 && isWithin(find[0], view));
  // Without the mark the red of the words stands on white.
  await session.press("Escape");
  await session.isGone('[data-testid="box-find"]');
  const bare = await reader.settledPage(number);
  const picture = new Picture(await session.screenshot());
  const moved = { x: bare.page.left - marked.page.left, y: bare.page.top - marked.page.top };
  const [found] = marked.find;
  const box = {
    left: found.left + moved.x,
    top: found.top + moved.y,
    right: found.right + moved.x,
    bottom: found.bottom + moved.y,
  };
  const ink = redWords(picture, box, scale);
  if (ink === null) return { along: Number.POSITIVE_INFINITY, across: Number.POSITIVE_INFINITY, box };
  // Along the line the box ends with the ink; across it leaves room for the tallest letters and the lowest.
  const [begin, end, above, below] =
    turn % 180 === 0 ? ["left", "right", "top", "bottom"] : ["top", "bottom", "left", "right"];
  const points = (bare.page.right - bare.page.left) / pageWidth(SHEETS[number - 1], turn);
  const room = 0.4 * size * points;
  const inside = (gap) => Math.max(-gap, gap - room);
  return {
    along: Math.max(Math.abs(box[begin] - ink[begin]), Math.abs(box[end] - ink[end])),
    across: Math.max(inside(ink[above] - box[above]), inside(box[below] - ink[below])),
    box,
    ink,
  };
}

/** How wide a sheet is displayed, in points. */
function pageWidth({ width = 612, height = 792, crop = [0, 0, width, height], rotate = 0 }, turn) {
  const [across, down] = [crop[2] - crop[0], crop[3] - crop[1]];
  return (rotate + turn) % 180 === 0 ? across : down;
}

/**
 * Where around `box` the words are red in the picture, in CSS pixels. A pixel at an edge counts for as much of it as is
 * covered.
 */
function redWords(picture, box, scale) {
  const margin = 10;
  const from = (edge) => Math.max(0, Math.floor((edge - margin) * scale));
  const [left, top] = [from(box.left), from(box.top)];
  const width = Math.min(picture.width, Math.ceil((box.right + margin) * scale)) - left;
  const height = Math.min(picture.height, Math.ceil((box.bottom + margin) * scale)) - top;
  /** How much of the fullest pixel of each column and row is covered. */
  const columns = new Array(width).fill(0);
  const rows = new Array(height).fill(0);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [r, g, b] = picture.at(left + x, top + y);
      const ink = r > 220 && Math.abs(g - b) < 12 ? (255 - g) / 255 : 0;
      columns[x] = Math.max(columns[x], ink);
      rows[y] = Math.max(rows[y], ink);
    }
  }
  const across = extent(columns);
  const down = extent(rows);
  if (across === null || down === null) return null;
  return {
    left: (left + across.from) / scale,
    top: (top + down.from) / scale,
    right: (left + across.to) / scale,
    bottom: (top + down.to) / scale,
  };
}

/** Where a row of coverages begins and ends. */
function extent(covered) {
  const full = Math.max(...covered);
  const has = (ink) => ink > 0.12 * full;
  const first = covered.findIndex(has);
  const last = covered.findLastIndex(has);
  if (full === 0) return null;
  return { from: first + 1 - covered[first] / full, to: last + covered[last] / full };
}

function isWithin(box, view) {
  return box.left >= view.left && box.right <= view.right && box.top >= view.top && box.bottom <= view.bottom;
}

function sheets() {
  const pages = SHEETS.map(({ words, x, y, ...page }) => ({
    ...page,
    lines: [{ text: words, x, y, size: SIZE, font: "bold", colour: [1, 0, 0] }],
  }));
  return pdf({ title: "Sheets", pages });
}
