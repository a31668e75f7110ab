/** Widths of words in the generic sans-serif face, for laying invisible text over a picture of it. */

const measured = new Map<string, number>();
/** Words repeat; beyond this many the memory is begun anew. */
const most = 20_000;
const sampleSize = 100;
let context: CanvasRenderingContext2D | null | undefined;

/** A word's width at a font size of one; null where nothing can be measured. */
export function unitWidth(word: string): number | null {
  if (context === undefined) {
    context =
      typeof CanvasRenderingContext2D === "undefined" ? null : document.createElement("canvas").getContext("2d");
    if (context !== null) {
      context.font = `${sampleSize}px sans-serif`;
    }
  }
  if (context === null) {
    return null;
  }
  const known = measured.get(word);
  if (known !== undefined) {
    return known;
  }
  if (measured.size >= most) {
    measured.clear();
  }
  const width = context.measureText(word).width / sampleSize;
  measured.set(word, width);
  return width;
}
