import { useTranslation } from "react-i18next";
import { densities, languages, motions, themes } from "@/lib/appearance";
import { useAppearance } from "@/state/appearance";
import { ChoiceGroup } from "./choice-group";
import { Section } from "./section";

/** How the window looks and speaks. */
export function AppearancePage() {
  const { t } = useTranslation();
  const { theme, density, motion, language, choose } = useAppearance();
  return (
    <>
      <Section title={t("settings.looks")}>
        <ChoiceGroup
          legend={t("settings.theme")}
          choices={themes}
          chosen={theme}
          nameOf={(choice) => t(`settings.themes.${choice}`)}
          onChoose={(choice) => choose({ theme: choice })}
        />
        <ChoiceGroup
          legend={t("settings.density")}
          choices={densities}
          chosen={density}
          nameOf={(choice) => t(`settings.densities.${choice}`)}
          onChoose={(choice) => choose({ density: choice })}
        />
        <ChoiceGroup
          legend={t("settings.motion")}
          choices={motions}
          chosen={motion}
          nameOf={(choice) => t(`settings.motions.${choice}`)}
          onChoose={(choice) => choose({ motion: choice })}
        />
      </Section>
      <Section title={t("settings.language")}>
        <ChoiceGroup
          legend={t("settings.language")}
          choices={languages}
          chosen={language}
          nameOf={(choice) => t(`settings.languages.${choice}`)}
          onChoose={(choice) => choose({ language: choice })}
          hint={t("settings.languageHint")}
        />
      </Section>
    </>
  );
}
