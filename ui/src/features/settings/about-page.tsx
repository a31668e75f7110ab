import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";
import type { LibraryStatus } from "@/ipc/bindings";
import { sayError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
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

/** Saves what helps to find a fault. */
function Diagnostics() {
  const { t } = useTranslation();
  const { commands } = useIpc();
  const save = useMutation({ mutationFn: () => unwrap(commands.saveDiagnostics()) });
  return (
    <>
      <p className="text-muted text-xs">{t("settings.diagnosticsBody")}</p>
      <div className="mt-2 flex items-center gap-2">
        <Button onClick={() => save.mutate()} disabled={save.isPending} data-testid="save-diagnostics">
          {t("settings.diagnostics")}
        </Button>
        <span role="status" className="text-muted text-xs">
          {save.data === true && t("settings.diagnosticsSaved")}
        </span>
      </div>
      {save.isError && (
        <div className="mt-2">
          <Notice title={t("settings.diagnosticsFailed")} message={sayError(save.error)} />
        </div>
      )}
    </>
  );
}
