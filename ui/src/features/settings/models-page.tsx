import { Lock, Send } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { LibraryStatus } from "@/ipc/bindings";
import { useSettings } from "@/ipc/queries";
import { ModelForm } from "./model-form";
import { Fact, Section } from "./section";

/** Which models are used, where they run, and how another one is set up. */
export function ModelsPage({ status }: { status: LibraryStatus }) {
  const { t } = useTranslation();
  const settings = useSettings();
  const { chat_model: model, remote_host: host, embedding_model: embedding, probe } = status.models;
  return (
    <>
      <Section title={t("settings.answers")}>
        <dl>
          <Fact name={t("settings.chatModel")}>{model ?? t("settings.noModel")}</Fact>
          {model !== null && (
            <Fact name={t("settings.runs")}>
              <Where host={host} />
            </Fact>
          )}
          {model !== null && (
            <Fact name={t("settings.state")}>
              <span data-testid="probe">{probe ?? t("settings.notProbed")}</span>
            </Fact>
          )}
        </dl>
        {status.read_only && <p className="mt-2 text-muted text-xs">{t("settings.model.readOnly")}</p>}
      </Section>
      {!status.read_only && settings.data && (
        <Section title={t("settings.model.title")}>
          <ModelForm settings={settings.data} />
        </Section>
      )}
      <Section title={t("settings.search")}>
        <dl>
          <Fact name={t("settings.embeddingModel")}>{embedding}</Fact>
          <Fact name={t("settings.runs")}>
            <Where host={null} />
          </Fact>
        </dl>
      </Section>
    </>
  );
}

function Where({ host }: { host: string | null }) {
  const { t } = useTranslation();
  return host === null ? (
    <span className="inline-flex items-center gap-1.5">
      <Lock aria-hidden size={12} />
      {t("settings.here")}
    </span>
  ) : (
    <span className="inline-flex items-center gap-1.5 text-warn">
      <Send aria-hidden size={12} />
      {t("settings.at", { host })}
    </span>
  );
}
