// Every screen of the window, light and dark, small and large: kept as pictures to be looked at, checked for what stands out of
// its place, and by axe.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scriptedModel, sourceWith } from "./model.mjs";
import { Conversation } from "./pages/conversation.mjs";
import { Library } from "./pages/library.mjs";
import { Reader } from "./pages/reader.mjs";
import { harbourReport, Home, interactions, requirePrograms, root, Window } from "./recto.mjs";

const SIZES = [
  [1100, 720],
  [1600, 1000],
];
const THEMES = ["light", "dark"];
const TIDE = "The highest tide of the year reached 4.87 metres above chart datum at Eskmouth";
const COST = "Keeping the five gauges cost 41,300 crowns";

test("screens", { timeout: 900_000 }, async (t) => {
  requirePrograms();
  const home = new Home();
  t.after(() => home.remove());
  const folder = join(home.folder, "papers");
  mkdirSync(folder);
  const notes = join(folder, "notes.md");
  writeFileSync(notes, `# Field notes\n\n## Morning\n\nThe wind came from the east.\n\n| Gauge | Level |\n|---|---|\n| Eskmouth | 4.87 m |\n| Port Solan | −0.14 m |\n\n## Evening\n\n${"Nothing moved on the water. ".repeat(60)}\n`);
  const broken = join(folder, "broken.pdf");
  writeFileSync(broken, "%PDF-1.7\nthis is no PDF at all\n");
  const model = await scriptedModel(t, (prompt) => answer(prompt));

  const window = await Window.open(home);
  t.after(() => window.kill());
  const step = interactions(t, () => window);
  const { session } = window;
  const conversation = new Conversation(session);
  const library = new Library(session);
  const reader = new Reader(session);
  const axe = readFileSync(join(root, "ui/node_modules/axe-core/axe.min.js"), "utf8");

  /** Takes the pictures of what is shown and checks it. */
  const screen = (name, show) =>
    step(name, async () => {
      await show();
      const found = [];
      for (const [width, height] of SIZES) {
        await session.resize(width, height);
        for (const theme of THEMES) {
          await session.script("document.documentElement.dataset.theme = arguments[0]", theme);
          await window.picture(`screen-${name.replaceAll(" ", "-")}-${theme}-${width}`);
          if (width === SIZES[0][0]) found.push(...(await violations(session, axe)).map((line) => `${theme}: ${line}`));
        }
        const beyond = await session.script(
          "const root = document.documentElement; return [root.scrollWidth - innerWidth, root.scrollHeight - innerHeight]",
        );
        assert.deepEqual(beyond, [0, 0], "nothing stands out of the window");
      }
      assert.deepEqual(found, []);
    });

  await library.isShown();
  await screen("first start", () => session.find('[data-testid="empty-library"]'));
  await session.call("set_chat_model", { model: model.settings });
  await screen("documents and a failure", async () => {
    await library.drop([harbourReport, notes, broken]);
    await library.rowWithState("Tide Gauges", "ready");
    await library.rowWithState("Field notes", "ready");
    await library.rowWithState("broken", "damaged");
    await session.until("the notice is gone", `return document.querySelector('[data-testid="queued"]') === null`);
  });
  await screen("queue", async () => {
    await session.press("Control+j");
    await session.find('[data-testid="queue-job"]');
  });
  await session.press("Control+j");
  await screen("answer", async () => {
    await conversation.ask("What was read at Eskmouth, and how many crowns were spent?");
    await conversation.hasEnded("answered");
  });
  await screen("citation card", async () => {
    await session.script(`document.querySelector('[data-testid="answer"] button.chip').focus()`);
    await session.press("Space");
    await session.find('[data-testid="chip-card"]');
    await session.until("the crop is painted", `return document.querySelector('[data-testid="chip-card"] img')?.naturalWidth > 0`);
  });
  await session.press("Escape");
  await screen("citation open", async () => {
    await session.press("Control+2");
    await session.script(`document.querySelector('[data-testid="answer"] button.chip').click()`);
    await reader.settledBoxes(4);
  });
  await screen("contents", async () => {
    await session.press("Control+3");
    await session.press("t");
    await session.find('[data-testid="contents"]');
  });
  await screen("thumbnails", async () => {
    await session.press("Shift+T");
    await session.until("they are painted", `return document.querySelector('[data-testid="thumbnail-4"] img')?.naturalWidth > 0`);
  });
  await session.press("Shift+T");
  await screen("find", async () => {
    await session.press("Control+f");
    await session.find('[data-testid="find-words"]');
    await session.typeText("gauge");
    await session.until("places are counted", `return /of/.test(document.querySelector('[data-testid="find-count"]').textContent)`);
  });
  await session.press("Escape");
  await screen("document without pages", async () => {
    await reader.open("Field notes");
    await session.find('[data-testid="laid-out"]');
  });
  await screen("search", async () => {
    await session.press("Control+Shift+f");
    await session.find('[data-testid="search-field"]');
    await session.typeText("gauge");
    await session.find('[data-testid="search-result"]');
  });
  await session.press("Escape");
  await session.isGone('[data-testid="search-pane"]');
  await screen("palette", async () => {
    await session.press("Control+k");
    await session.find('[data-testid="palette-field"]');
    await session.typeText("tide");
    await session.find('[data-testid="palette"] [role="option"]');
  });
  await session.press("Escape");
  await session.isGone('[data-testid="palette"]');
  for (const page of ["Appearance", "Models", "Library", "Privacy", "About"]) {
    await screen(`settings ${page.toLowerCase()}`, async () => {
      if (!(await session.has('[data-testid="settings"]'))) await session.press("Control+,");
      const tab = await session.findWithText('[role="tab"]', page);
      await tab.click();
      await session.find(`[data-testid="settings-${page.toLowerCase()}"]`);
    });
  }
  await session.press("Escape");
  await session.isGone('[data-testid="settings"]');
  await screen("help", async () => {
    await session.press("Control+3");
    await session.press("Shift+?");
    await session.find('[data-testid="help"]');
  });
  await session.press("Escape");
  await session.isGone('[data-testid="help"]');
  await screen("details of a document", async () => {
    await session.resize(...SIZES[0]);
    await session.hover('[data-testid="document-row"]');
    const actions = await session.findWithText('[data-testid="document-actions"]', "Field notes");
    await actions.click();
    const details = await session.findWithText('[role="menuitem"]', "Details");
    await details.click();
    await session.find('[role="dialog"]');
  });
  await session.press("Escape");
  await session.isGone('[role="dialog"]');
  await screen("no passage supports an answer", async () => {
    await session.call("set_chat_model", { model: { provider: null, base_url: null, name: null, api_key_env: null, context_tokens: null } });
    await session.press("Control+n");
    await conversation.ask("Zyzzyva quokka xylophone?");
    await conversation.hasEnded("refused");
  });

  await window.quit();
});

/** What axe finds, small things too, one line each. */
async function violations(session, axe) {
  if (!(await session.script("return typeof axe === 'object'"))) await session.script(axe);
  const found = await session.asyncScript(
    `const done = arguments[0];
     // The guards around an open menu are hidden and take the focus in order to hand it on at once.
     const context = { include: document, exclude: "[data-base-ui-focus-guard]" };
     axe.run(context, { resultTypes: ["violations"], rules: { "label-content-name-mismatch": { enabled: true } } })
       .then(({ violations }) => done(violations
         .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ": " + html.slice(0, 160) + " " + failureSummary.replace(/\\s+/g, " ").slice(0, 260)))),
         (error) => done(["axe failed: " + error]));`,
  );
  return found;
}

function answer(prompt) {
  if (!prompt.includes("<<<source")) {
    // Asked which sections of an outline are to be read: all of them.
    const relevant = [...prompt.matchAll(/^\s*\[(\d+)\]/gm)].map(([, number]) => Number(number));
    return JSON.stringify({ relevant, confidence: 1 });
  }
  return [
    `The highest tide reached 4.87 metres above chart datum at Eskmouth [${sourceWith(prompt, TIDE)}]. Keeping the gauges cost 99,999 crowns [${sourceWith(prompt, COST)}].`,
    `| What | Figure |\n|---|---|\n| Highest tide | 4.87 metres [${sourceWith(prompt, TIDE)}] |\n| Cost | 41,300 crowns [${sourceWith(prompt, COST)}] |`,
    "The level is $h = 4.87\\,\\mathrm{m}$, and in code:\n\n```\nlevel = 4.87\n```",
  ].join("\n\n");
}
