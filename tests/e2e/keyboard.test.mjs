// From the first start to an exported answer with keys alone, as the X server delivers them, and what a screen reader is told.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { promisify } from "node:util";
import { Conversation } from "./pages/conversation.mjs";
import { Library } from "./pages/library.mjs";
import { Reader } from "./pages/reader.mjs";
import { Home, interactions, isInstalled, pythonWith, requirePrograms, root, Window } from "./recto.mjs";
import { until } from "./webdriver.mjs";

const run = promisify(execFile);
const QUESTION = "Is a broker-dealer's exercise of unlimited investment discretion solely incidental to its business?";

test("with keys alone", { timeout: 900_000 }, async (t) => {
  requirePrograms();
  if (!isInstalled("xdotool")) return t.skip("xdotool is not installed");
  const home = new Home();
  t.after(() => home.remove());
  // The GTK part of the window tells the accessibility bus of itself only where this is not set.
  const spoken = await listen(t);
  const window = await Window.open(home, { environment: { NO_AT_BRIDGE: "0" } });
  t.after(() => window.kill());
  const step = interactions(t, () => window);
  const { session } = window;
  const conversation = new Conversation(session);
  const library = new Library(session);
  const reader = new Reader(session);
  await library.isShown();
  const windowNamed = async (name) => {
    const { stdout } = await run("xdotool", ["search", "--sync", "--onlyvisible", "--name", name], { timeout: 30_000 });
    return stdout.trim().split("\n").at(-1);
  };
  await run("xdotool", ["windowfocus", "--sync", await windowNamed("^Recto$")]);
  const key = (...keys) => run("xdotool", ["key", "--delay", "40", ...keys]);
  const type = (text) => run("xdotool", ["type", "--delay", "15", text]);
  // With nothing in focus the whole page is the active element, and its text holds every name.
  const focused = () =>
    session.script(
      `const { activeElement: at, body } = document; return at === body ? "" : (at.getAttribute("aria-label") ?? at.textContent.trim())`,
    );
  /** Tab, until what has the focus is named so. */
  const tabTo = async (name, backwards = false) => {
    for (let press = 0; press < 60; press++) {
      if ((await focused()).includes(name)) return;
      await key(backwards ? "shift+Tab" : "Tab");
    }
    assert.fail(`Tab never comes to ${name}`);
  };

  await step("the samples are added", async () => {
    await tabTo("Add the samples");
    await window.picture("keyboard-1-first-start");
    await key("Return");
    await library.rowWithState("Solely Incidental", "ready", 400_000);
  });

  await step("a question is asked and answered", async () => {
    await key("ctrl+l");
    await type(QUESTION);
    await window.picture("keyboard-2-question");
    await key("Return");
    await conversation.hasEnded("answered");
  });

  await step("a citation is looked at and opened, and the words are boxed", async () => {
    await key("ctrl+2");
    await tabTo("Citation 1");
    await session.find('[data-testid="chip-card"]');
    await window.picture("keyboard-3-card");
    await key("Return");
    const answer = await conversation.stored();
    const page = answer.citations.find(({ index }) => index === 1).pages[0];
    const { quote } = await reader.settledBoxes(page.number);
    assert.ok(quote.length > 0);
    await window.picture("keyboard-4-citation");
  });

  await step("the reader is left again", async () => {
    await key("Escape");
    await session.isGone('[data-testid="page-scroller"]');
    await until("the chip has the focus again", async () => (await focused()).includes("Citation 1"));
  });

  await step("the answer is saved as a file", async () => {
    await key("ctrl+2");
    await tabTo("What to do with this conversation");
    await key("Return");
    await session.find('[role="menu"]');
    await key("Down");
    await until("the entry is chosen", async () => {
      if ((await focused()).includes("Save as Markdown")) return true;
      await key("Down");
      return false;
    });
    await key("Return");
    // The system's own dialog: no part of the page, so only keys reach it.
    await run("xdotool", ["windowfocus", "--sync", await windowNamed("^Save$")]);
    const file = join(home.folder, "answer.md");
    await key("ctrl+a");
    await type(file);
    await key("Return");
    await until("the file is there", () => existsSync(file));
    const text = readFileSync(file, "utf8");
    assert.ok(text.includes(QUESTION), text);
    assert.match(text, /\[1\]/);
    assert.match(text, /References/);
  });

  await step("a screen reader is told of all of it", async () => {
    const lines = spoken.lines();
    mkdirSync(join(root, "artefacts/e2e"), { recursive: true });
    writeFileSync(join(root, "artefacts/e2e/keyboard-spoken.txt"), `${lines.join("\n")}\n`);
    if (!spoken.listens) return t.diagnostic("python3-gi with Atspi is not installed: nothing was listened to");
    const told = lines.join("\n");
    assert.match(told, /focus \| push button \| Add the samples/);
    assert.match(told, /focus \| .*(entry|text).* \| Your question/);
    assert.match(told, /focus \| push button \| Citation 1, .*PDF \d+: /);
    assert.match(told, /live \| Answering/);
    assert.match(told, /live \| Answer ready, \d+ citations?/);
  });

  await window.quit();
});

/** Listens to the accessibility bus, where the bindings for it are installed. */
async function listen(t) {
  const python = pythonWith("Atspi", "2.0");
  if (python === null) return { listens: false, lines: () => [] };
  const listener = spawn(python, [join(root, "tests/e2e/spoken.py")], { stdio: ["pipe", "pipe", "inherit"] });
  t.after(() => listener.kill());
  const lines = [];
  createInterface({ input: listener.stdout }).on("line", (line) => lines.push(line));
  const ended = new Promise((resolve) => listener.once("exit", () => resolve(false)));
  const began = until("it listens", () => lines[0] === "listening", 10_000).then(() => true);
  const listens = await Promise.race([ended, began]);
  return { listens, lines: () => lines.slice(1) };
}
