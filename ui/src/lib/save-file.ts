/** Hands a text to the person as a file, through the browser's own saving. */
export function saveTextFile(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the address after the click; it is let go of when that has surely happened.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
