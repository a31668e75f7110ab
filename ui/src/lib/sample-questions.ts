/** Questions that the documents which come with Recto answer, each with the file the answer stands in. */
const questions: readonly { file: string; question: string }[] = [
  { file: "federal-reserve-annual-report-2023.pdf", question: "When did the FedNow Service launch?" },
  {
    file: "federal-reserve-annual-report-2023.pdf",
    question: "What was the value of Federal Reserve notes issued and outstanding at year-end 2023?",
  },
  {
    file: "sec-solely-incidental-interpretation-2019.pdf",
    question: "Is a broker-dealer's exercise of unlimited investment discretion solely incidental to its business?",
  },
  {
    file: "opm-annual-performance-report-2017.pdf",
    question: "How many retirement claims did OPM process in fiscal year 2017 to calculate the average unit cost?",
  },
];

/** The questions that the files at `uris` answer; none for a person's own files. */
export function sampleQuestions(uris: readonly string[]): string[] {
  const names = new Set(uris.map((uri) => uri.split(/[\\/]/).at(-1)));
  return questions.filter(({ file }) => names.has(file)).map(({ question }) => question);
}
