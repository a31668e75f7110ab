// Each interaction with the library, the queue, the search by words, the palette, the settings and the help, in the real window.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pdf, runningText } from "../fixtures/pdf.mjs";
import { scriptedModel } from "./model.mjs";
import { Library } from "./pages/library.mjs";
import { Reader } from "./pages/reader.mjs";
import { harbourReport, Home, interactions, requirePrograms, Window } from "./recto.mjs";
import { until } from "./webdriver.mjs";

test("the library and the window around it", { timeout: 600_000 }, async (t) => {
  requirePrograms();
  const home = new Home();
  t.after(() => home.remove());
  const folder = join(home.folder, "letters");
  mkdirSync(join(folder, "deeper"), { recursive: true });
  for (const [name, words] of Object.entries({ amber: "amber ink", birch: "birch bark", "deeper/cedar": "cedar oil" })) {
    writeFileSync(join(folder, `${name}.md`), `# Letter of ${words}\n\nThis letter was written with ${words} in the lighthouse.\n`);
  }
  const broken = join(home.folder, "broken.pdf");
  writeFileSync(broken, "%PDF-1.7\nthis is no PDF at all\n");
  const long = join(home.folder, "long.pdf");
  writeFileSync(long, longReport());
  const model = await scriptedModel(t, () => "Nothing of it is known.");

  // Opened with a file, as from a file manager.
  const window = await Window.open(home, { args: [harbourReport] });
  t.after(() => window.kill());
  const step = interactions(t, () => window);
  const { session } = window;
  const library = new Library(session);
  const reader = new Reader(session);
  const rows = () =>
    session.script(`return [...document.querySelectorAll('[data-testid="document-row"]')].map((row) => row.textContent)`);
  const showsRows = (count) =>
    session.until(`${count} documents are listed`, `return document.querySelectorAll('[data-testid="document-row"]').length === arguments[0]`, count);
  const menu = async (title, entry) => {
    // The actions of a row show while the pointer is on it.
    const [x, y] = await session.until(
      `${title} is listed`,
      `const row = [...document.querySelectorAll('[data-testid="document-row"]')].find((one) => one.textContent.includes(arguments[0]));
       const { left, top, bottom } = row.getBoundingClientRect(); return [left + 60, (top + bottom) / 2]`,
      title,
    );
    await session.pointTo(640, 400);
    await session.pointTo(x, y);
    const actions = await session.findWithText('[data-testid="document-actions"]', title);
    await actions.click();
    const item = await session.findWithText('[role="menuitem"]', entry);
    await item.click();
  };

  await step("a file named on the command line is added", async () => {
    await library.isShown();
    await library.rowWithState("Tide Gauges", "ready");
  });

  await step("a folder that is dropped is walked, and it is said how many files came in", async () => {
    assert.equal(await library.drop([folder]), 3);
    await session.until("three are said", `return /3 files/.test(document.querySelector('[data-testid="queued"]')?.textContent ?? "")`);
    for (const title of ["amber", "birch", "cedar"]) await library.rowWithState(title, "ready");
  });

  await step("a file that is there already is not added again", async () => {
    await library.drop([join(folder, "amber.md")]);
    await sleep(1500);
    await showsRows(4);
  });

  await step("a file that cannot be read fails with its cause, in the list and in the queue", async () => {
    await library.drop([broken]);
    await library.rowWithState("broken", "damaged");
    await session.press("Control+j");
    await session.find('[data-testid="queue-drawer"]');
    await session.until(
      "the drawer names the file and why",
      `const job = document.querySelector('[data-testid="queue-job"]')?.textContent ?? ""; return job.includes("broken.pdf") && job.length > 40`,
    );
    await window.picture("library-1-queue-failed");
  });

  await step("a failed file can be retried, and dismissed", async () => {
    const retry = await session.findWithText('[data-testid="queue-drawer"] button', "Retry broken.pdf");
    await retry.click();
    await sleep(1000);
    const dismiss = await session.findWithText('[data-testid="queue-drawer"] button', "Dismiss broken.pdf");
    await dismiss.click();
    await session.isGone('[data-testid="queue-job"]');
    await showsRows(4);
  });

  await step("the queue shows the stages of a file, pauses, resumes and cancels it", async () => {
    await session.call("pause_queue", { paused: true });
    await library.drop([long]);
    await session.find('[data-testid="queue-job"]');
    const resume = await session.findWithText('[data-testid="queue-drawer"] button', "Resume");
    await window.picture("library-2-queue-paused");
    await resume.click();
    await session.until("the stages are shown", `return document.querySelector('[data-testid="queue-job"] [role="progressbar"], [data-testid="queue-job"] [role="meter"], [data-testid="queue-job"] progress') !== null`);
    await window.picture("library-3-queue-reading");
    const cancel = await session.findWithText('[data-testid="queue-drawer"] button', "Cancel long.pdf");
    await cancel.click();
    await session.until("it is cancelled", `return /Cancelled/.test(document.querySelector('[data-testid="queue-job"]')?.textContent ?? "")`);
    const dismiss = await session.findWithText('[data-testid="queue-drawer"] button', "Dismiss long.pdf");
    await dismiss.click();
    await session.isGone('[data-testid="queue-job"]');
    await session.press("Control+j");
    await session.isGone('[data-testid="queue-drawer"]');
  });

  await step("the list is filtered as one types, and ordered", async () => {
    const filter = await session.find('[data-testid="library"] input[type="search"]');
    await filter.click();
    await session.typeText("birch");
    await showsRows(1);
    assert.match((await rows())[0], /birch/);
    await session.press("Control+a");
    await session.press("Backspace");
    await showsRows(4);
    await session.script(`const order = document.querySelector('[data-testid="library"] select');
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value").set.call(order, "pages");
      order.dispatchEvent(new Event("change", { bubbles: true }));`);
    await session.until("the longest is first", `return document.querySelector('[data-testid="document-row"]').textContent.includes("Tide Gauges")`);
  });

  await step("a document's details can be read, its title changed and tags given", async () => {
    await menu("Letter of amber", "Details");
    await session.find('[role="dialog"]');
    await window.picture("library-4-details");
    assert.match(await session.text('[role="dialog"]'), /SHA-256/);
    const tag = await session.find('[role="dialog"] input[placeholder="Add a tag"], [role="dialog"] input[aria-label="Add a tag"]');
    await tag.click();
    await session.typeText("letters");
    await session.press("Enter");
    const save = await session.findWithText('[role="dialog"] button', "Save");
    await save.click();
    await session.isGone('[role="dialog"]');
    const toggle = await session.findWithText('[data-testid="library"] button[aria-pressed]', "letters");
    await toggle.click();
    await showsRows(1);
    await toggle.click();
    await showsRows(4);
  });

  await step("ticked documents limit the question, which the scope shows", async () => {
    const box = await session.findWithText('[data-testid="document-row"] input[type="checkbox"]', "Letter of birch");
    await session.hover('[data-testid="document-row"]');
    await box.click();
    await session.until("the scope names it", `return document.querySelector('[data-testid="scope"]').textContent.includes("birch")`);
    await session.find('[data-testid="ticked"]');
    await window.picture("library-5-ticked");
    const untick = await session.findWithText('[data-testid="ticked"] button', "Untick");
    await untick.click();
    await session.isGone('[data-testid="ticked"]');
  });

  await step("a document is deleted, and can be brought back", async () => {
    await menu("Letter of cedar", "Delete");
    await showsRows(3);
    await window.picture("library-6-deleted");
    const undo = await session.findWithText('[data-testid="undo-notice"] button', "Undo");
    await undo.click();
    await showsRows(4);
    await menu("Letter of cedar", "Delete");
    await showsRows(3);
    const close = await session.findWithText('[data-testid="undo-notice"] button', "Close");
    await close.click();
    await session.isGone('[data-testid="undo-notice"]');
  });

  await step("a collection is created and shown", async () => {
    const create = await session.findWithText('[data-testid="library"] button', "New collection");
    await create.click();
    const name = await session.find('[data-testid="library"] input[aria-label="Name of the collection"]');
    await name.click();
    await session.typeText("Correspondence");
    await session.press("Enter");
    await session.findWithText('[data-testid="collection-row"]', "Correspondence");
  });

  await step("Ctrl+Shift+F searches by words, with snippets, pages and crops; Enter opens at the hit", async () => {
    await session.press("Control+Shift+f");
    await session.find('[data-testid="search-field"]');
    await session.typeText("stilling well");
    await session.find('[data-testid="search-result"]');
    await session.until("the crop is painted", `return document.querySelector('[data-testid="search-crop"] img, img[data-testid="search-crop"]')?.naturalWidth > 0`);
    assert.match(await session.text('[data-testid="search-result"]'), /p\. 1.*stilling well/s);
    await window.picture("library-7-search");
    await session.press("Enter");
    const page = await reader.settledPage(3, ({ passage }) => passage.length > 0);
    assert.ok(page.passage.length > 0);
  });

  await step("the search is narrowed by its facets and says when nothing is found", async () => {
    const field = await session.find('[data-testid="search-field"]');
    await field.click();
    await session.press("Control+a");
    await session.typeText("lighthouse");
    await session.until("two letters are found", `return document.querySelectorAll('[data-testid="search-result"]').length === 2`);
    // The facets move as results come in.
    await until("the facet is pressed", async () => {
      const facet = await session.findWithText('[data-testid="search-pane"] button[aria-pressed]', "Letter of amber");
      await facet.click();
      return true;
    });
    await session.until("one is left", `return document.querySelectorAll('[data-testid="search-result"]').length === 1`);
    await field.click();
    await session.press("Control+a");
    await session.typeText("zyzzyva");
    await session.until("nothing is found", `return /No passage holds/.test(document.querySelector('[data-testid="search-summary"]').textContent)`);
    await session.press("Escape");
    await session.isGone('[data-testid="search-pane"]');
  });

  await step("Ctrl+K goes to a document, and does an action", async () => {
    await session.press("Control+k");
    await session.find('[data-testid="palette-field"]');
    await session.typeText("birch");
    await session.findWithText('[data-testid="palette"] [role="option"][aria-selected="true"]', "Letter of birch");
    await window.picture("library-8-palette");
    await session.press("Enter");
    await session.isGone('[data-testid="palette"]');
    await session.until("it is open", `return document.querySelector('[data-testid="reader"] h2').textContent.includes("birch")`);
    await session.press("Control+k");
    await session.find('[data-testid="palette-field"]');
    await session.typeText("keyboard");
    await session.press("Enter");
    await session.find('[data-testid="help"]');
    await session.press("Escape");
    await session.isGone('[data-testid="help"]');
  });

  await step("? shows every shortcut", async () => {
    await session.press("Control+3");
    await session.press("Shift+?");
    await session.find('[data-testid="help"]');
    const shown = await session.script(`return document.querySelectorAll('[data-testid="help"] dt').length`);
    assert.ok(shown >= 35, `${shown} shortcuts`);
    await window.picture("library-9-help");
    await session.press("Escape");
    await session.isGone('[data-testid="help"]');
  });

  await step("F6 goes from pane to pane, Ctrl+1, 2, 3 to each", async () => {
    const pane = () =>
      session.script(`return document.activeElement.closest("[data-testid=library]") ? 1 : document.activeElement.closest("[data-testid=conversation]") ? 2 : document.activeElement.closest("[data-testid=reader]") ? 3 : 0`);
    for (const number of [1, 2, 3]) {
      await session.press(`Control+${number}`);
      assert.equal(await pane(), number);
    }
    await session.press("Control+Shift+f");
    await session.press("Control+3");
    await session.press("Control+2");
    assert.equal(await pane(), 2, "also where the search lies over the conversation");
    await session.script(`document.querySelector('[data-testid="search-field"]').focus()`);
    await session.press("Escape");
    await session.press("Control+3");
    for (const number of [1, 2, 3]) {
      await session.press("F6");
      assert.equal(await pane(), number);
    }
  });

  await step("a model is set up with a live probe, and the window says that it is on this machine", async () => {
    await session.press("Control+,");
    const tab = await session.findWithText('[role="tab"]', "Models");
    await tab.click();
    await session.find('[data-testid="model-form"]');
    await session.script(`const provider = document.querySelector('[data-testid="model-form"] select');
      Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value").set.call(provider, "openai-compatible");
      provider.dispatchEvent(new Event("change", { bubbles: true }));`);
    const fields = await session.until("the fields are there", `return document.querySelectorAll('[data-testid="model-form"] input').length >= 2`);
    assert.ok(fields);
    await session.script(`document.querySelectorAll('[data-testid="model-form"] input')[0].focus()`);
    await session.typeText(model.address);
    await session.script(`document.querySelectorAll('[data-testid="model-form"] input')[1].focus()`);
    await session.typeText("scripted");
    const check = await session.findWithText('[data-testid="model-form"] button', "Try it");
    await check.click();
    await session.until("the server answers", `return /The server answers/.test(document.querySelector('[data-testid="model-form"]').textContent)`);
    await window.picture("library-10-models");
    const use = await session.find('[data-testid="model-form"] button[type="submit"]');
    await use.click();
    await session.until("the bar names it", `return document.querySelector('[data-testid="model-status"]').textContent.includes("scripted")`);
    assert.match(await session.text('[data-testid="model-status"]'), /nothing leaves this machine/);
  });

  await step("the settings speak the other language at once", async () => {
    const tab = await session.findWithText('[role="tab"]', "Appearance");
    await tab.click();
    const german = await session.findWithText('[data-testid="settings-appearance"] label', "Deutsch");
    await german.click();
    await session.until("it is German", `return document.documentElement.lang === "de" && document.querySelector('[data-testid="settings"]').textContent.includes("Einstellungen")`);
    await window.picture("library-11-german");
    const english = await session.findWithText('[data-testid="settings-appearance"] label', "English");
    await english.click();
    await session.until("it is English again", `return document.documentElement.lang === "en"`);
    await session.press("Escape");
    await session.isGone('[data-testid="settings"]');
  });

  await step("in a narrow window the library is a row of icons, and in a narrower one the reader lies below", async () => {
    await session.resize(900, 700);
    await session.isGone('[data-testid="library"]');
    await window.picture("library-12-narrow");
    const toggle = await session.find('[data-testid="toggle-library"]');
    await toggle.click();
    await session.find('[data-testid="library"]');
    await toggle.click();
    await session.resize(780, 700);
    await session.until(
      "the reader lies below",
      `const main = document.querySelector("[data-testid=conversation]").getBoundingClientRect(); const reader = document.querySelector('[data-testid="reader"]').getBoundingClientRect();
       return reader.top >= main.bottom - 2`,
    );
    await window.picture("library-13-narrower");
    await session.resize(1280, 860);
    await session.find('[data-testid="library"]');
  });

  await window.quit();
});

/** A report long enough to be seen while it is read. */
function longReport() {
  const words = "The tower keeper wrote down the wind, the light and the ships that went by in the night. ";
  const page = (number) => ({ lines: runningText([["heading", `Night ${number}`], ["text", words.repeat(24).trim()]]) });
  return pdf({ title: "Log of the Tower", pages: Array.from({ length: 400 }, (_, index) => page(index + 1)) });
}
