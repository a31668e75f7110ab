/** How the window looks and speaks: what can be chosen, and how a choice comes to be seen. */

export const themes = ["system", "light", "dark"] as const;
export const densities = ["compact", "roomy"] as const;
export const motions = ["system", "reduced"] as const;
export const languages = ["system", "en", "de"] as const;

export type Theme = (typeof themes)[number];
export type Density = (typeof densities)[number];
export type Motion = (typeof motions)[number];
export type Language = (typeof languages)[number];

export interface Appearance {
  theme: Theme;
  density: Density;
  motion: Motion;
  language: Language;
}

export const usualAppearance: Appearance = {
  theme: "system",
  density: "compact",
  motion: "system",
  language: "system",
};

const darkSystem = "(prefers-color-scheme: dark)";
const stillSystem = "(prefers-reduced-motion: reduce)";

function matches(query: string): boolean {
  return globalThis.matchMedia?.(query).matches ?? false;
}

/** The language of the window: the one that was chosen, else the first of the system's that the window speaks. */
export function spokenLanguage(chosen: Language, preferred: readonly string[]): "en" | "de" {
  if (chosen !== "system") {
    return chosen;
  }
  const known = preferred.map((tag) => tag.toLowerCase().split("-")[0]).find((name) => name === "en" || name === "de");
  return known === "de" ? "de" : "en";
}

/** Writes the choices to the page's root, where the styles read them; "as the system" becomes what the system says. */
export function showAppearance(appearance: Appearance, root: HTMLElement): void {
  const { theme, motion, density } = appearance;
  root.dataset.theme = theme === "system" ? (matches(darkSystem) ? "dark" : "light") : theme;
  root.dataset.motion = motion === "reduced" || matches(stillSystem) ? "reduced" : "full";
  root.dataset.density = density;
}

/** Calls back when the system's own choice changes. Returns what ends that. */
export function onSystemChange(callback: () => void): () => void {
  const queries = [darkSystem, stillSystem].map((query) => globalThis.matchMedia?.(query));
  for (const query of queries) {
    query?.addEventListener("change", callback);
  }
  return () => {
    for (const query of queries) {
      query?.removeEventListener("change", callback);
    }
  };
}
