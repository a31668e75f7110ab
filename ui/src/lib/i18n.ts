import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { de } from "./strings.de";
import { en } from "./strings.en";

void i18next.use(initReactI18next).init({
  lng: "en",
  fallbackLng: "en",
  resources: { en: { translation: en }, de: { translation: de } },
  // React escapes what it renders.
  interpolation: { escapeValue: false },
});

export { i18next };
