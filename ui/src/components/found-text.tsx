/** A text in which what was searched for is marked, whatever its case. */
export function FoundText({ text, words }: { text: string; words: string }) {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") {
    return text;
  }
  const lower = text.toLowerCase();
  // Letters whose lower case is longer would put every later mark in the wrong place.
  if (lower.length !== text.length) {
    return text;
  }
  const pieces = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    pieces.push(
      text.slice(from, at),
      <mark key={at} data-kind="find">
        {text.slice(at, at + wanted.length)}
      </mark>,
    );
    from = at + wanted.length;
  }
  return [...pieces, text.slice(from)];
}
