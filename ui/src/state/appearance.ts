import { create } from "zustand";
import {
  type Appearance,
  densities,
  languages,
  motions,
  onSystemChange,
  showAppearance,
  spokenLanguage,
  themes,
  usualAppearance,
} from "@/lib/appearance";
import { i18next } from "@/lib/i18n";
import { recall, remember } from "@/lib/remembered";

interface AppearanceState extends Appearance {
  choose(change: Partial<Appearance>): void;
}

function recalled<Name extends keyof Appearance>(name: Name, known: readonly Appearance[Name][]): Appearance[Name] {
  return known.find((choice) => choice === recall(`appearance.${name}`)) ?? usualAppearance[name];
}

/** What was chosen last, also in an earlier start. */
export function recallAppearance(): Appearance {
  return {
    theme: recalled("theme", themes),
    density: recalled("density", densities),
    motion: recalled("motion", motions),
    language: recalled("language", languages),
  };
}

/** How the window looks and speaks. */
export const useAppearance = create<AppearanceState>()((set) => ({
  ...recallAppearance(),
  choose: (change) => {
    for (const [name, choice] of Object.entries(change)) {
      remember(`appearance.${name}`, choice);
    }
    set(change);
  },
}));

/** Shows the choices at once and whenever they, or what they follow, change. Returns what ends that. */
export function followAppearance(): () => void {
  const show = () => {
    const appearance = useAppearance.getState();
    showAppearance(appearance, document.documentElement);
    const language = spokenLanguage(appearance.language, navigator.languages);
    document.documentElement.lang = language;
    if (i18next.language !== language) {
      void i18next.changeLanguage(language);
    }
  };
  show();
  const ends = [useAppearance.subscribe(show), onSystemChange(show)];
  return () => {
    for (const end of ends) {
      end();
    }
  };
}
