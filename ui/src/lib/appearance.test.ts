import { describe, expect, it, vi } from "vitest";
import { showAppearance, spokenLanguage, usualAppearance } from "./appearance";

describe("the language of the window", () => {
  it.each([
    ["system", ["fr-FR", "de-AT", "en"], "de"],
    ["system", ["fr-FR"], "en"],
    ["system", [], "en"],
    ["en", ["de-DE"], "en"],
    ["de", ["en-GB"], "de"],
  ] as const)("%s with %j is %s", (chosen, preferred, spoken) => {
    expect(spokenLanguage(chosen, preferred)).toBe(spoken);
  });
});

describe("the looks", () => {
  const systemSays = (dark: boolean) =>
    vi.stubGlobal("matchMedia", (query: string) => ({ matches: dark && query.includes("dark") }));

  it("follow the system until something else is chosen", () => {
    const root = document.createElement("html");
    systemSays(true);
    showAppearance(usualAppearance, root);
    expect(root.dataset).toMatchObject({ theme: "dark", motion: "full", density: "compact" });
    showAppearance({ ...usualAppearance, theme: "light", motion: "reduced", density: "roomy" }, root);
    expect(root.dataset).toMatchObject({ theme: "light", motion: "reduced", density: "roomy" });
    vi.unstubAllGlobals();
  });
});
