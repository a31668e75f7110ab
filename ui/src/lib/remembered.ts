/** Small things about this window's looks, kept between starts. Nothing of the library is kept here. */

/** What was kept under `key`; null when nothing was, or the browser keeps nothing. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`recto.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string | null): void {
  try {
    if (value === null) {
      localStorage.removeItem(`recto.${key}`);
    } else {
      localStorage.setItem(`recto.${key}`, value);
    }
  } catch {
    // Without storage the window begins with its defaults the next time.
  }
}
