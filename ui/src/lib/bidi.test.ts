import { expect, it } from "vitest";
import { isolated } from "./bidi";
import { i18next } from "./i18n";

it("closes in what would turn the direction of the words around it", () => {
  expect(isolated("annual\u202Efdp.exe")).toBe("\u2068annual\u202Efdp.exe\u2069");
  expect(i18next.t("undo.one", { title: "\u202Eesrever" })).toBe("“\u2068\u202Eesrever\u2069” was deleted.");
});

it("leaves all other text as it is, also what is written from the right", () => {
  for (const text of ["Net sales 2023", "دليل الموانئ", "<b>&amp;</b>", ""]) {
    expect(isolated(text)).toBe(text);
    expect(i18next.t("library.open", { title: text })).toBe(`Open ${text}`);
  }
});
