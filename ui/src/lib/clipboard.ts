/** Puts text on the clipboard. Returns whether it is there. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelecting(text);
  }
}

/** For a webview that gives a page no clipboard: what is selected in a field can still be copied. */
function copyBySelecting(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.setAttribute("aria-hidden", "true");
  field.style.cssText = "position:fixed;opacity:0";
  document.body.append(field);
  field.select();
  const done = document.execCommand?.("copy") ?? false;
  field.remove();
  if (focused instanceof HTMLElement) {
    focused.focus({ preventScroll: true });
  }
  return done;
}
