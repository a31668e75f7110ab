// Add a file, ask, open the citation, come back tomorrow: in the real window, compared with what the command line says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Conversation } from "./pages/conversation.mjs";
import { Library } from "./pages/library.mjs";
import { Reader } from "./pages/reader.mjs";
import { Picture } from "./png.mjs";
import { harbourReport, Home, recto, requirePrograms, Window } from "./recto.mjs";

const QUESTION = "How high was the highest tide at Eskmouth?";

test("a cited answer opens its page with the words boxed, and is the same tomorrow", { timeout: 300_000 }, async (t) => {
  requirePrograms();
  const home = new Home();
  t.after(() => home.remove());

  let window = await Window.open(home);
  t.after(() => window.kill());
  let conversation = new Conversation(window.session);
  let reader = new Reader(window.session);
  const library = new Library(window.session);

  await library.isShown();
  await window.picture("1-empty");

  assert.equal(await library.drop([harbourReport]), 1);
  await library.rowWithState("Tide Gauges", "ready");
  await window.picture("2-ready");

  await conversation.watch();
  await conversation.ask(QUESTION);
  await conversation.streams();
  await window.picture("3-answering");
  await conversation.isAnswered();
  const lengths = await conversation.seenLengths();
  assert.ok(lengths >= 3, `the answer grew in the window: ${lengths} lengths were seen`);
  const answer = await conversation.stored();
  const citation = answer.citations[0];
  await window.picture("4-answered");
  assert.match(citation.quote, /4\.87 metres/);

  await conversation.openCitation(citation.index);
  const page = citation.pages[0];
  assert.deepEqual(page, { number: 4, label: "2" });
  const boxes = await reader.settledBoxes(page.number);
  const picture = await window.picture("5-reader");

  // What the command line finds in the file itself is where the window draws.
  const { matches } = await recto("locate", harbourReport, "--quote", citation.quote, "--page", String(page.number));
  const size = (await reader.view(citation)).pages[page.number - 1];
  const expected = matches[0].boxes.map((box) => scaled(box, boxes.page, size));
  assert.equal(boxes.quote.length, expected.length, "as many boxes as lines");
  for (const [index, box] of boxes.quote.entries()) assertNear(box, expected[index], `box ${index + 1}`);
  for (const box of boxes.quote) assertMarked(new Picture(picture), boxes.page, box);

  await window.quit();
  window = await Window.open(home);
  conversation = new Conversation(window.session);
  reader = new Reader(window.session);
  await conversation.reopen(QUESTION);
  assert.deepEqual(await conversation.stored(), answer, "the answer is the one that was given");
  await conversation.openCitation(citation.index);
  const again = await reader.settledBoxes(page.number);
  const pictureAgain = await window.picture("6-reopened");
  assert.deepEqual(relative(again), relative(boxes), "the boxes are where they were");
  for (const box of again.quote) assertMarked(new Picture(pictureAgain), again.page, box);
  await window.quit();
});

/** A box in points as the page element shows it, in CSS pixels of the window. */
function scaled(box, page, size) {
  const across = (page.right - page.left) / size.width;
  const down = (page.bottom - page.top) / size.height;
  return {
    left: page.left + box.left * across,
    top: page.top + box.top * down,
    right: page.left + box.right * across,
    bottom: page.top + box.bottom * down,
  };
}

function assertNear(box, expected, name) {
  for (const side of ["left", "top", "right", "bottom"]) {
    const off = Math.abs(box[side] - expected[side]);
    assert.ok(off <= 1, `${name}: ${side} is ${off.toFixed(2)} px off (${JSON.stringify({ box, expected })})`);
  }
}

/** The place is coloured, there are words in it, and the margin beside it has the colour of paper. */
function assertMarked(picture, page, box) {
  const ground = picture.ground(box);
  const margin = picture.ground({ ...box, left: page.left + 4, right: page.left + 24 });
  assert.deepEqual(margin, [255, 255, 255], "the margin is paper");
  const distance = Math.max(...ground.map((value, channel) => Math.abs(value - margin[channel])));
  assert.ok(distance > 24, `the words are marked: their ground is ${ground}`);
  const ink = picture.ink(box);
  assert.ok(ink > 0.02 && ink < 0.6, `there are words in the box: ${(ink * 100).toFixed(1)} % ink`);
}

/** Boxes relative to their page, in hundredths of a CSS pixel. */
function relative({ page, quote, passage }) {
  const within = (box) =>
    [box.left - page.left, box.top - page.top, box.right - page.left, box.bottom - page.top].map((edge) =>
      Math.round(edge * 100),
    );
  return { quote: quote.map(within), passage: passage.map(within) };
}
