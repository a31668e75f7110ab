/** Names that folders of a library have by default; they say nothing to a person. */
const byDefault = new Set(["", "library", "recto", "recto-library", "app.recto.recto", "app.recto.desktop"]);

/** What the person called the folder of the library at `path`; null when it has the name that Recto gave it. */
export function givenLibraryName(path: string): string | null {
  const name = path.split(/[\\/]/).filter(Boolean).at(-1) ?? "";
  return byDefault.has(name.toLowerCase()) ? null : name;
}
