import type { Locator, PageName } from "@/ipc/bindings";
import { i18next } from "./i18n";

/** `p. 371 · PDF 7`; `PDF 7` where nothing is printed. Ranges keep both ends. */
export function pageLabel(pages: readonly PageName[]): string {
  const first = pages[0];
  const last = pages.at(-1);
  if (first === undefined || last === undefined) {
    return "";
  }
  const numbers = first.number === last.number ? `${first.number}` : `${first.number}–${last.number}`;
  const pdf = i18next.t("evidence.pdfPage", { number: numbers });
  if (first.label === null || last.label === null) {
    return pdf;
  }
  const labels = first.label === last.label ? first.label : `${first.label}–${last.label}`;
  return `${i18next.t("evidence.page", { label: labels })} · ${pdf}`;
}

/** `p. 371` or `PDF 7` for some of a document's pages, as a quotation names them; empty without pages. */
export function pageShortName(pages: readonly PageName[], numbers: readonly number[]): string {
  const first = pages.find((page) => page.number === numbers[0]);
  const last = pages.find((page) => page.number === numbers.at(-1));
  if (first === undefined || last === undefined) {
    return "";
  }
  const range = (one: string | number, other: string | number) => (one === other ? `${one}` : `${one}–${other}`);
  return first.label === null || last.label === null
    ? i18next.t("evidence.pdfPage", { number: range(first.number, last.number) })
    : i18next.t("evidence.page", { label: range(first.label, last.label) });
}

/** How a place is named to a person. */
export function placeName(locator: Locator, pages: readonly PageName[]): string {
  switch (locator.kind) {
    case "page":
      return pageLabel(locator.pages.length > 0 ? locator.pages : pages);
    case "slide":
      return i18next.t("evidence.slide", { number: locator.number });
    case "sheet":
      return `${locator.name} · ${locator.range}`;
    case "heading":
      return locator.path.at(-1) ?? "";
    case "part":
      return locator.name;
  }
}

/** Headings from the outermost to the innermost, on one line. */
export function headingPath(headings: readonly string[]): string {
  return headings.join(" › ");
}

/** The page number a person means by a printed label or `PDF 7`; labels win over positions. Null when there is none. */
export function findPage(pages: readonly PageName[], typed: string): number | null {
  const wanted = typed.trim().toLowerCase();
  if (wanted === "") {
    return null;
  }
  const position = /^pdf\s*(\d+)$/.exec(wanted)?.[1];
  if (position === undefined) {
    const printed = wanted.replace(/^p\.?\s*/, "");
    const labelled = pages.find((page) => page.label?.toLowerCase() === printed);
    if (labelled !== undefined) {
      return labelled.number;
    }
  }
  const number = Number(position ?? wanted);
  return pages.some((page) => page.number === number) ? number : null;
}

/** A number as it is written in the language of the window, with so many digits after the point. */
export function numberOf(value: number, digits = 0): string {
  return value.toLocaleString(i18next.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
