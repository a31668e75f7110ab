// Each interaction with citations that the window offers, in the real window, over an answer that a scripted model wrote.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pdf, runningText } from "../fixtures/pdf.mjs";
import { scriptedModel, sourceWith } from "./model.mjs";
import { Conversation } from "./pages/conversation.mjs";
import { Library } from "./pages/library.mjs";
import { Reader } from "./pages/reader.mjs";
import { harbourReport, Home, interactions, requirePrograms, Window } from "./recto.mjs";

const TIDE = "The highest tide of the year reached 4.87 metres above chart datum at Eskmouth";
const SPARE = "One spare pressure sensor should be bought and kept at the harbour office";
const COST = "Keeping the five gauges cost 41,300 crowns";
const FERRY = "must be moored at the inner wall until the warden has";
const QUESTION = "What did the harbour gauges measure and cost, and where must the ferry be moored?";

test("citations", { timeout: 600_000 }, async (t) => {
  requirePrograms();
  const home = new Home();
  t.after(() => home.remove());
  const ferry = join(home.folder, "ferry-rules.pdf");
  writeFileSync(ferry, ferryRules());
  const numbers = {};
  const model = await scriptedModel(t, (prompt) => {
    for (const [name, words] of Object.entries({ tide: TIDE, spare: SPARE, cost: COST, ferry: FERRY })) {
      numbers[name] = Number(sourceWith(prompt, words));
    }
    return (
      `Of all the harbours Eskmouth had the highest tide of the year above chart datum [${numbers.tide}]. ` +
      `The report says: “${SPARE}” [${numbers.spare}]. ` +
      `Keeping the five gauges cost 99,999 crowns [${numbers.cost}].\n\n` +
      `In a gale the ferry “${FERRY}” said otherwise [${numbers.ferry}].\n`
    );
  }, { pauseMs: 60 });

  const window = await Window.open(home);
  t.after(() => window.kill());
  const step = interactions(t, () => window);
  const { session } = window;
  const conversation = new Conversation(session);
  const reader = new Reader(session);
  const library = new Library(session);
  await library.isShown();
  await session.call("set_chat_model", { model: model.settings });
  await library.drop([harbourReport, ferry]);
  await library.rowWithState("Tide Gauges", "ready");
  await library.rowWithState("Ferry Rules", "ready");

  const chip = (name) => `button[data-testid="chip-${numbers[name]}"]`;
  const style = (selector, property) =>
    session.script("return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]", selector, property);
  const card = '[data-testid="chip-card"]';
  const away = () => session.pointTo(400, 60);

  await step("a pending chip appears as its marker completes, and its verdict moves no text", async () => {
    await conversation.watchChips();
    await conversation.ask(QUESTION);
    await conversation.hasEnded("answered");
    const seen = await conversation.seenChips();
    for (const [name, number] of Object.entries(numbers)) {
      const states = seen.filter((one) => one.id === `chip-${number}`);
      assert.equal(states[0]?.state, "pending", `${name} is pending first: ${JSON.stringify(states)}`);
      assert.ok(states.length >= 2, `${name} is judged: ${JSON.stringify(states)}`);
      const [pending, judged] = [states[0], states.at(-1)];
      assert.ok(Math.abs(pending.left - judged.left) < 0.5, `${name} stays where it is`);
      assert.ok(Math.abs(pending.width - judged.width) < 0.5, `${name} stays as wide as it is`);
    }
  });

  await step("a chip has one of three states, by shape and by colour", async () => {
    const looks = {};
    for (const [name, state] of Object.entries({ spare: "verified", tide: "matched", cost: "problem" })) {
      const element = await session.find(chip(name));
      assert.equal(await element.attribute("data-state"), state, name);
      looks[state] = {
        glyph: await session.script("return document.querySelector(arguments[0]).querySelector('svg').outerHTML", chip(name)),
        ground: await style(chip(name), "backgroundColor"),
        border: await style(chip(name), "borderTopStyle"),
      };
      const box = await session.rectangle(chip(name));
      assert.ok(box.right - box.left >= 20 && box.bottom - box.top >= 20, `${name} can be hit: ${JSON.stringify(box)}`);
    }
    assert.equal(new Set(Object.values(looks).map(({ glyph }) => glyph)).size, 3, "three glyphs");
    assert.equal(new Set(Object.values(looks).map(({ ground }) => ground)).size, 3, "three grounds");
    assert.equal(looks.problem.border, "dashed");
    await window.picture("citations-1-chips");
  });

  await step("the answer shows its verdicts, and a figure that its source lacks is underlined", async () => {
    assert.match(await session.text('[data-testid="verdict-summary"]'), /2 quotes verbatim.*2 matched by meaning.*1 figure not found/);
    const figure = await session.script(
      `return [...document.querySelectorAll('[data-testid^="figure-"]')].map((one) => [one.dataset.testid, one.textContent.trim()])`,
    );
    assert.ok(figure.some(([kind, text]) => kind === "figure-missing" && text.includes("99,999")), JSON.stringify(figure));
  });

  await step("resting on a chip shows its card with the place, the quote, a crop of the page and the verdict", async () => {
    await session.hover(chip("spare"));
    await session.find(card);
    const text = await session.text(card);
    assert.match(text, /Tide Gauges/);
    assert.match(text, /p\. 4/);
    assert.ok(text.includes(SPARE), text);
    const painted = "const image = document.querySelector('[data-testid=chip-card] img'); return image?.complete && image.naturalWidth > 0";
    await session.until("the crop is painted", painted);
    assert.ok(await session.has(`${card} .page-box[data-kind="quote"]`), "the words are boxed in the crop");
    await window.picture("citations-2-card");
  });

  await step("the pointer may enter the card, and leaving takes it away", async () => {
    await session.hover(card);
    await sleep(400);
    assert.ok(await session.has(card), "it stays under the pointer");
    await away();
    await session.isGone(card);
  });

  await step("passing over a chip shows nothing", async () => {
    await session.hover(chip("tide"));
    await away();
    await sleep(400);
    assert.equal(await session.has(card), false);
  });

  await step("a focused chip shows its card, Space puts it away and Escape too", async () => {
    await session.press("Control+2");
    await session.script("document.querySelector(arguments[0]).focus()", chip("spare"));
    await session.press("Shift+Tab");
    await session.press("Tab");
    await session.find(card);
    await session.press("Escape");
    await session.isGone(card);
    await session.press("Space");
    await session.find(card);
    await session.press("Space");
    await session.isGone(card);
    assert.equal(await session.has('[data-testid="page-scroller"]'), false, "nothing was opened");
  });

  await step("a click opens the page with the quote boxed at a third of the height, and the answer does not move", async () => {
    const before = await session.script(`return document.querySelector('[data-testid="transcript"]').scrollTop`);
    await conversation.openCitation(numbers.tide);
    await reader.showsCitation(numbers.tide);
    const pulse = await session.until(
      "the box pulses",
      `return document.querySelector('[data-testid="box-quote"]')?.getAnimations().length > 0`,
    );
    assert.ok(pulse);
    const page = await reader.settledBoxes(4);
    const third = page.view.top + (page.view.bottom - page.view.top) / 3;
    assert.ok(Math.abs(page.quote[0].top - third) < 3, `${page.quote[0].top} is not ${third}`);
    const after = await session.script(`return document.querySelector('[data-testid="transcript"]').scrollTop`);
    assert.equal(after, before);
    assert.equal(await session.script("return document.activeElement.closest('[data-testid=reader]') !== null"), true);
    await window.picture("citations-3-open");
  });

  await step("the sentence of the open citation is marked, with a bar beside its paragraph", async () => {
    const bar = await session.script(
      `const { width, backgroundColor } = getComputedStyle(document.querySelector(arguments[0]).closest("p"), "::before");
       return { width, backgroundColor };`,
      chip("tide"),
    );
    assert.equal(bar.width, "2px");
    assert.notEqual(bar.backgroundColor, "rgba(0, 0, 0, 0)");
    const marked = await session.script(`return [...(CSS.highlights?.get("claim") ?? [])].map((range) => range.toString()).join("|")`);
    assert.match(marked, /^Of all the harbours Eskmouth had the highest tide/);
  });

  await step("] and [ walk the citations, and a digit opens its own", async () => {
    const order = await session.script(`return [...document.querySelectorAll('[data-testid^="evidence-"]')]
      .map((row) => Number(row.dataset.testid.slice("evidence-".length)))`);
    assert.equal(order.length, 4);
    await session.press(String(order[0]));
    await reader.showsCitation(order[0]);
    await session.press("]");
    await reader.showsCitation(order[1]);
    await session.press("]");
    await reader.showsCitation(order[2]);
    await session.press("[");
    await reader.showsCitation(order[1]);
    await session.press(String(numbers.spare));
    await reader.showsCitation(numbers.spare);
  });

  await step("Alt and the arrows walk the history of what was opened", async () => {
    await session.press(String(numbers.tide));
    await reader.showsCitation(numbers.tide);
    await session.press(String(numbers.cost));
    await reader.showsCitation(numbers.cost);
    await session.press("Alt+ArrowLeft");
    await reader.showsCitation(numbers.tide);
    await session.press("Alt+ArrowRight");
    await reader.showsCitation(numbers.cost);
  });

  await step("a click on the marked words goes to their claim", async () => {
    await session.press(String(numbers.spare));
    const { quote } = await reader.settledBoxes(6);
    await session.clickAt((quote[0].left + quote[0].right) / 2, (quote[0].top + quote[0].bottom) / 2);
    await session.until(
      "the chip of the claim has the focus",
      `return document.activeElement?.dataset.testid === arguments[0]`,
      `chip-${numbers.spare}`,
    );
  });

  await step("the rail has a tick for every citation in this document, and A marks them all", async () => {
    const ticks = await session.script(`return document.querySelectorAll('[data-testid="ticks"] .tick').length`);
    assert.equal(ticks, 3);
    await session.press(String(numbers.tide));
    await reader.settledBoxes(4);
    const other = '[data-testid="page-5"] [data-testid="box-other"]';
    assert.equal(await session.has(other), false);
    await session.press("a");
    await session.find(other);
    await window.picture("citations-4-all");
    const tick = await session.findWithText('[data-testid="ticks"] .tick', `Citation ${numbers.cost},`);
    await tick.click();
    await reader.showsCitation(numbers.cost);
    await session.press("a");
    await session.isGone('[data-testid="box-other"]');
  });

  await step("a quote that goes over to the next page is stepped through part by part", async () => {
    await session.press(String(numbers.ferry));
    await reader.showsCitation(numbers.ferry);
    await session.until("it has two parts", `return /1.*2/.test(document.querySelector('[data-testid="parts"]')?.textContent ?? "")`);
    await reader.settledBoxes(1);
    await window.picture("citations-5-part-1");
    await session.press(".");
    await session.until("the second is shown", `return /2.*2/.test(document.querySelector('[data-testid="parts"]')?.textContent ?? "")`);
    await reader.settledBoxes(2);
    await window.picture("citations-6-part-2");
    await session.press(",");
    await reader.settledBoxes(1);
  });

  await step("another document opens in a tab of its own, and the first is still there", async () => {
    const tabs = () => session.script(`return document.querySelectorAll('[data-testid="reader-tab"]').length`);
    assert.equal(await tabs(), 2);
    await session.press("Control+Tab");
    await session.until("the report is shown", `return document.querySelector('[data-testid="reader"] h2').textContent.includes("Tide Gauges")`);
  });

  await step("closing the reader gives the focus back to the chip", async () => {
    await conversation.openCitation(numbers.cost);
    await reader.settledBoxes(5);
    await session.press("Escape");
    await session.isGone('[data-testid="page-scroller"]');
    await session.until("the chip has it", "return document.activeElement?.dataset.testid === arguments[0]", `chip-${numbers.cost}`);
  });

  await step("the evidence is listed as cited and also read, and a click there opens it", async () => {
    const row = await session.find(`[data-testid="evidence-${numbers.spare}"]`);
    await row.click();
    await reader.showsCitation(numbers.spare);
    const fold = await session.findWithText('[data-testid="answer"] button[aria-expanded]', "Also read");
    await fold.click();
    assert.equal(await fold.attribute("aria-expanded"), "true");
  });

  await step("C copies the answer with its references, Shift+C with the quotes", async () => {
    await session.press("Control+2");
    await session.script("document.activeElement.blur()");
    await session.press("c");
    const plain = await conversation.pasted();
    assert.match(plain, /\[\d+\] .*Tide Gauges.*p\. 2/);
    await session.script("document.activeElement.blur()");
    await session.press("Shift+C");
    const quotes = await conversation.pasted();
    assert.ok(quotes.includes("The highest tide of the year reached 4.87 metres"), quotes);
  });

  await window.quit();
});

/** Two pages of rules; a sentence begins on the first and ends on the second. */
function ferryRules() {
  const filler = (words) => Array.from({ length: 8 }, (_, at) => ["text", `${at + 1}. ${words} `.repeat(4).trim()]);
  const lines = runningText([["heading", "Ferry rules"], ...filler("The ferry leaves the quay on the hour and waits for nobody.")]);
  const crossing = [
    { text: "In a gale from the north or the east the ferry must be moored at the inner wall", x: 72, y: 90, size: 11 },
  ];
  const rest = [
    { text: "until the warden has looked at the bar and said that it can be crossed. The warden", x: 72, y: 700, size: 11 },
    { text: "writes down the hour, the height of the water and the names of the boats.", x: 72, y: 685, size: 11 },
  ];
  return pdf({ title: "Ferry Rules", pages: [{ lines: [...lines, ...crossing] }, { lines: rest }] });
}
