/** Keeps text of documents from turning the direction of the words around it. */

const isolateBegins = "\u2068";
const isolateEnds = "\u2069";
/** Marks that embed, override or isolate a direction, and the ones that end it. */
const directing = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * Text as it is put into a sentence. What holds marks of direction is closed in by itself, so that they end where it does;
 * all other text stays as it is.
 */
export function isolated(text: string): string {
  return directing.test(text) ? `${isolateBegins}${text}${isolateEnds}` : text;
}
