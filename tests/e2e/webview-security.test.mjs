// What the page in the window cannot do, tried in the real window.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Library } from "./pages/library.mjs";
import { Home, requirePrograms, Window } from "./recto.mjs";

test("the page can neither leave, nor open windows, nor reach the network", { timeout: 120_000 }, async (t) => {
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

  const window = await Window.open(home);
  t.after(() => window.kill());
  await new Library(window.session).isShown();
  const own = await window.session.script("return location.href");

  await window.session.script("location.href = arguments[0]", `${outside}/navigation`);
  await window.session.script("globalThis.open(arguments[0])", `${outside}/window`);
  await window.session.script("new Image().src = arguments[0]", `${outside}/image.png`);
  await window.session.script("fetch(arguments[0]).catch(() => {})", `${outside}/fetch`);
  await window.session.script("navigator.sendBeacon(arguments[0])", `${outside}/beacon`);
  await window.session.script(
    "const frame = document.createElement('iframe'); frame.src = arguments[0]; document.body.append(frame)",
    `${outside}/frame`,
  );
  await window.session.script(
    "const form = document.createElement('form'); form.action = arguments[0]; document.body.append(form); form.submit()",
    `${outside}/form`,
  );
  await sleep(1500);
  assert.deepEqual(visits, [], "nothing was reached");
  assert.equal(await window.session.script("return location.href"), own, "the page is still its own");

  const inline = `const script = document.createElement("script");
    script.textContent = "globalThis.inlineRan = true";
    document.body.append(script);
    return globalThis.inlineRan ?? false;`;
  assert.equal(await window.session.script(inline), false, "no inline script runs");
  assert.equal(await window.session.script("return typeof globalThis.__TAURI__"), "undefined");
  await assert.rejects(window.session.call("plugin:opener|open_url", { url: outside }), /not allowed|denied/);
  await assert.rejects(window.session.call("plugin:dialog|open", { options: {} }), /not allowed|denied/);
  await assert.rejects(window.session.call("open_link", { url: "file:///etc/hosts" }), /invalid_argument/);
  await window.quit();
});
