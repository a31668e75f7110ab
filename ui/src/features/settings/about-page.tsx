import { useTranslation } from "react-i18next";
import type { LibraryStatus } from "@/ipc/bindings";
import { Diagnostics } from "./diagnostics";
import { libraries } from "./libraries";
import { Fact, Section } from "./section";

/** What this is, and under which licences it comes. */
export function AboutPage({ status }: { status: LibraryStatus }) {
  const { t } = useTranslation();
  return (
    <>
      <Section title={t("app.name")}>
        <p className="font-read text-[17px] leading-6">{t("settings.aboutBody")}</p>
        <dl className="mt-3">
          <Fact name={t("settings.version")}>{status.version}</Fact>
          <Fact name={t("settings.licence")}>{t("settings.apache")}</Fact>
        </dl>
      </Section>
      <Section title={t("settings.help")}>
        <Diagnostics />
      </Section>
      <Section title={t("settings.libraries")}>
        <p className="mb-2 text-muted text-xs">{t("settings.notices")}</p>
        <dl className="columns-2 gap-8 text-xs">
          {libraries.map(({ name, licence }) => (
            <div key={name} className="flex break-inside-avoid gap-2 border-line border-b py-1">
              <dt className="min-w-0 grow truncate">{name}</dt>
              <dd className="shrink-0 text-muted">{licence}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </>
  );
}
