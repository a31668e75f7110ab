// A WebDriver session with Recto's window: the few commands of https://www.w3.org/TR/webdriver2/ that the tests use.
import { setTimeout as sleep } from "node:timers/promises";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
const PATIENCE_MS = 30_000;

/** Keys that are no letter, as WebDriver writes them. */
const KEYS = {
  Control: "\uE009",
  Shift: "\uE008",
  Alt: "\uE00A",
  Enter: "\uE007",
  Escape: "\uE00C",
  Tab: "\uE004",
  Space: " ",
  Home: "\uE011",
  End: "\uE010",
  PageUp: "\uE00E",
  PageDown: "\uE00F",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
  Backspace: "\uE003",
  Delete: "\uE017",
  F6: "\uE036",
};

export class Session {
  /** Starts `binary` with `args` through the driver at `driver` and waits for its window. */
  static async open(driver, binary, args = []) {
    const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": { binary, args } } };
    const { sessionId } = await send("POST", `${driver}/session`, { capabilities });
    return new Session(`${driver}/session/${sessionId}`);
  }

  constructor(address) {
    this.address = address;
  }

  /** Runs `body` in the page as a function's body and returns what it returns. */
  script(body, ...args) {
    return this.#post("execute/sync", { script: body, args });
  }

  /** The same for a body that calls its last argument with the result. */
  asyncScript(body, ...args) {
    return this.#post("execute/async", { script: body, args });
  }

  /** Runs `body` in the page again and again until it returns something true, and returns that. */
  until(what, body, ...args) {
    return until(what, () => this.script(body, ...args));
  }

  /** Calls a command of the application as the page does. Throws its error. */
  async call(command, args = {}) {
    const body = `const done = arguments[arguments.length - 1];
      window.__TAURI_INTERNALS__.invoke(arguments[0], arguments[1])
        .then((value) => done({ value }), (error) => done({ error }));`;
    const { value, error } = await this.asyncScript(body, command, args);
    if (error !== undefined) throw new Error(`${command}: ${JSON.stringify(error)}`);
    return value;
  }

  /** The first element `selector` names, once there is one. */
  async find(selector) {
    const element = await until(`there is ${selector}`, async () => {
      const found = await this.#post("elements", { using: "css selector", value: selector });
      return found[0];
    });
    return new Element(`${this.address}/element/${element[ELEMENT]}`);
  }

  /** The first of the elements `selector` names that shows `text`, or is named by it, once there is one. */
  async findWithText(selector, text) {
    const body = `return [...document.querySelectorAll(arguments[0])].find((element) =>
      (element.getAttribute("aria-label") ?? "").includes(arguments[1]) || element.textContent.includes(arguments[1])) ?? null`;
    const element = await this.until(`${selector} says ${JSON.stringify(text)}`, body, selector, text);
    return new Element(`${this.address}/element/${element[ELEMENT]}`);
  }

  /** Whether `selector` names anything at the moment. */
  has(selector) {
    return this.script("return document.querySelector(arguments[0]) !== null", selector);
  }

  /** Waits until `selector` names nothing any more. */
  isGone(selector) {
    return this.until(`there is no ${selector}`, "return document.querySelector(arguments[0]) === null", selector);
  }

  /** The text of the first element `selector` names, as it stands in the page. */
  text(selector) {
    return this.script("return document.querySelector(arguments[0])?.textContent ?? null", selector);
  }

  /** The rectangle of the first element `selector` names, in CSS pixels of the window. */
  rectangle(selector) {
    const body = `const element = document.querySelector(arguments[0]);
      if (element === null) return null;
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return { left, top, right, bottom };`;
    return this.script(body, selector);
  }

  /** Presses keys as "Control+Shift+f": all go down in this order and up in the other. */
  press(chord) {
    const keys = chord.split("+").map((name) => KEYS[name] ?? name);
    const down = keys.map((value) => ({ type: "keyDown", value }));
    const up = [...keys].reverse().map((value) => ({ type: "keyUp", value }));
    return this.#act([{ type: "key", id: "keyboard", actions: [...down, ...up] }]);
  }

  /** Types text into whatever has the focus. */
  typeText(text) {
    const actions = [...text].flatMap((value) => [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ]);
    return this.#act([{ type: "key", id: "keyboard", actions }]);
  }

  /** Moves the pointer to a place in the window. */
  pointTo(x, y) {
    return this.#point([{ x, y }]);
  }

  /** Moves the pointer over the middle of the first element `selector` names. */
  async hover(selector) {
    const { left, top, right, bottom } = await this.rectangle(selector);
    await this.pointTo((left + right) / 2, (top + bottom) / 2);
  }

  /** Clicks at a place in the window. */
  clickAt(x, y) {
    return this.#point([{ x, y }, "down", "up"]);
  }

  /** Presses the button at the first place, moves to the others and lets go. */
  drag(...places) {
    const [first, ...rest] = places;
    return this.#point([first, "down", ...rest, "up"]);
  }

  #point(steps) {
    const actions = steps.map((step) => {
      if (step === "down") return { type: "pointerDown", button: 0 };
      if (step === "up") return { type: "pointerUp", button: 0 };
      return { type: "pointerMove", x: Math.round(step.x), y: Math.round(step.y), duration: 0 };
    });
    return this.#act([{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }]);
  }

  #act(actions) {
    return this.#post("actions", { actions });
  }

  /** Gives the window a size and waits until the page has it. */
  async resize(width, height) {
    await this.#post("window/rect", { width, height });
    await this.until(
      `the window is ${width} by ${height}`,
      "return innerWidth === arguments[0] && innerHeight === arguments[1]",
      width,
      height,
    );
  }

  /** Waits until what was last changed in the page has been painted. */
  painted() {
    return this.asyncScript(
      "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))",
    );
  }

  /** A picture of the page as PNG, once what was last changed in it has been painted. */
  async screenshot() {
    await this.painted();
    return Buffer.from(await send("GET", `${this.address}/screenshot`), "base64");
  }

  async close() {
    await send("DELETE", this.address);
  }

  #post(path, body) {
    return send("POST", `${this.address}/${path}`, body);
  }
}

class Element {
  constructor(address) {
    this.address = address;
  }

  click() {
    return send("POST", `${this.address}/click`, {});
  }

  type(text) {
    return send("POST", `${this.address}/value`, { text });
  }

  text() {
    return send("GET", `${this.address}/text`);
  }

  attribute(name) {
    return send("GET", `${this.address}/attribute/${name}`);
  }
}

/** Looks again until `look` returns something true; says `what` it waited for when it never does. */
export async function until(what, look, patienceMs = PATIENCE_MS) {
  const end = Date.now() + patienceMs;
  let last;
  for (;;) {
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`waited ${patienceMs / 1000} s in vain until ${what}`, { cause: last });
    await sleep(100);
  }
}

async function send(method, url, body) {
  const response = await fetch(url, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: { "content-type": "application/json" },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
  return value;
}
