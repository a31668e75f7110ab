// How soon a letter typed into the question is seen: in a new conversation, in one of two hundred messages, while an answer to
// it is being written, and while files are read.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { scriptedModel, sourceWith } from "../../tests/e2e/model.mjs";
import { Conversation } from "../../tests/e2e/pages/conversation.mjs";
import { Library } from "../../tests/e2e/pages/library.mjs";
import { pdf, runningText } from "../../tests/fixtures/pdf.mjs";
import { harbourReport } from "../../tests/e2e/recto.mjs";
import { after, frames, newHome, SCROLL, spread, start } from "./common.mjs";

const ANSWERS = 100;
const WORDS = "how high was the tide at the mole in the gale of march";
const TIDE = "The highest tide of the year reached 4.87 metres above chart datum at Eskmouth";
const SENTENCE = "The gauges were read at every tide, and in every weather. ";

export async function typing() {
  const home = newHome();
  const model = await scriptedModel({ after }, said, { pauseMs: 25 });
  const quick = await scriptedModel({ after }, said, { pauseMs: 0 });
  const window = await start(home);
  const { session } = window;
  const conversation = new Conversation(session);
  const library = new Library(session);
  await library.isShown();
  await session.call("set_chat_model", { model: quick.settings });
  await library.drop([harbourReport]);
  await library.rowWithState("Tide Gauges", "ready");
  const fresh = await typed(session);

  const id = await session.asyncScript(ASK, "How high was the tide?", null);
  for (let answer = 1; answer < ANSWERS; answer++) await session.asyncScript(ASK, `How high was the tide on day ${answer}?`, id);
  await conversation.reopen("How high was the tide?");
  await session.until("all answers are shown", `return document.querySelectorAll('[data-testid="answer"]').length === ${ANSWERS}`);
  await session.asyncScript("setTimeout(arguments[0], 2000)");
  const long = await typed(session);
  const scrolled = frames(await session.asyncScript(SCROLL, '[data-testid="transcript"]', 3_000, 10));

  await session.call("set_chat_model", { model: model.settings });
  await conversation.ask("Tell the whole story of the gauges.");
  await session.until("it is being written", `return [...document.querySelectorAll('[data-testid="answer"]')].at(-1).textContent.includes("in every weather")`);
  const streaming = await typed(session);
  const stillStreams = await session.has('[data-testid="stop"]');
  await session.press("Control+.");
  await conversation.hasEnded("cancelled");

  const file = join(home.folder, "long.pdf");
  writeFileSync(file, longReport());
  await library.drop([file]);
  await session.until("it is being read", `return document.querySelector('[data-testid="document-row"][data-state="reading"], [data-testid="document-row"][data-state="indexing"], [data-testid="document-row"][data-state="embedding"]') !== null`);
  const ingesting = await typed(session);
  const stillReads = (await session.call("queue")).jobs.length > 0;
  await window.quit();
  if (!stillStreams) throw new Error("the answer was written before the letters were");
  if (!stillReads) throw new Error("the file was read before the letters were written");
  return { messages: 2 * ANSWERS, letters: WORDS.length, key_to_painted_ms: { new: fresh, long, streaming, ingesting }, scroll_frames_ms: scrolled };
}

function said(prompt) {
  if (prompt.includes("whole story")) return SENTENCE.repeat(400);
  const source = sourceWith(prompt, TIDE);
  return [
    `The highest tide reached 4.87 metres above chart datum at Eskmouth [${source}].`,
    `| What | Figure |\n|---|---|\n| Highest tide | 4.87 metres [${source}] |`,
    `- It was read at the mole [${source}].\n- It was written down by the **harbour master**.`,
  ].join("\n\n");
}

/** Types the words as keys and returns how long each took from the key to the frame that shows it. */
async function typed(session) {
  await session.press("Control+l");
  await session.script(WATCH_KEYS);
  for (const letter of WORDS) {
    await session.typeText(letter);
    await session.asyncScript("setTimeout(arguments[0], 40)");
  }
  const times = await session.script("return globalThis.keyTimes");
  await session.press("Control+a");
  await session.press("Backspace");
  if (times.length < WORDS.length) throw new Error(`${times.length} of ${WORDS.length} letters were seen`);
  return spread(times);
}

const WATCH_KEYS = `
  globalThis.keyTimes = [];
  globalThis.unwatchKeys?.();
  const field = document.querySelector('[data-testid="composer"]');
  let began = 0;
  const onKey = () => { began = performance.now(); };
  const onInput = () => requestAnimationFrame(() => setTimeout(() => globalThis.keyTimes.push(performance.now() - began)));
  document.addEventListener("keydown", onKey, true);
  field.addEventListener("input", onInput);
  globalThis.unwatchKeys = () => {
    document.removeEventListener("keydown", onKey, true);
    field.removeEventListener("input", onInput);
  };`;

/** Asks a question as the window does, and returns the conversation when it is answered. */
const ASK = `
  const [question, conversation, done] = arguments;
  const { invoke, transformCallback } = window.__TAURI_INTERNALS__;
  let id = conversation;
  const channel = transformCallback((sent) => {
    if (sent.message?.type === "started") id = sent.message.conversation_id;
    if ("end" in sent) done(id);
  });
  const request = { question, strategy: "passages", model: null, scope: {}, conversation_id: conversation };
  invoke("ask", { request, onEvent: "__CHANNEL__:" + channel });`;

/** Takes longer to be read than the letters take to be typed. */
function longReport() {
  const words = "The tower keeper wrote down the wind, the light and the ships that went by in the night. ";
  const page = (number) => ({ lines: runningText([["heading", `Night ${number}`], ["text", words.repeat(24).trim()]]) });
  return pdf({ title: "Log of the Tower", pages: Array.from({ length: 400 }, (_, index) => page(index + 1)) });
}
