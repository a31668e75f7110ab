import { describe, expect, it } from "vitest";
import { fitOf, matching } from "./matching";

describe("fitOf", () => {
  it("prefers the beginning of the name, then of its words, then any place", () => {
    expect(fitOf("Harbour Rail concession", "harb")).toBe(0);
    expect(fitOf("Harbour Rail concession", "conc rail")).toBe(1);
    expect(fitOf("Harbour Rail concession", "ession")).toBe(2);
    expect(fitOf("Harbour Rail concession", "harbour water")).toBeNull();
  });

  it("does not mind case and accents, and takes everything while nothing is typed", () => {
    expect(fitOf("Société Générale", "societe gen")).toBe(0);
    expect(fitOf("Anything", "")).toBe(0);
  });
});

describe("matching", () => {
  it("puts the best first and keeps the order of equals", () => {
    const names = ["Annual report 2023", "Reports", "Quarterly report"];
    expect(matching(names, (name) => name, "report")).toEqual(["Reports", "Annual report 2023", "Quarterly report"]);
  });
});
