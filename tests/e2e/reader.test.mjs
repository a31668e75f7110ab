// Each interaction with the reader, in the real window.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pdf, runningText } from "../fixtures/pdf.mjs";
import { Conversation } from "./pages/conversation.mjs";
import { Library } from "./pages/library.mjs";
import { Reader } from "./pages/reader.mjs";
import { Home, interactions, requirePrograms, Window } from "./recto.mjs";

const PAGES = 40;

test("the reader", { timeout: 600_000 }, async (t) => {
  requirePrograms();
  const home = new Home();
  t.after(() => home.remove());
  const atlas = join(home.folder, "atlas.pdf");
  writeFileSync(atlas, atlasOfWinds());
  const notes = join(home.folder, "notes.md");
  writeFileSync(notes, `# Field notes\n\n## Morning\n\nThe wind came from the east.\n\n## Evening\n\n${"Nothing moved on the water. ".repeat(200)}\n\nA lantern was lost at the pier.\n`);

  let window = await Window.open(home);
  t.after(() => window.kill());
  const step = interactions(t, () => window);
  let { session } = window;
  let reader = new Reader(session);
  const conversation = new Conversation(session);
  const library = new Library(session);
  await library.isShown();
  await library.drop([atlas, notes]);
  await library.rowWithState("Atlas of Winds", "ready");
  await library.rowWithState("Field notes", "ready");
  await reader.open("Atlas of Winds");
  await reader.settledPage(1);

  await step("pages are laid out one under another, and only those near the view are there", async () => {
    const count = await session.script(`return document.querySelectorAll(".page-sheet").length`);
    assert.ok(count >= 1 && count <= 6, `${count} of ${PAGES} pages are in the window`);
    await session.script(`document.querySelector('[data-testid="page-scroller"]').scrollTop = 1e9`);
    await reader.settledPage(PAGES);
    assert.equal(await session.has('[data-testid="page-1"]'), false);
    await session.script(`document.querySelector('[data-testid="page-scroller"]').scrollTop = 0`);
    await reader.settledPage(1);
  });

  await step("a page is drawn at the resolution of the device", async () => {
    const image = await session.script(`const image = document.querySelector('[data-testid="page-1"] img');
      return { natural: image.naturalWidth, shown: image.getBoundingClientRect().width * devicePixelRatio }`);
    assert.ok(image.natural >= image.shown - 1, JSON.stringify(image));
  });

  await step("it zooms from 25 to 500 per cent and keeps the page in view", async () => {
    await session.press("g");
    await session.typeText("370");
    await session.press("Enter");
    await reader.showsPage("370");
    await session.press("Control+3");
    for (let step = 0; step < 20 && (await reader.zoom()) < 500; step++) await session.press("Control+=");
    await session.press("Control+=");
    assert.equal(await reader.zoom(), 500);
    await reader.showsPage("370");
    await window.picture("reader-1-500-per-cent");
    for (let step = 0; step < 30 && (await reader.zoom()) > 25; step++) await session.press("Control+-");
    await session.press("Control+-");
    assert.equal(await reader.zoom(), 25);
    const shown = await reader.page();
    assert.match(shown, /3(69|70|71)/, "the same place is in view");
    await window.picture("reader-2-25-per-cent");
  });

  await step("Ctrl+9 shows a page whole, Ctrl+0 fills the width", async () => {
    await session.press("Control+9");
    await sleep(300);
    const whole = await session.script(`const page = document.querySelector(".page-sheet").getBoundingClientRect();
      const view = document.querySelector('[data-testid="page-scroller"]').getBoundingClientRect();
      return { page: page.height, view: view.height };`);
    assert.ok(whole.page <= whole.view && whole.page > whole.view * 0.5, JSON.stringify(whole));
    await session.press("Control+0");
    await sleep(300);
    const wide = await session.script(`const page = document.querySelector(".page-sheet").getBoundingClientRect();
      const view = document.querySelector('[data-testid="page-scroller"]');
      return { page: page.width, view: view.clientWidth };`);
    assert.ok(Math.abs(wide.view - 32 - wide.page) <= 2, JSON.stringify(wide));
  });

  await step("R turns the pages by quarters", async () => {
    const isLandscape = `const { width, height } = document.querySelector(".page-sheet").getBoundingClientRect(); return width > height`;
    await session.press("r");
    await session.until("they lie on their side", isLandscape);
    await window.picture("reader-3-turned");
    for (let quarter = 0; quarter < 3; quarter++) await session.press("r");
    await session.until("they stand again", `${isLandscape.replace("width > height", "width < height")}`);
  });

  await step("the page box takes a printed label, a number of the file, and says what it does not know", async () => {
    await session.press("g");
    await session.typeText("ii");
    await session.press("Enter");
    await reader.showsPage("ii");
    assert.match(await reader.page(), /2\/40/);
    await session.press("g");
    await session.typeText("366");
    await session.press("Enter");
    await reader.showsPage("366");
    assert.match(await reader.page(), /4\/40/);
    await session.press("g");
    await session.typeText("xii");
    await session.press("Enter");
    await session.find('[data-testid="go-to-page"][aria-invalid="true"]');
    await session.press("Escape");
    await session.find('[data-testid="page-indicator"]');
  });

  await step("finding words counts their places, walks them and marks them", async () => {
    await session.press("Control+f");
    await session.find('[data-testid="find-words"]');
    await session.typeText("mistral blows");
    await session.until("three places are counted", `return /3/.test(document.querySelector('[data-testid="find-count"]').textContent)`);
    const first = await session.text('[data-testid="find-count"]');
    assert.match(first, /1.*3/);
    await reader.settledPage(10, (page) => page.find.length > 0);
    await session.press("Enter");
    await reader.settledPage(20, (page) => page.find.length > 0);
    await window.picture("reader-4-find");
    await session.press("Shift+Enter");
    await reader.settledPage(10, (page) => page.find.length > 0);
    await session.press("Control+a");
    await session.typeText("zephyr of glass");
    await session.until("none is said", `return /no/i.test(document.querySelector('[data-testid="find-count"]').textContent)`);
    await session.press("Escape");
    await session.isGone('[data-testid="find-words"]');
  });

  await step("the outline goes to its chapters and shows the one in view", async () => {
    await session.press("Control+3");
    await session.press("t");
    const entry = await session.findWithText('[data-testid="contents"] button', "Winds of the south");
    await entry.click();
    await reader.settledPage(21);
    await session.until(
      "the chapter is the current one",
      `return document.querySelector('[data-testid="contents"] [aria-current]')?.textContent.includes("Winds of the south")`,
    );
    await window.picture("reader-5-contents");
  });

  await step("thumbnails show the pages and go to them", async () => {
    await session.press("Shift+T");
    const thumbnail = await session.find('[data-testid="thumbnail-22"]');
    await session.until("it is painted", `return document.querySelector('[data-testid="thumbnail-22"] img')?.naturalWidth > 0`);
    await window.picture("reader-6-thumbnails");
    await thumbnail.click();
    await reader.showsPage("22/40");
    await session.press("Control+3");
    await session.press("Shift+T");
    await session.isGone('[data-testid="thumbnails"]');
    // The pages fill the room again before anything else is asked of them.
    await reader.settledPage(22);
  });

  const select = async (from, to) => {
    await reader.settledPage(22);
    const [first, last] = await session.script(
      `const words = [...document.querySelectorAll('[data-testid="text-22"] [data-word]')];
       const find = (text) => words.find((word) => word.textContent.trim() === text).getBoundingClientRect();
       return arguments[0].map(find).map(({ left, right, top, bottom }) => ({ left, right, top, bottom }))`,
      [from, to],
    );
    await session.drag(
      { x: first.left + 1, y: (first.top + first.bottom) / 2 },
      { x: (first.left + last.right) / 2, y: (last.top + last.bottom) / 2 },
      { x: last.right - 1, y: (last.top + last.bottom) / 2 },
    );
    await session.find('[data-testid="selection-menu"]');
  };
  const choose = async (label) => {
    const entry = await session.findWithText('[data-testid="selection-menu"] button', label);
    await entry.click();
  };

  await step("selected words can be copied as a quote with their page", async () => {
    // The room that the thumbnails left may still be given to the pages, which moves them.
    for (let asked = 0, isAtTop = false; asked < 3 && !isAtTop; asked++) {
      await session.press("g");
      await session.typeText("384");
      await session.press("Enter");
      const { page, view } = await reader.settledPage(22);
      isAtTop = Math.abs(page.top - view.top - 8) < 2;
    }
    await session.find('[data-testid="text-22"] [data-word]');
    await select("Sirocco", "dust");
    await window.picture("reader-7-selection");
    await choose("Copy as quote");
    await sleep(300);
    const copied = await conversation.pasted();
    assert.match(copied, /“Sirocco carries red dust” \(Atlas of Winds, p\. 384\)/);
  });

  await step("selected words can be asked about", async () => {
    await select("Sirocco", "dust");
    await choose("Ask about this");
    await session.until(
      "they are in the question",
      `const field = document.querySelector('[data-testid="composer"]'); return field.value.includes("Sirocco carries red dust") && document.activeElement === field`,
    );
    await session.press("Control+a");
    await session.press("Backspace");
  });

  await step("selected words can be looked for in the library", async () => {
    await select("Sirocco", "dust");
    await choose("Find in library");
    await session.find('[data-testid="search-result"]');
    assert.equal(await session.script(`return document.querySelector('[data-testid="search-field"]').value`), "Sirocco carries red dust");
    await session.press("Escape");
    await session.isGone('[data-testid="search-pane"]');
  });

  await step("a document without pages is laid out, with the same marks", async () => {
    await reader.open("Field notes");
    await session.find('[data-testid="laid-out"]');
    await session.press("Control+f");
    await session.find('[data-testid="find-words"]');
    await session.typeText("lantern was lost");
    const mark = await session.until(
      "the words are marked and in view",
      `const mark = document.querySelector('[data-testid="mark-find"]')?.getBoundingClientRect();
       return mark !== undefined && mark.top > 0 && mark.bottom < innerHeight`,
    );
    assert.ok(mark);
    await window.picture("reader-8-without-pages");
    await session.press("Escape");
  });

  await step("documents stay open in tabs, and are where they were after the next start", async () => {
    await session.press("Control+Tab");
    await session.until("the atlas is shown", `return document.querySelector('[data-testid="reader"] h2').textContent.includes("Atlas")`);
    await reader.showsPage("384");
    await sleep(800);
    await window.quit();
    window = await Window.open(home);
    session = window.session;
    reader = new Reader(session);
    await session.find('[data-testid="reader-tab"]');
    await reader.showsPage("384");
    assert.equal(await session.script(`return document.querySelectorAll('[data-testid="reader-tab"]').length`), 2);
  });

  await step("pages are dimmed in the dark", async () => {
    await session.press("Control+,");
    const dark = await session.findWithText('[data-testid="settings-appearance"] label', "Dark");
    await dark.click();
    await session.until("the theme is dark", `return document.documentElement.dataset.theme === "dark"`);
    await session.press("Escape");
    await reader.settledPage(22);
    const dim = await session.script(`const { backgroundColor, mixBlendMode } = getComputedStyle(document.querySelector(".page-dim")); return { backgroundColor, mixBlendMode }`);
    assert.deepEqual(dim, { backgroundColor: "rgb(226, 223, 217)", mixBlendMode: "multiply" });
    await window.picture("reader-9-dark");
  });

  await window.quit();
});

/** Forty pages: two of front matter, then 365 and on, with an outline. */
function atlasOfWinds() {
  const about = (number) => {
    if (number === 10 || number === 20 || number === 30) return `On this page the mistral blows for the ${number}th time.`;
    if (number === 22) return "The Sirocco carries red dust over the sea and leaves it on the sails.";
    // A number at either end of a line that comes again would be taken for the page's own.
    return `Of wind ${number} this atlas tells all that is known of it.`;
  };
  const pages = Array.from({ length: PAGES }, (_, index) => {
    const blocks = [["text", about(index + 1)], ["text", "The charts are drawn by hand and hold for the summer. ".repeat(30).trim()]];
    if (index === 2) blocks.unshift(["heading", "Winds of the north"]);
    if (index === 20) blocks.unshift(["heading", "Winds of the south"]);
    return { lines: runningText(blocks) };
  });
  return pdf({
    title: "Atlas of Winds",
    pages,
    labels: "[0 << /S /r >> 2 << /S /D /St 365 >>]",
    outline: [
      { title: "Winds of the north", page: 3 },
      { title: "Winds of the south", page: 21 },
    ],
  });
}
