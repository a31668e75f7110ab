interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A line above or below is farther than it looks: who points beside a line means that line. */
const acrossLines = 4;

function outside(at: number, from: number, to: number): number {
  return at < from ? from - at : at > to ? at - to : 0;
}

/** The rectangle nearest to a point, lines before columns; -1 without any. */
export function nearestRect(rects: readonly Rect[], x: number, y: number): number {
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  rects.forEach((rect, at) => {
    const distance = outside(x, rect.left, rect.right) + acrossLines * outside(y, rect.top, rect.bottom);
    if (distance < least) {
      least = distance;
      nearest = at;
    }
  });
  return nearest;
}

/** How many of `letters` letters lie before a point in a word. */
export function lettersBefore(rect: Rect, letters: number, x: number): number {
  const width = rect.right - rect.left;
  const share = width <= 0 ? 0 : (x - rect.left) / width;
  return Math.round(Math.min(1, Math.max(0, share)) * letters);
}
