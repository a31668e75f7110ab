// The programs under test: where they are, a library of their own for each test, and starting and ending them.
import { execFile, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Session, until } from "./webdriver.mjs";

export const root = new URL("../..", import.meta.url).pathname;
export const harbourReport = join(root, "tests/fixtures/harbour-report.pdf");
const binaries = process.env.RECTO_BIN ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug");
export const windowBinary = join(binaries, "recto-desktop");
const artefacts = join(root, "artefacts/e2e");

/** A folder that holds everything one test's Recto writes: library, settings, logs. Nothing of the person's is touched. */
export class Home {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "recto-e2e-"));
    this.library = join(this.folder, "library");
    for (const name of ["config", "data", "cache"]) mkdirSync(join(this.folder, name));
  }

  /** The environment Recto runs in. */
  get environment() {
    return {
      ...process.env,
      RECTO_LIBRARY: this.library,
      XDG_CONFIG_HOME: join(this.folder, "config"),
      XDG_DATA_HOME: join(this.folder, "data"),
      XDG_CACHE_HOME: join(this.folder, "cache"),
      // The page is laid out the same on every screen.
      GDK_SCALE: "1",
    };
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Recto's window, driven through WebKitWebDriver. */
export class Window {
  /** `args` are given to Recto, `environment` is set for it beside what every test's Recto has. */
  static async open(home, { args = [], environment = {} } = {}) {
    const port = await freePort();
    const automation = { RECTO_E2E: "1", TAURI_AUTOMATION: "true", TAURI_WEBVIEW_AUTOMATION: "true" };
    const driver = spawn("WebKitWebDriver", [`--port=${port}`], {
      env: { ...home.environment, ...automation, ...environment },
      stdio: ["ignore", "inherit", "inherit"],
      // A process group of its own, so that the window and its helpers end with it whatever happens.
      detached: true,
    });
    const address = `http://127.0.0.1:${port}`;
    const window = new Window(driver);
    try {
      await until("the driver listens", async () => (await fetch(`${address}/status`)).ok, 10_000);
      window.session = await Session.open(address, windowBinary, args);
      return window;
    } catch (error) {
      window.kill();
      throw error;
    }
  }

  constructor(driver) {
    this.driver = driver;
  }

  /** Keeps a picture of the window under `name`, and returns it. */
  async picture(name) {
    const png = await this.session.screenshot();
    mkdirSync(artefacts, { recursive: true });
    writeFileSync(join(artefacts, `${name}.png`), png);
    return png;
  }

  /** Closes the window and waits until every process of it has ended. */
  async quit() {
    await this.session.close();
    const own = () => processesOf(this.driver.pid).filter((pid) => pid !== this.driver.pid);
    await until("the window's processes have ended", () => own().length === 0, 20_000);
    this.kill();
  }

  /** Ends whatever is left. */
  kill() {
    try {
      process.kill(-this.driver.pid, "SIGKILL");
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
  }
}

/** Names one interaction after another that `window()` is put through; keeps a picture of the window where one fails. */
export function interactions(t, window) {
  return (name, interaction) =>
    t.test(name, async (t) => {
      try {
        await interaction(t);
      } catch (error) {
        await window().picture(`failed-${name.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, 60)}`).catch(() => {});
        throw error;
      }
    });
}

/** Runs the command line program and returns its JSON. */
export async function recto(...args) {
  const { stdout } = await promisify(execFile)(join(binaries, "recto"), ["--json", ...args], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

/** Fails where a program the tests need is not there; `scripts/e2e` builds or installs it. */
export function requirePrograms() {
  for (const name of ["recto-desktop", "recto", "recto-worker"]) {
    if (!existsSync(join(binaries, name))) throw new Error(`${join(binaries, name)} is missing: run scripts/e2e`);
  }
}

export function isInstalled(tool) {
  try {
    execFileSync("sh", ["-c", `command -v ${tool}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A Python that has GTK's bindings with this part of them; null where there is none. The system's may not be the first in the path. */
export function pythonWith(part, version) {
  for (const python of ["python3", "/usr/bin/python3"]) {
    try {
      execFileSync(python, ["-c", `import gi; gi.require_version("${part}", "${version}")`], { stdio: "ignore" });
      return python;
    } catch {
      // Another one may have them.
    }
  }
  return null;
}

/** Living processes in the process group `group`. */
export function processesOf(group) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        // After the name in parentheses: state, parent, group.
        const [state, , pgrp] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop().split(" ");
        return Number(pgrp) === group && state !== "Z";
      } catch {
        return false;
      }
    });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
