// What the measurements of the window share: starting it, ending it, frames, memory, and how values are summed up.
import { readFileSync } from "node:fs";
import { Home, processesOf, Window } from "../../tests/e2e/recto.mjs";

const ends = [];

/** Does `end` after the measurement, whatever becomes of it. */
export function after(end) {
  ends.push(end);
}

export async function endAll() {
  for (const end of ends.splice(0).reverse()) await end();
}

/** A home of its own that goes with the measurement. */
export function newHome() {
  const home = new Home();
  after(() => home.remove());
  return home;
}

export async function start(home) {
  const window = await Window.open(home);
  after(() => window.kill());
  return window;
}

/** How many processes wanted to run in the last minute. */
export function load() {
  return Number(readFileSync("/proc/loadavg", "utf8").split(" ")[0]);
}

export function spread(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share) => rounded(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]);
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), most: at(1) };
}

export function rounded(value) {
  return Math.round(value * 10) / 10;
}

/** Resident memory of the processes that show the page, MB. What they share with others counts in part. */
export function webviewMegabytes(window) {
  const group = processesOf(window.driver.pid).filter((pid) => command(pid).startsWith("WebKitWebProces"));
  if (group.length === 0) throw new Error("no process shows the page");
  const kilobytes = group.map((pid) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))[1]));
  return rounded(kilobytes.reduce((sum, each) => sum + each, 0) / 1024);
}

function command(pid) {
  return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
}

/**
 * Scrolls an element down and up again, a step in every frame, and returns how far apart the frames were, milliseconds.
 *
 * The times are those at which frames began: what makes one late shows in its distance from the one before.
 */
export const SCROLL = `
  const [selector, perSecond, seconds, done] = arguments;
  const element = document.querySelector(selector);
  const intervals = [];
  let began = null;
  let last = null;
  let direction = 1;
  const frame = (now) => {
    began ??= now;
    if (last !== null) {
      intervals.push(now - last);
      const before = element.scrollTop;
      element.scrollTop += direction * perSecond * (now - last) / 1000;
      if (element.scrollTop === before) direction = -direction;
    }
    last = now;
    if (now - began < seconds * 1000) requestAnimationFrame(frame);
    else done(intervals);
  };
  requestAnimationFrame(frame);`;

/** Frame intervals, and the share of them that a person sees as a stutter. */
export function frames(intervals) {
  const late = intervals.filter((ms) => ms > 33).length;
  return { ...spread(intervals), over_33_ms: Math.round((late / intervals.length) * 1e4) / 1e4 };
}
