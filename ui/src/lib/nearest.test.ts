import { describe, expect, it } from "vitest";
import { lettersBefore, nearestRect } from "./nearest";

/** Two lines: a long one, and a short one under it. */
const words = [
  { left: 100, top: 100, right: 140, bottom: 112 },
  { left: 150, top: 100, right: 400, bottom: 112 },
  { left: 100, top: 116, right: 150, bottom: 128 },
];

describe("nearestRect", () => {
  it("is the word under the point", () => {
    expect(nearestRect(words, 120, 105)).toBe(0);
    expect(nearestRect(words, 300, 105)).toBe(1);
  });

  it("is the end of the line beside which the point lies, though a word of another line is closer", () => {
    expect(nearestRect(words, 155, 122)).toBe(2);
    expect(nearestRect(words, 500, 106)).toBe(1);
    expect(nearestRect(words, 20, 124)).toBe(2);
  });

  it("is nothing on an empty page", () => {
    expect(nearestRect([], 1, 1)).toBe(-1);
  });
});

describe("lettersBefore", () => {
  it("divides a word evenly and stays within it", () => {
    const word = { left: 100, top: 0, right: 150, bottom: 10 };
    expect(lettersBefore(word, 5, 121)).toBe(2);
    expect(lettersBefore(word, 5, 20)).toBe(0);
    expect(lettersBefore(word, 5, 900)).toBe(5);
    expect(lettersBefore({ ...word, right: 100 }, 5, 120)).toBe(0);
  });
});
