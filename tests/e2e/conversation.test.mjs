// Each interaction with the conversation, its history and what an answer can become, in the real window, over answers that a
// scripted model wrote.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { answerDialog, canAnswerDialogs } from "./dialogs.mjs";
import { scriptedModel, sourceHolding, sourceWith } from "./model.mjs";
import { Conversation } from "./pages/conversation.mjs";
import { Library } from "./pages/library.mjs";
import { Picture } from "./png.mjs";
import { harbourReport, Home, interactions, requirePrograms, root, Window } from "./recto.mjs";
import { until } from "./webdriver.mjs";

const TIDE = "The highest tide of the year reached 4.87 metres above chart datum at Eskmouth";
const COST = "Keeping the five gauges cost 41,300 crowns";
const QUESTION = "What was read at Eskmouth, and what did the gauges cost?";
const LANTERN = "A lantern was lost at the pier in the evening";
const SENTENCE = "The gauges were read at every tide and in every weather. ";

test("the conversation", { timeout: 900_000 }, async (t) => {
  requirePrograms();
  const home = new Home();
  t.after(() => home.remove());
  const notes = join(home.folder, "notes.md");
  writeFileSync(notes, `# Field notes\n\n${LANTERN}.\n`);
  let slowly = false;
  const model = await scriptedModel(t, (prompt) => (slowly ? SENTENCE.repeat(400) : answer(prompt)), { pauseMs: 20 });

  const window = await Window.open(home);
  t.after(() => window.kill());
  const step = interactions(t, () => window);
  const { session } = window;
  const conversation = new Conversation(session);
  const library = new Library(session);
  await library.isShown();
  await session.call("set_chat_model", { model: model.settings });
  await library.drop([harbourReport, notes]);
  await library.rowWithState("Tide Gauges", "ready");
  await library.rowWithState("Field notes", "ready");

  const answers = () => session.script(`return document.querySelectorAll('[data-testid="answer"]').length`);
  const choose = async (opener, entry) => {
    const menu = await session.find(opener);
    await menu.click();
    const item = await session.findWithText('[role="menuitem"]', entry);
    await item.click();
  };
  const titles = () =>
    session.script(`return [...document.querySelectorAll('[data-testid="history-item"]')].map((item) => item.textContent)`);
  /** The buttons of a conversation show while the pointer is on it. */
  const inHistory = async (button) => {
    await session.hover('[data-testid="history-item"]');
    const found = await session.findWithText('[data-testid="history"] button', button);
    await found.click();
  };

  await step("an answer is set as Markdown: with a table, code and a formula", async () => {
    await conversation.ask(QUESTION);
    await conversation.hasEnded("answered");
    const shown = await session.script(`const answer = document.querySelector('[data-testid="answer"]');
      return { cells: answer.querySelectorAll("table td").length, code: answer.querySelector("pre code")?.textContent.trim(),
        formula: answer.querySelector(".katex math, .katex-mathml math") !== null, chips: answer.querySelectorAll("button.chip").length }`);
    assert.deepEqual(shown, { cells: 4, code: "level = 4.87", formula: true, chips: 4 });
    await window.picture("conversation-1-markdown");
  });

  await step("below it stand what was searched, the time it took and the tokens it cost", async () => {
    const said = await session.text('[data-testid="coverage"]');
    assert.match(said, /Searched 2 of 2 documents; \d+ passages? read, 2 cited/);
    assert.match(said, /scripted/);
    assert.match(said, /\d s/);
    assert.match(said, /\d+ tokens read, \d+ written/);
  });

  await step("what the model saw is shown as it was sent, and can be searched", async () => {
    const open = await session.find('[data-testid="open-trace"]');
    await open.click();
    await session.find('[data-testid="trace-call"]');
    const shown = await session.text('[data-testid="trace"]');
    const sent = model.prompts.at(-1);
    const [source] = /<<<source \[\d+\][^\n]*/.exec(sent);
    assert.ok(shown.includes(QUESTION) && shown.includes(source), "the prompt stands there as the server got it");
    assert.ok(shown.includes("Keeping them cost 99,999 crowns"), "and the reply as the server gave it");
    const field = await session.find('[data-testid="trace"] input[type="search"]');
    await field.click();
    await session.typeText("99,999 crowns");
    await session.until("its place is counted", `return /^1 place$/.test(document.querySelector('[data-testid="trace"] [role="status"]').textContent.trim())`);
    await window.picture("conversation-2-trace");
    await session.press("Escape");
    await session.isGone('[data-testid="trace"]');
  });

  await step("a link shows its address and opens nothing before one has agreed", async () => {
    const before = await session.script("return location.href");
    const link = await session.findWithText('[data-testid="answer"] :is(a, button, [role="link"])', "the tide tables");
    await link.click();
    await session.until("the address is shown", `return document.querySelector('[role="alertdialog"]')?.textContent.includes("https://tides.example/tables")`);
    await window.picture("conversation-3-link");
    const cancel = await session.findWithText('[role="alertdialog"] button', "Cancel");
    await cancel.click();
    await session.isGone('[role="alertdialog"]');
    assert.equal(await session.script("return location.href"), before);
  });

  await step("it is copied as Markdown", async () => {
    await choose('[data-testid="conversation-menu"]', "Copy as Markdown");
    const copied = await conversation.pasted();
    assert.match(copied, /^# What was read at Eskmouth/);
    assert.match(copied, /### References\n\n1\. .*Tide Gauges.*p\. \d/);
  });

  const saved = async (entry, name) => {
    const file = join(home.folder, name);
    await choose('[data-testid="export-answer"]', entry);
    await answerDialog("Save", file);
    await until(`${name} is written`, () => existsSync(file) && readFileSync(file).length > 0);
    return readFileSync(file);
  };

  await step("it is saved as Markdown with numbered references", async (t) => {
    if (!canAnswerDialogs) return t.skip("xdotool is not installed");
    const text = (await saved("Save as Markdown", "answer.md")).toString("utf8");
    assert.ok(text.includes(QUESTION), text);
    assert.match(text, /\| Highest tide \| 4\.87 metres \[\d+\] \|/);
    assert.match(text, /### References/);
    assert.ok(text.includes(`${TIDE}`), "the words it rests on stand there");
  });

  await step("it is saved as a web page with its references and the cited places as pictures", async (t) => {
    if (!canAnswerDialogs) return t.skip("xdotool is not installed");
    const html = (await saved("Save as a web page", "answer.html")).toString("utf8");
    assert.match(html, /^<!doctype html>/);
    assert.doesNotMatch(html, /<script|src="(?!data:)/, "it runs nothing and loads nothing");
    const references = [...html.matchAll(/<li id="a1-(\d+)".*?<\/li>/gs)];
    assert.equal(references.length, 2);
    for (const [reference, index] of references) {
      assert.ok(html.includes(`href="#a1-${index}"`), `number ${index} leads to its reference`);
      assertMarkedPicture(Buffer.from(/data:image\/png;base64,([^"]+)/.exec(reference)[1], "base64"));
    }
  });

  await step("it is saved as a Word document with its references and the cited places as pictures", async (t) => {
    if (!canAnswerDialogs) return t.skip("xdotool is not installed");
    const { unzipSync, strFromU8 } = createRequire(join(root, "ui/package.json"))("fflate");
    const parts = unzipSync(await saved("Save as a Word document", "answer.docx"));
    const text = strFromU8(parts["word/document.xml"]).replaceAll(/<\/w:p>/g, "\n").replaceAll(/<[^>]+>/g, "");
    assert.ok(text.includes(QUESTION) && text.includes(TIDE), text);
    const pictures = Object.keys(parts).filter((name) => /^word\/media\/.*\.png$/.test(name));
    assert.equal(pictures.length, 2, Object.keys(parts).join());
    for (const name of pictures) assertMarkedPicture(Buffer.from(parts[name]));
  });

  await step("an answer that is being written is stopped, and what was written stays", async () => {
    slowly = true;
    await conversation.ask("Tell the whole story of the gauges.");
    await session.until("its text comes", `return [...document.querySelectorAll('[data-testid="answer"]')].at(-1).textContent.includes("in every weather")`);
    await session.press("Control+.");
    await conversation.hasEnded("cancelled");
    slowly = false;
    const text = await conversation.lastText();
    assert.match(text, /Stopped\. This is what had been written\./);
    const sentences = text.split(SENTENCE.trim()).length - 1;
    assert.ok(sentences >= 1 && sentences < 400, `${sentences} sentences were kept`);
    assert.equal(await session.has('[data-testid="stop"]'), false);
    await window.picture("conversation-4-stopped");
  });

  await step("a question is changed where it stands and asked again; the first answer stays", async () => {
    const before = await answers();
    await session.script(`document.querySelector('[data-testid="answer"]').scrollIntoView()`);
    const edit = await session.find('[data-testid="edit-question"]');
    await edit.click();
    await session.find('[data-testid="question-editor"]');
    await session.typeText(" Say it shortly.");
    await session.press("Enter");
    await session.until("it is asked", `return document.querySelectorAll('[data-testid="answer"]').length === arguments[0]`, before + 1);
    await conversation.hasEnded("answered");
    assert.match(await conversation.lastText(), /Say it shortly\./);
    assert.ok((await session.text('[data-testid="answer"]')).startsWith(QUESTION));
  });

  await step("a question is asked again in another way", async () => {
    const before = await answers();
    await session.script(`[...document.querySelectorAll('[data-testid="ask-again"]')].at(-1).dataset.newest = ""`);
    await session.script(`document.querySelector("[data-newest]").scrollIntoView({ block: "center" })`);
    await choose('[data-newest]', "Answer with quotes alone");
    await session.until("it is asked", `return document.querySelectorAll('[data-testid="answer"]').length === arguments[0]`, before + 1);
    await conversation.hasEnded("answered");
    assert.equal((await conversation.stored()).strategy, "quotes");
    await window.picture("conversation-5-quotes");
  });

  await step("the next question is limited to a kind of document, which its answer says", async () => {
    const limit = await session.findWithText('[data-testid="scope"] button', "Limit");
    await limit.click();
    const kind = await session.findWithText('[role="menuitemradio"]', "Markdown");
    await kind.click();
    await session.until("the scope says so", `return document.querySelector('[data-testid="scope"]').textContent.includes("Markdown")`);
    await conversation.ask("What was lost at the pier?");
    await conversation.hasEnded("answered");
    assert.match(await conversation.lastText(), /Searched 1 of 1 document/);
    const unscope = await session.findWithText('[data-testid="scope"] button', "Stop limiting to Markdown");
    await unscope.click();
    await session.until("all are asked again", `return /all 2 documents/.test(document.querySelector('[data-testid="scope"]').textContent)`);
  });

  await step("where nothing supports an answer, that is said with what to do next", async () => {
    await session.call("set_chat_model", { model: { provider: null, base_url: null, name: null, api_key_env: null, context_tokens: null } });
    await session.press("Control+n");
    await conversation.ask("Zyzzyva quokka xylophone?");
    await conversation.hasEnded("refused");
    const search = await session.findWithText('[data-testid="refusal"] button', "Search for its words");
    await window.picture("conversation-6-refused");
    await search.click();
    await session.until("its words are searched", `return document.querySelector('[data-testid="search-field"]')?.value.includes("quokka")`);
    await session.press("Escape");
    await session.isGone('[data-testid="search-pane"]');
  });

  await step("conversations are kept by day, and filtered by what was said in them", async () => {
    for (const question of ["How high was the tide?", "What did the gauges cost?", "What was lost at the pier?"]) {
      await session.press("Control+n");
      await conversation.ask(question);
      await conversation.hasEnded("answered");
    }
    await session.until("five are listed", `return document.querySelectorAll('[data-testid="history-item"]').length === 5`);
    assert.match(await session.text('[data-testid="history"]'), /^Today/);
    const filter = await session.find('input[aria-label="Filter conversations"]');
    await filter.click();
    await session.typeText("lantern");
    await session.until("those in which it was said are left", `const items = [...document.querySelectorAll('[data-testid="history-item"]')].map((item) => item.textContent);
      return items.length > 0 && items.length < 5 && items.includes("What was lost at the pier?")`);
    await window.picture("conversation-7-history");
    await session.press("Control+a");
    await session.press("Backspace");
    await session.until("all are listed", `return document.querySelectorAll('[data-testid="history-item"]').length === 5`);
  });

  await step("a conversation is renamed", async () => {
    const [title] = await titles();
    await inHistory(`Rename “${title}”`);
    await session.find('input[aria-label="Title of the conversation"]');
    await session.press("Control+a");
    await session.typeText("The lantern");
    await session.press("Enter");
    await session.until("it has its new title", `return document.querySelector('[data-testid="history-item"]').textContent === "The lantern"`);
    const [stored] = await session.call("list_conversations");
    assert.equal(stored.title, "The lantern");
  });

  await step("a conversation is deleted, and brought back", async () => {
    const before = await titles();
    await inHistory("Delete “The lantern”");
    await session.until("it is gone", `return document.querySelectorAll('[data-testid="history-item"]').length === arguments[0]`, before.length - 1);
    assert.equal((await session.call("list_conversations")).length, before.length - 1);
    await window.picture("conversation-8-deleted");
    const undo = await session.findWithText('[data-testid="undo-notice"] button', "Undo");
    await undo.click();
    await session.until("it is back", `return document.querySelectorAll('[data-testid="history-item"]').length === arguments[0]`, before.length);
    assert.deepEqual((await titles()).toSorted(), before.toSorted());
    await session.findWithText('[data-testid="answer"]', "What was lost at the pier?");
  });

  await window.quit();
});

/** What the model says of the gauges, with all that Markdown has; of the notes where it was given these alone. */
function answer(prompt) {
  // Asked what the next question of the conversation means by itself: what it says.
  if (!prompt.includes("<<<source")) return JSON.stringify({ question: /^New question: (.*)$/m.exec(prompt)[1] });
  if (sourceHolding(prompt, TIDE) === null) return `${LANTERN} [${sourceWith(prompt, LANTERN)}].`;
  const tide = sourceWith(prompt, TIDE);
  const cost = sourceWith(prompt, COST);
  return [
    `The highest tide reached 4.87 metres above chart datum at Eskmouth [${tide}]. Keeping them cost 99,999 crowns [${cost}].`,
    `| What | Figure |\n|---|---|\n| Highest tide | 4.87 metres [${tide}] |\n| Cost | 41,300 crowns [${cost}] |`,
    "The level is $h = 4.87\\,\\mathrm{m}$, as [the tide tables](https://tides.example/tables) have it, and in code:\n\n```\nlevel = 4.87\n```",
  ].join("\n\n");
}

/** A picture with words of which some are marked. */
function assertMarkedPicture(png) {
  const picture = new Picture(png);
  let marked = 0;
  let dark = 0;
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      const [red, green, blue] = picture.at(x, y);
      if (red > 200 && green > 180 && blue < 140) marked += 1;
      if (Math.max(red, green, blue) < 110) dark += 1;
    }
  }
  assert.ok(marked > 200 && dark > 100, `${marked} pixels are marked and ${dark} dark of ${picture.width} × ${picture.height}`);
}
