/** Finding formulas in what a model writes, before it is read as Markdown. */

/** Begins the inline code that stands for a formula; from an area of Unicode that text never uses. */
const sentinel = "\u{e000}";

/** In this order: code as it is, an escaped dollar, then the four ways to write a formula. */
const pieces = new RegExp(
  [
    /(?<fence>^ {0,3}(?<ticks>`{3,}|~{3,})[^\n]*(?:\n[\s\S]*?(?:^ {0,3}\k<ticks>[`~]*[ \t]*$|(?![\s\S]))|$))/,
    /(?<code>(?<run>`+)(?!`)[\s\S]*?[^`]\k<run>(?!`))/,
    /(?<escaped>\\\$)/,
    /\$\$(?<dollars>[^$]+?)\$\$/,
    /\\\[(?<brackets>[^\n]*?(?:\n(?!\s*\n)[^\n]*?)*?)\\\]/,
    /\\\((?<parentheses>[^\n]+?)\\\)/,
    /\$(?<dollar>(?=\S)[^$\n]*?\S)\$(?!\d)/,
  ]
    .map((piece) => piece.source)
    .join("|"),
  "gmu",
);

/** A pair of brackets that only keeps a number from being a marker. */
const onlyNumbers = /^[\d,;\s–-]*$/;

/**
 * The Markdown with every formula as inline code that [`formulaIn`] knows again, so that no part of it is taken for
 * emphasis or a marker. Amounts of money stay text: between single dollars only what cannot be one is a formula.
 */
export function protectFormulas(text: string): string {
  if (!/[$\\]/.test(text)) {
    return text;
  }
  return text.replace(pieces, (whole, ...rest) => {
    const groups = rest.at(-1) as Record<string, string | undefined>;
    const { dollars, brackets, parentheses, dollar } = groups;
    if (dollars !== undefined || brackets !== undefined) {
      return asCode(whole, (dollars ?? brackets) as string, true);
    }
    if (parentheses !== undefined) {
      return asCode(whole, parentheses, false);
    }
    return dollar !== undefined && /[\\^_=]|^\p{L}$/u.test(dollar) ? asCode(whole, dollar, false) : whole;
  });
}

function asCode(whole: string, formula: string, display: boolean): string {
  const line = formula.replace(/\s+/g, " ").trim();
  return line === "" || line.includes("`") || onlyNumbers.test(line)
    ? whole
    : `\`${sentinel}${display ? "d" : "i"}${line}\``;
}

export interface Formula {
  /** As TeX. */
  source: string;
  /** On a line of its own. */
  display: boolean;
}

/** The formula that inline code stands for; null when it is code. */
export function formulaIn(code: string): Formula | null {
  return code.startsWith(sentinel) ? { source: code.slice(2), display: code[1] === "d" } : null;
}

/** How a formula is drawn: as MathML alone, nothing that loads or links to anything, and nothing that grows without end. */
export function formulaOptions({ display }: Formula) {
  return {
    displayMode: display,
    output: "mathml",
    strict: "ignore",
    trust: false,
    maxSize: 20,
    maxExpand: 300,
  } as const;
}
