import type { LaidOutCell, LaidOutItem, LaidOutTable, Locator } from "./bindings";
import type { Block, FakeDocument, FakePage } from "./fake-pages";

/** The documents of the in-memory engine. All companies and figures in them are made up. */

const letter = { width: 612, height: 792 };
const a4 = { width: 595, height: 842 };

const filler = [
  "The accompanying statements have been prepared on the same basis as the audited annual statements and include all adjustments, consisting only of normal recurring adjustments, that management considers necessary for a fair presentation of the interim periods.",
  "Estimates are used for, among other things, allowances for doubtful accounts, inventory obsolescence, useful lives of long-lived assets, warranty obligations and the outcome of contingencies. Actual results could differ from those estimates.",
  "Segment information follows the way in which management reviews operating results and allocates resources. Transfers between segments are recorded at cost plus an agreed margin and are eliminated on consolidation.",
  "Deferred tax assets are recognised to the extent that it is more likely than not that taxable profit will be available against which the deductible differences can be used.",
  "Commitments under non-cancellable purchase agreements fall due within three years. No provision has been made for agreements whose remaining term is shorter than twelve months.",
];

function fillerBlocks(seed: number): Block[] {
  const blocks: Block[] = [{ kind: "heading", text: `Note ${seed + 1} — Basis of presentation and policies` }];
  for (let at = 0; at < 7; at += 1) {
    blocks.push({ kind: "text", text: filler[(seed + at) % filler.length] ?? "" });
  }
  return blocks;
}

function paged(
  count: number,
  size: { width: number; height: number },
  label: (number: number) => string | null,
  special: Record<number, Block[]>,
  links: Record<number, NonNullable<FakePage["links"]>> = {},
): FakePage[] {
  return Array.from({ length: count }, (_, at) => ({
    size: { number: at + 1, label: label(at + 1), ...size },
    blocks: special[at + 1] ?? fillerBlocks(at),
    links: links[at + 1] ?? [],
  }));
}

/** Numbers the items of a document without pages. */
function laidOut(items: (Partial<LaidOutItem> & { label: string; text: string })[]): LaidOutItem[] {
  return items.map((item, at) => ({ ref: `#/texts/${at}`, level: 0, table: null, place: null, ...item }));
}

/** A cell as it is written in the tables below: its text, or with what it covers. */
type Cell = string | { text: string; across?: number; down?: number; header?: boolean };

/** A table and its text: the cells one after another, a tab between cells and a line break between rows. */
function tableItem(
  rows: readonly (readonly Cell[])[],
  columns: number,
  place: Locator | null,
): Partial<LaidOutItem> & { label: string; text: string } {
  const cells: LaidOutCell[] = [];
  const taken = new Set<string>();
  let text = "";
  rows.forEach((row, rowIndex) => {
    let column = 0;
    row.forEach((written, at) => {
      const cell = typeof written === "string" ? { text: written } : written;
      while (taken.has(`${rowIndex},${column}`)) {
        column += 1;
      }
      const across = cell.across ?? 1;
      const down = cell.down ?? 1;
      for (let below = 0; below < down; below += 1) {
        for (let beside = 0; beside < across; beside += 1) {
          taken.add(`${rowIndex + below},${column + beside}`);
        }
      }
      text += at === 0 ? (rowIndex === 0 ? "" : "\n") : "\t";
      const start = [...text].length;
      text += cell.text;
      cells.push({
        row: rowIndex,
        column,
        row_span: down,
        column_span: across,
        header: cell.header ?? rowIndex === 0,
        text: cell.text,
        start,
        end: [...text].length,
      });
      column += across;
    });
  });
  const table: LaidOutTable = { rows: rows.length, columns, cells };
  return { label: "table", text, table, place };
}

function hash(name: string): string {
  let value = 2166136261;
  for (const letterOfName of name) {
    value = Math.imul(value ^ letterOfName.charCodeAt(0), 16777619) >>> 0;
  }
  return value.toString(16).padStart(8, "0").repeat(8);
}

function document(
  collection: string,
  documentId: string,
  title: string,
  file: string,
  mediaType: string,
  pages: FakePage[],
  items: LaidOutItem[] = [],
): FakeDocument {
  return {
    collection,
    documentId,
    sha256: hash(documentId),
    title,
    uri: `file:///documents/${file}`,
    mediaType,
    pages,
    items,
    tags: [],
    recognised: [],
  };
}

const meridian = document(
  "Q3 filings",
  "7c0d41a2-0001",
  "Meridian Instruments 10-Q, third quarter 2024",
  "meridian-10q-2024q3.pdf",
  "application/pdf",
  paged(
    48,
    letter,
    (number) => (number < 4 ? (["i", "ii", "iii"][number - 1] ?? null) : String(number - 3)),
    {
      1: [
        { kind: "title", text: "Meridian Instruments Corporation" },
        { kind: "heading", text: "Form 10-Q for the quarterly period ended September 28, 2024" },
        ...fillerBlocks(2).slice(1, 4),
        {
          kind: "text",
          text: "Management’s Discussion and Analysis begins on page 18. The text of this report is also at investors.meridian.example.",
        },
      ],
      21: [
        { kind: "heading", text: "Item 2. Management’s Discussion and Analysis" },
        { kind: "heading", text: "Results of operations" },
        {
          kind: "text",
          text: "Net revenue for the third quarter was $1,577 million, an increase of 15% from $1,371 million in the third quarter of 2023. The increase was driven primarily by growth in services, including calibration contracts and software subscriptions, and to a lesser extent by higher instrument volumes in Asia.",
        },
        {
          kind: "text",
          text: "Gross margin was 47.2%, compared with 45.9% a year earlier. The improvement reflects a favourable mix of services revenue and lower freight costs, partly offset by inventory charges of $11 million in the Sensing segment.",
        },
        { kind: "row", text: "In millions | Q3 2024 | Q3 2023 | Change" },
        { kind: "row", text: "Instruments | $ 842 | $ 803 | 5%" },
        { kind: "row", text: "Services | 735 | 568 | 29%" },
        { kind: "row", text: "Net revenue | $ 1,577 | $ 1,371 | 15%" },
        { kind: "heading", text: " " },
        {
          kind: "text",
          text: "Research and development expense was $203 million, or 12.9% of net revenue, compared with $188 million in the prior-year quarter, as the company continued to invest in its next generation of spectrometers.",
        },
        ...fillerBlocks(1).slice(1, 3),
      ],
      24: [
        { kind: "heading", text: "Liquidity and capital resources" },
        {
          kind: "text",
          text: "Cash, cash equivalents and short-term investments totalled $2,148 million at quarter end. Management believes that existing cash, together with cash generated by operations and the undrawn revolving facility of $750 million, will be sufficient to meet obligations for at least the next twelve months.",
        },
        {
          kind: "text",
          text: "Cash provided by operating activities was $412 million, compared with $365 million in the prior year, reflecting higher net income and improved collections.",
        },
        ...fillerBlocks(3).slice(1, 5),
      ],
    },
    {
      1: [
        { words: "page 18.", uri: null, page: 21 },
        { words: "investors.meridian.example.", uri: "https://investors.meridian.example/10q", page: null },
      ],
    },
  ),
);

const harbour = document(
  "Concessions",
  "7c0d41a2-0002",
  "Harbour Rail concession agreement",
  "harbour-rail-concession.pdf",
  "application/pdf",
  paged(62, a4, (number) => String(number), {
    17: [
      { kind: "heading", text: "Clause 14. Termination by the Authority" },
      {
        kind: "text",
        text: "14.1 The Authority may terminate this Agreement by giving not less than ninety days’ written notice if the Operator fails to meet the Service Level for three consecutive reporting periods and has not remedied the failure within the Cure Period.",
      },
      {
        kind: "text",
        text: "14.2 On termination the Operator shall transfer the Rolling Stock to the Authority free of encumbrances against payment of the Residual Value determined under Schedule 9.",
      },
      ...fillerBlocks(4).slice(1, 5),
      {
        kind: "text",
        text: "14.3 The Operator shall continue to run the Services until the date of transfer and shall",
      },
    ],
    18: [
      { kind: "text", text: "keep all safety certificates valid for a further six months." },
      ...fillerBlocks(4).slice(1, 5),
    ],
  }),
);

const northfield = document(
  "Concessions",
  "7c0d41a2-0003",
  "Northfield Water Authority annual report 2023",
  "northfield-2023.pdf",
  "application/pdf",
  paged(121, a4, (number) => (number < 3 ? null : String(number - 2)), {}),
);

const notes = document(
  "Q3 filings",
  "7c0d41a2-0004",
  "Notes from the third-quarter call",
  "call-notes.md",
  "text/markdown",
  [],
  laidOut([
    { label: "title", text: "Notes from the third-quarter call" },
    { label: "text", text: "Taken on 31 October 2024. Speakers in brackets." },
    { label: "section_header", level: 1, text: "Services" },
    {
      label: "text",
      text: "Services growth came mostly from multi-year calibration contracts signed in the spring; management called the backlog the largest in the company’s history. (CFO)",
    },
    { label: "section_header", level: 1, text: "Outlook" },
    { label: "list_item", text: "Fourth-quarter revenue of $1.60 to $1.66 billion." },
    { label: "list_item", level: 1, text: "Of that, services at least $760 million." },
    { label: "list_item", text: "Capital expenditure unchanged at $180 million." },
    {
      label: "text",
      text: "No change to the dividend. Buy-backs to resume once the revolving facility is renewed.",
    },
    { label: "section_header", level: 2, text: "How the backlog was computed" },
    { label: "code", text: "backlog = signed_contracts - recognised_revenue\nassert backlog > 0" },
    { label: "footnote", text: "Backlog is not a measure under generally accepted accounting principles." },
  ]),
);

const sites: Locator = { kind: "sheet", name: "Sites", range: "A1:D5" };
const prices: Locator = { kind: "sheet", name: "Prices", range: "A1:B3" };

const scorecard = document(
  "Concessions",
  "7c0d41a2-0005",
  "Supplier scorecard 2024",
  "supplier-scorecard-2024.xlsx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  [],
  laidOut([
    { label: "caption", text: "Deliveries on time, by site and half-year", place: sites },
    tableItem(
      [
        [
          { text: "Site", down: 2 },
          { text: "2024", across: 2 },
          { text: "Change", down: 2 },
        ],
        [
          { text: "First half", header: true },
          { text: "Second half", header: true },
        ],
        [{ text: "Harbour depot", header: true }, "91.4 %", "94.0 %", "+2.6"],
        [{ text: "Ridgeway", header: true }, "88.2 %", "83.7 %", "−4.5"],
        [{ text: "Kestrel airside", header: true }, "97.0 %", "97.1 %", "+0.1"],
      ],
      4,
      sites,
    ),
    tableItem(
      [
        ["Item", "Unit price"],
        ["Brake pad set", "€ 214.50"],
        ["Axle bearing", "€ 1,930.00"],
      ],
      2,
      prices,
    ),
  ]),
);

const others = [
  ["Q3 filings", "Albion Foods 10-Q, third quarter 2024", 39],
  ["Q3 filings", "Corvus Semiconductor 10-Q, third quarter 2024", 71],
  ["Q3 filings", "Delta & Lowe Holdings 10-Q, third quarter 2024", 84],
  ["Q3 filings", "Everline Energy 10-Q, third quarter 2024", 102],
  ["Q3 filings", "Fairmont Logistics 10-Q, third quarter 2024", 55],
  ["Concessions", "Kestrel Airport master concession", 210],
  ["Concessions", "Ridgeway toll road: financial model memorandum", 33],
] as const;

Object.assign(meridian, { tags: ["10-Q", "audited"] });
Object.assign(harbour, { tags: ["contract"] });
Object.assign(northfield, { tags: ["audited"], recognised: [4, 5, 6, 7, 8] });

/** Every document of the full library. */
export const fakeDocuments: readonly FakeDocument[] = [
  meridian,
  harbour,
  northfield,
  notes,
  scorecard,
  ...others.map(([collection, title, pages], at) =>
    document(
      collection,
      `7c0d41a2-01${String(at).padStart(2, "0")}`,
      title,
      `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.pdf`,
      "application/pdf",
      paged(pages, letter, (number) => String(number), {}),
    ),
  ),
];

/** What the scripted answer rests on. */
export const scripted = { meridian, harbour, notes, scorecard };
