// A WebDriver session with Recto's window: the few commands of https://www.w3.org/TR/webdriver2/ that the tests use.
import { setTimeout as sleep } from "node:timers/promises";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
const PATIENCE_MS = 60_000;

export class Session {
  /** Starts `binary` through the driver at `driver` and waits for its window. */
  static async open(driver, binary) {
    const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": { binary, args: [] } } };
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

  /** Calls a command of the application as the page does. Throws its error. */
  async call(command, args = {}) {
    const body = `const done = arguments[arguments.length - 1];
      window.__TAURI_INTERNALS__.invoke(arguments[0], arguments[1])
        .then((value) => done({ value }), (error) => done({ error }));`;
    const { value, error } = await this.#post("execute/async", { script: body, args: [command, args] });
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

  /** A picture of the page as PNG, once what was last changed in it has been painted. */
  async screenshot() {
    const painted = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))";
    await this.#post("execute/async", { script: painted, args: [] });
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
