// Files that are chosen in the system's own dialog, and encrypted files.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answerDialog, canAnswerDialogs } from "./dialogs.mjs";
import { Library } from "./pages/library.mjs";
import { Home, interactions, requirePrograms, root, Window } from "./recto.mjs";

const ENCRYPTED = join(root, "crates/recto-document/tests/document/files/user-password-aes256.pdf");
/** As the README beside it says. */
const PASSWORD = "open sesame";

test("bringing in", { timeout: 600_000 }, async (t) => {
  requirePrograms();
  if (!canAnswerDialogs) return t.skip("xdotool is not installed");
  const home = new Home();
  t.after(() => home.remove());
  const note = join(home.folder, "note.md");
  writeFileSync(note, "# A chosen note\n\nIt was chosen in a dialog.\n");

  const window = await Window.open(home);
  t.after(() => window.kill());
  const step = interactions(t, () => window);
  const { session } = window;
  const library = new Library(session);
  await library.isShown();

  await step("Ctrl+O asks for files and adds them", async () => {
    await session.press("Control+o");
    await answerDialog("Add files", note);
    await library.rowWithState("A chosen note", "ready");
  });

  await step("an encrypted file says that it needs a password; a wrong one is refused, the right one opens it", async () => {
    await library.drop([ENCRYPTED]);
    await library.rowWithState("user-password-aes256", "needs_password");
    const row = await session.findWithText('[data-testid="document-row"] button', "Enter it");
    await row.click();
    await session.until("the field has the focus", `return document.activeElement?.matches('[data-testid="password-form"] input')`);
    await window.picture("bringing-in-1-password");
    await session.typeText("close sesame");
    await session.press("Enter");
    await session.until("it is refused", `return /does not open/.test(document.querySelector('[data-testid="password-form"]')?.textContent ?? "")`);
    await session.typeText(PASSWORD);
    await session.press("Enter");
    await session.until("it is read", `return document.querySelectorAll('[data-testid="document-row"][data-state="ready"]').length === 2`);
    await session.press("Control+j");
    await session.isGone('[data-testid="queue-drawer"]');
    for (const entry of readdirSync(home.library, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())) {
      const kept = readFileSync(join(entry.parentPath, entry.name), "latin1");
      assert.ok(!kept.includes(PASSWORD), `the password is not kept in ${entry.name}`);
    }
  });

  await window.quit();
});
