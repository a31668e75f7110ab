// What is to be seen on the screen, from the memory that Xvfb draws into: not what the page says of itself.
import { execFileSync } from "node:child_process";
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";

/** The screen that `bench/window/run` starts. */
export class Screen {
  constructor(folder = process.env.RECTO_SCREEN) {
    this.file = openSync(join(folder, "Xvfb_screen0"), "r");
    // The header of an X window dump: words of four bytes, the highest first.
    const header = this.#read(0, 100);
    const field = (at) => header.readUInt32BE(4 * at);
    this.pixels = field(0) + 12 * field(19);
    this.bytes = field(11) / 8;
    this.line = field(12);
    if (this.bytes !== 4) throw new Error(`the screen has ${this.bytes} bytes a pixel`);
  }

  /** The share of dark pixels in a rectangle of the screen. */
  ink({ left, top, right, bottom }) {
    const [first, last] = [Math.round(left), Math.round(right)];
    let dark = 0;
    for (let y = Math.round(top); y < Math.round(bottom); y++) {
      const row = this.#read(this.pixels + y * this.line + first * this.bytes, (last - first) * this.bytes);
      for (let at = 0; at < row.length; at += this.bytes) {
        if (Math.max(row[at], row[at + 1], row[at + 2]) < 128) dark += 1;
      }
    }
    return dark / ((last - first) * (Math.round(bottom) - Math.round(top)));
  }

  close() {
    closeSync(this.file);
  }

  #read(from, length) {
    const buffer = Buffer.alloc(length);
    readSync(this.file, buffer, 0, length, from);
    return buffer;
  }
}

/** Where on the screen the window with this title begins. */
export function originOf(title) {
  const [id] = execFileSync("xdotool", ["search", "--onlyvisible", "--name", `^${title}$`], { encoding: "utf8" }).split("\n");
  const told = execFileSync("xdotool", ["getwindowgeometry", "--shell", id], { encoding: "utf8" });
  const number = (name) => Number(new RegExp(`^${name}=(-?\\d+)`, "m").exec(told)[1]);
  return { x: number("X"), y: number("Y") };
}

/** The same rectangle of the page on the screen. */
export function onScreen({ left, top, right, bottom }, { x, y }) {
  return { left: left + x, top: top + y, right: right + x, bottom: bottom + y };
}
