// The main job, done with keys as a person does it and without a driver, opens no internet socket.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Conversation } from "./pages/conversation.mjs";
import { harbourReport, Home, isInstalled, recto, requirePrograms, root, Window, windowBinary } from "./recto.mjs";
import { until } from "./webdriver.mjs";

const run = promisify(execFile);
const QUESTION = "What did keeping the five gauges cost?";

test("the main job opens no internet socket", { timeout: 300_000 }, async (t) => {
  requirePrograms();
  for (const tool of ["strace", "xdotool"]) {
    if (!isInstalled(tool)) return t.skip(`${tool} is not installed`);
  }
  const home = new Home();
  t.after(() => home.remove());
  const trace = join(root, "artefacts/e2e/sockets.strace");
  mkdirSync(join(root, "artefacts/e2e"), { recursive: true });
  if (!(await canTrace(trace))) return t.skip("strace may not trace here");

  // Opened with a file, as from a file manager.
  const app = spawn("strace", ["-f", "-qq", "-e", "trace=socket", "-o", trace, windowBinary, harbourReport], {
    env: home.environment,
    stdio: ["ignore", openSync("/dev/null", "w"), "inherit"],
    detached: true,
  });
  const end = () => {
    try {
      process.kill(-app.pid, "SIGKILL");
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
  };
  t.after(end);
  const found = await run("xdotool", ["search", "--sync", "--onlyvisible", "--name", "^Recto$"], { timeout: 60_000 });
  const id = found.stdout.trim().split("\n").at(-1);
  await until(
    "the file is ready",
    async () => {
      const { documents } = await recto("--library", home.library, "--read-only", "list");
      return documents.some((document) => document.state === "ready");
    },
    180_000,
  );

  const keys = (...args) => run("xdotool", args);
  await keys("windowfocus", id);
  await keys("key", "ctrl+l");
  await keys("type", "--delay", "20", QUESTION);
  await keys("key", "Return");
  // From the question to the answer, then its first citation: until the answer is there, the keys do nothing.
  const log = join(home.folder, "data/app.recto.desktop/logs/recto.log");
  await until("the cited page is drawn", async () => {
    await keys("key", "ctrl+2");
    await keys("key", "1");
    await sleep(1000);
    return readFileSync(log, "utf8").includes("page image");
  });
  process.kill(-app.pid, "SIGTERM");
  await Promise.race([new Promise((resolve) => app.once("exit", resolve)), sleep(10_000)]);
  end();

  const sockets = readFileSync(trace, "utf8").split("\n").filter((line) => line.includes("socket("));
  assert.ok(sockets.length > 0, "the trace saw the sockets that talk to the screen and the message bus");
  assert.deepEqual(sockets.filter((line) => /AF_INET6?\b/.test(line)), [], "no internet socket");

  // It was really the main job: the answer is there.
  const window = await Window.open(home);
  t.after(() => window.kill());
  const conversation = new Conversation(window.session);
  await conversation.reopen(QUESTION);
  const answer = await conversation.stored();
  assert.equal(answer.status, "answered");
  assert.match(answer.citations[0].quote, /41,300 crowns/);
  await window.quit();
});

/** Containers may forbid tracing. */
async function canTrace(trace) {
  try {
    await run("strace", ["-f", "-qq", "-e", "trace=socket", "-o", trace, "true"]);
    return true;
  } catch {
    return false;
  }
}
