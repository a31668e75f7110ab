import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { de } from "./strings.de";
import { en } from "./strings.en";

/** Every string by its full key. */
function flat(strings: object, prefix = ""): Record<string, string> {
  return Object.fromEntries(
    Object.entries(strings).flatMap(([name, value]) => {
      const key = prefix === "" ? name : `${prefix}.${name}`;
      return typeof value === "string" ? [[key, value]] : Object.entries(flat(value, key));
    }),
  );
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? "").sort();
}

const english = flat(en);
const german = flat(de);

/** The same in both languages: names, measures, and the collection that the shell makes by this name. */
const alike =
  /^(app\.name|library\.firstCollection|library\.fact\.hash|queue\.strip|queue\.stages|ask\.took|evidence\.pdfPage|reader\.(zoom|pageUnlabelled)|scope\.kinds|settings\.(languages|apache)|keys\.names)/;

describe("the two languages", () => {
  it("have the same keys", () => {
    expect(Object.keys(german)).toEqual(Object.keys(english));
  });

  it("fill in the same places", () => {
    const different = Object.keys(english).filter(
      (key) => placeholders(english[key] ?? "").join() !== placeholders(german[key] ?? "").join(),
    );
    expect(different).toEqual([]);
  });

  it("leave nothing empty or untranslated", () => {
    expect(Object.keys(german).filter((key) => german[key]?.trim() === "")).toEqual([]);
    expect(Object.keys(german).filter((key) => german[key] === english[key] && !alike.test(key))).toEqual([]);
  });

  it("use their own quotation marks and dots", () => {
    expect(Object.keys(german).filter((key) => /[“][^„]*[”]|\w…/.test(german[key] ?? ""))).toEqual([]);
    expect(Object.keys(english).filter((key) => /„|\s…/.test(english[key] ?? ""))).toEqual([]);
  });
});

it("no string is there for nothing", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/strings\.|\.test\./.test(file))
    .map((file) => readFileSync(join("src", file), "utf8"))
    .join("\n");
  const isUsed = (key: string) => {
    const plain = key.replace(/_(one|other)$/, "");
    const parts = plain.split(".");
    // Named in full, or the last part filled in: `state.${document.state}`.
    return (
      sources.includes(`"${plain}"`) ||
      parts.some((_, at) => at > 0 && sources.includes(`\`${parts.slice(0, at).join(".")}.\${`))
    );
  };
  expect(Object.keys(english).filter((key) => !isUsed(key))).toEqual([]);
});
