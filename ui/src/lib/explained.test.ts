import { afterEach, describe, expect, it } from "vitest";
import { explained } from "./explained";
import { i18next } from "./i18n";

afterEach(async () => {
  await i18next.changeLanguage("en");
});

describe("what the engine reports", () => {
  const message = "The model at 127.0.0.1:11434 did not answer.";

  it("is told in its own words in English, whatever its code", () => {
    expect(explained("model_unreachable", message)).toBe(message);
    expect(explained(null, message)).toBe(message);
  });

  it("is told in the language of the window first, with what it is about behind", async () => {
    await i18next.changeLanguage("de");
    expect(explained("model_unreachable", message)).toBe(
      "Das Modell antwortet nicht. Starte seinen Server oder frage nur nach Zitaten. (The model at 127.0.0.1:11434 did not answer.)",
    );
    expect(explained("disk_full", "")).toBe(
      "Auf dem Datenträger ist nicht genug Platz. Schaffe Platz und versuche es noch einmal.",
    );
    expect(explained("invalid_argument", message)).toBe(message);
  });
});
