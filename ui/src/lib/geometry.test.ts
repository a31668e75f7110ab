import { describe, expect, it } from "vitest";
import { boxInPercent, cropAround, renderWidth, unionOf } from "./geometry";

const letter = { width: 612, height: 792 };

describe("boxInPercent", () => {
  it("places a box by shares of the page", () => {
    expect(boxInPercent({ left: 61.2, top: 79.2, right: 306, bottom: 158.4 }, letter)).toEqual({
      left: "10%",
      top: "10%",
      width: "40%",
      height: "10%",
    });
  });

  it("clips to the page and never turns inside out", () => {
    expect(boxInPercent({ left: -10, top: 700, right: 700, bottom: 900 }, letter)).toMatchObject({
      left: "0%",
      width: "100%",
    });
    expect(boxInPercent({ left: 300, top: 10, right: 200, bottom: 5 }, letter)).toMatchObject({
      width: "0%",
      height: "0%",
    });
  });

  it.each([1, 1.25, 1.5, 1.75, 2, 2.625])("covers the same pixels of the image at a pixel ratio of %d", (ratio) => {
    const box = { left: 72.4, top: 143.7, right: 381.2, bottom: 156.1 };
    const css = { width: 629.333, height: (629.333 * letter.height) / letter.width };
    const placed = boxInPercent(box, letter);
    const device = renderWidth(css.width, ratio);
    const overlayLeft = (Number.parseFloat(placed.left) / 100) * css.width * ratio;
    const imageLeft = (box.left / letter.width) * device * ((css.width * ratio) / device);
    expect(Math.abs(overlayLeft - imageLeft)).toBeLessThan(0.01);
  });
});

describe("renderWidth", () => {
  it.each([1, 1.25, 1.5, 2, 3])("is never smaller than what is shown at a pixel ratio of %d", (ratio) => {
    for (let width = 100; width < 1800; width += 37.3) {
      const asked = renderWidth(width, ratio);
      expect(asked).toBeGreaterThanOrEqual(Math.ceil(width * ratio) - 1);
      expect(asked).toBeLessThanOrEqual(width * ratio * 1.2 + 2);
      expect(Number.isInteger(asked)).toBe(true);
    }
  });

  it("takes few steps, so that dragging a divider reuses images", () => {
    const steps = new Set(Array.from({ length: 400 }, (_, at) => renderWidth(400 + at, 1)));
    expect(steps.size).toBeLessThanOrEqual(5);
  });

  it("keeps an exact step and stops at the widest image", () => {
    expect(renderWidth(512, 2)).toBe(1024);
    expect(renderWidth(9000, 3)).toBe(6144);
  });
});

describe("cropAround", () => {
  it("is empty without boxes", () => {
    expect(cropAround([], letter)).toBeNull();
    expect(unionOf([])).toBeNull();
  });

  it.each([
    { left: 72, top: 100, right: 300, bottom: 112 },
    { left: 580, top: 780, right: 611, bottom: 791 },
    { left: 0, top: 0, right: 612, bottom: 792 },
  ])("stays on the page around %j", (box) => {
    const crop = cropAround([box], letter);
    expect(crop).not.toBeNull();
    expect(crop?.left).toBeGreaterThanOrEqual(0);
    expect(crop?.top).toBeGreaterThanOrEqual(0);
    expect(crop?.right).toBeLessThanOrEqual(letter.width);
    expect(crop?.bottom).toBeLessThanOrEqual(letter.height);
    expect(crop?.top).toBeLessThanOrEqual(box.top);
  });
});
