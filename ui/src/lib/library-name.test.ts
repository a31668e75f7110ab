import { describe, expect, it } from "vitest";
import { givenLibraryName } from "./library-name";

describe("givenLibraryName", () => {
  it("is the folder's name where the person chose it", () => {
    expect(givenLibraryName("/home/ann/Due diligence")).toBe("Due diligence");
    expect(givenLibraryName("C:\\Users\\ann\\Filings\\")).toBe("Filings");
  });

  it("is nothing where Recto chose the folder", () => {
    expect(givenLibraryName("/home/ann/.local/share/recto")).toBeNull();
    expect(givenLibraryName("/tmp/x/library")).toBeNull();
    expect(givenLibraryName("/home/ann/Library/Application Support/app.Recto.recto")).toBeNull();
    expect(givenLibraryName("")).toBeNull();
  });
});
