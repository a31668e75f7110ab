// The system's own dialogs. They are no part of the page, so only keys that the X server delivers reach them.
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { isInstalled } from "./recto.mjs";
import { until } from "./webdriver.mjs";

const run = promisify(execFile);

/** Whether dialogs can be answered here. */
export const canAnswerDialogs = isInstalled("xdotool");

/**
 * Names `path` in the dialog with this title and agrees; the window has the keys again afterwards. A dialog that saves has a
 * field for the name, one that opens shows it on Ctrl+L.
 */
export async function answerDialog(title, path) {
  const dialog = `^${title}$`;
  await run("xdotool", ["windowfocus", "--sync", await windowNamed(dialog)]);
  if (title !== "Save") await run("xdotool", ["key", "ctrl+l"]);
  await run("xdotool", ["key", "ctrl+a"]);
  await run("xdotool", ["type", "--delay", "15", path]);
  await until(`the dialog “${title}” is gone`, async () => {
    if ((await found(dialog)).length === 0) return true;
    // The first one may only take what the dialog proposes to go on with.
    await run("xdotool", ["key", "Return"]);
    await sleep(500);
    return false;
  });
  await run("xdotool", ["windowfocus", "--sync", await windowNamed("^Recto$")]);
}

async function windowNamed(name) {
  return until(`there is a window ${name}`, async () => (await found(name)).at(-1));
}

async function found(name) {
  try {
    const { stdout } = await run("xdotool", ["search", "--onlyvisible", "--name", name]);
    return stdout.trim().split("\n").filter(Boolean);
  } catch {
    // Nothing of that name is an exit status of its own.
    return [];
  }
}
