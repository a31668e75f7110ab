// Files dragged from the window of another program with the pointer: what is said before they are let go, and that they come in.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { Library } from "./pages/library.mjs";
import { harbourReport, Home, interactions, isInstalled, pythonWith, requirePrograms, root, Window } from "./recto.mjs";
import { until } from "./webdriver.mjs";

const run = promisify(execFile);
/** Where the other program's window is: beside Recto's. */
const SOURCE = { x: 1400, y: 100 };

test("files dragged from another program", { timeout: 300_000 }, async (t) => {
  requirePrograms();
  const python = pythonWith("Gtk", "3.0");
  if (!isInstalled("xdotool") || python === null) return t.skip("xdotool or python3-gi with Gtk 3 is not installed");
  const home = new Home();
  t.after(() => home.remove());
  const note = join(home.folder, "note.md");
  writeFileSync(note, "# Dragged note\n\nIt came over the edge of the window.\n");
  const window = await Window.open(home);
  t.after(() => window.kill());
  const step = interactions(t, () => window);
  const { session } = window;
  const library = new Library(session);
  await library.isShown();
  const source = spawn(python, [join(root, "tests/e2e/drag_source.py"), String(SOURCE.x), String(SOURCE.y), harbourReport, note], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => source.kill());
  await new Promise((resolve) => source.stdout.once("data", resolve));
  const mouse = (...args) => run("xdotool", args);
  const grab = async () => {
    await mouse("mousemove", String(SOURCE.x + 60), String(SOURCE.y + 60));
    await mouse("mousedown", "1");
    // In steps, as a hand moves: a drag begins only after a few pixels, and a window is entered before it is crossed.
    for (let x = SOURCE.x + 40; x >= 600; x -= 80) await mouse("mousemove", String(x), "400");
  };

  await step("are counted before they are let go", async () => {
    await until("the overlay is there", async () => {
      await grab();
      return session.has('[data-testid="drop-overlay"]');
    });
    assert.match(await session.text('[data-testid="drop-overlay"]'), /Add 2 files \(.*\) to/);
    await window.picture("drag-1-over");
  });

  await step("and are forgotten when they are taken away again", async () => {
    for (let x = 700; x <= 1340; x += 80) await mouse("mousemove", String(x), "400");
    await session.isGone('[data-testid="drop-overlay"]');
    await mouse("mouseup", "1");
  });

  await step("and come in when they are let go", async () => {
    await grab();
    await session.find('[data-testid="drop-overlay"]');
    await mouse("mouseup", "1");
    await session.isGone('[data-testid="drop-overlay"]');
    await library.rowWithState("Tide Gauges", "ready");
    await library.rowWithState("Dragged note", "ready");
    await window.picture("drag-2-dropped");
  });

  await window.quit();
});
