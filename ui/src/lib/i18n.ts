import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { isolated } from "./bidi";
import { de } from "./strings.de";
import { en } from "./strings.en";

void i18next.use(initReactI18next).init({
  lng: "en",
  fallbackLng: "en",
  resources: { en: { translation: en }, de: { translation: de } },
  // React escapes what it renders as far as HTML goes; a direction would go on in the sentence around it.
  interpolation: { escapeValue: true, escape: isolated },
});

export { i18next };
