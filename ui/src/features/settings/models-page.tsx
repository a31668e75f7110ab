import { Lock, Send } from "lucide-react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "@/components/copy-button";
import type { LibraryStatus } from "@/ipc/bindings";
import { Fact, Section } from "./section";

/** What has to stand in `settings.toml` for answers to be written by a model. */
const example = `[model]
base_url = "http://localhost:1234/v1"
name = "qwen3-8b"
`;

/** Which models are used, where they run, and how another one is set up. */
export function ModelsPage({ status }: { status: LibraryStatus }) {
  const { t } = useTranslation();
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
        <p className="mt-2 text-muted text-xs">{t("settings.setUp", { path: status.path })}</p>
        <div className="relative mt-2">
          <pre className="overflow-x-auto rounded bg-hover px-3 py-2 font-mono text-xs leading-5">{example}</pre>
          <CopyButton text={example} className="absolute top-1 right-1" />
        </div>
      </Section>
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
