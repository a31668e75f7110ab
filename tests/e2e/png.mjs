// Reads the pixels of a PNG as WebKit writes its screenshots: 8 bits a channel, RGB or RGBA, not interlaced.
import { inflateSync } from "node:zlib";

export class Picture {
  constructor(png) {
    const chunks = [];
    for (let at = 8; at < png.length; ) {
      const length = png.readUInt32BE(at);
      const kind = png.toString("latin1", at + 4, at + 8);
      const body = png.subarray(at + 8, at + 8 + length);
      if (kind === "IHDR") this.#readHeader(body);
      if (kind === "IDAT") chunks.push(body);
      at += 12 + length;
    }
    this.rows = this.#unfilter(inflateSync(Buffer.concat(chunks)));
  }

  /** `[red, green, blue]` at a place. */
  at(x, y) {
    const start = x * this.channels;
    return [...this.rows[y].subarray(start, start + 3)];
  }

  /** The colour most pixels of a rectangle have: that of the paper, where text stands on it. */
  ground({ left, top, right, bottom }) {
    const counts = new Map();
    for (let y = Math.round(top); y < Math.round(bottom); y++) {
      for (let x = Math.round(left); x < Math.round(right); x++) {
        const colour = this.at(x, y).join();
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
      }
    }
    const [colour] = [...counts].sort((a, b) => b[1] - a[1])[0];
    return colour.split(",").map(Number);
  }

  /** The share of dark pixels in a rectangle. */
  ink({ left, top, right, bottom }) {
    let dark = 0;
    let all = 0;
    for (let y = Math.round(top); y < Math.round(bottom); y++) {
      for (let x = Math.round(left); x < Math.round(right); x++) {
        all += 1;
        if (Math.max(...this.at(x, y)) < 128) dark += 1;
      }
    }
    return dark / all;
  }

  #readHeader(body) {
    this.width = body.readUInt32BE(0);
    this.height = body.readUInt32BE(4);
    const [depth, colour, , , interlace] = body.subarray(8);
    this.channels = { 2: 3, 6: 4 }[colour];
    if (depth !== 8 || interlace !== 0 || !this.channels) throw new Error(`unexpected PNG: depth ${depth}, colour ${colour}`);
  }

  #unfilter(data) {
    const { channels } = this;
    const stride = this.width * channels;
    let above = Buffer.alloc(stride);
    return Array.from({ length: this.height }, (_, y) => {
      const start = y * (stride + 1);
      const filter = data[start];
      const row = Buffer.from(data.subarray(start + 1, start + 1 + stride));
      for (let x = 0; x < stride; x++) {
        const a = x >= channels ? row[x - channels] : 0;
        const b = above[x];
        const c = x >= channels ? above[x - channels] : 0;
        row[x] += [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter];
      }
      above = row;
      return row;
    });
  }
}

function paeth(a, b, c) {
  const p = a + b - c;
  const [da, db, dc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  if (da <= db && da <= dc) return a;
  return db <= dc ? b : c;
}
