import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sampleQuestions } from "./sample-questions";

const samples = [
  "federal-reserve-annual-report-2023.pdf",
  "opm-annual-performance-report-2017.pdf",
  "sec-solely-incidental-interpretation-2019.pdf",
];

describe("sampleQuestions", () => {
  it("offers what the samples that are there answer", () => {
    expect(sampleQuestions(samples.map((name) => `/opt/recto/samples/${name}`))).toHaveLength(4);
    expect(sampleQuestions(["C:\\Recto\\samples\\opm-annual-performance-report-2017.pdf"])).toEqual([
      expect.stringContaining("OPM"),
    ]);
  });

  it("invents nothing about a person's own documents", () => {
    expect(sampleQuestions(["/home/ann/annual-report.pdf", "/home/ann/notes.md"])).toEqual([]);
    expect(sampleQuestions([])).toEqual([]);
  });

  it("asks what the demonstration asks, of files that come with Recto", () => {
    const listed = readFileSync("../samples/questions.txt", "utf8").split("\n");
    const offered = sampleQuestions(samples);
    expect(offered.filter((question) => !listed.includes(question))).toEqual([]);
    expect(samples.filter((name) => !existsSync(`../samples/${name}`))).toEqual([]);
  });
});
