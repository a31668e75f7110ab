import { describe, expect, it } from "vitest";
import "./i18n";
import { sizeOf } from "./bytes";

describe("sizeOf", () => {
  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1_000, "1.0 kB"],
    [3_100_000_000, "3.1 GB"],
    [210_400_000_000, "210 GB"],
    [999_960, "1.0 MB"],
    [5e15, "5,000 TB"],
  ])("%d is %s", (bytes, said) => {
    expect(sizeOf(bytes)).toBe(said);
  });
});
