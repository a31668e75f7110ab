import { Lock, Send } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import type { LibraryStatus } from "@/ipc/bindings";
import { useSettings } from "@/ipc/queries";
import { ChatModelForm } from "./chat-model-form";
import { EmbeddingForm } from "./embedding-form";
import { KeptModels } from "./kept-models";
import { RerankerForm } from "./reranker-form";
import { Fact, Section } from "./section";

/** Which models are used for what, where they run, and how others are set up. */
export function ModelsPage({ status }: { status: LibraryStatus }) {
  const { t } = useTranslation();
  const settings = useSettings().data;
  const { models, read_only: readOnly } = status;
  const form = readOnly ? undefined : settings;
  return (
    <>
      {readOnly && <p className="mb-4 text-muted text-xs">{t("settings.model.readOnly")}</p>}
      {settings !== undefined && settings.overridden_by.length > 0 && (
        <p className="mb-4 text-warn text-xs">
          {t("settings.model.overridden", { variables: settings.overridden_by.join(", ") })}
        </p>
      )}
      <Model
        title={t("settings.chatModel")}
        what={t("settings.chatModelBody")}
        // What most people come for is at hand where it is not done yet.
        opened={models.chat_model === null}
        form={form && <ChatModelForm stored={form.model} />}
      >
        <Fact name={t("settings.model.name")}>{models.chat_model ?? t("settings.noModel")}</Fact>
        {models.chat_model !== null && (
          <>
            <Fact name={t("settings.runs")}>
              <Where host={models.remote_host} />
            </Fact>
            <Fact name={t("settings.state")}>
              <span data-testid="probe">{models.probe ?? t("settings.notProbed")}</span>
            </Fact>
          </>
        )}
      </Model>
      <Model
        title={t("settings.embedding.title")}
        what={t("settings.embedding.body")}
        form={
          form && (
            <>
              <EmbeddingForm stored={form.embedding ?? {}} />
              <KeptModels current={models.embedding_model} />
            </>
          )
        }
      >
        <Fact name={t("settings.embedding.model")}>{models.embedding_model}</Fact>
        <Fact name={t("settings.runs")}>
          <Where host={models.embedding_host ?? null} />
        </Fact>
      </Model>
      <Model
        title={t("settings.reranker.title")}
        what={t("settings.reranker.body")}
        form={form && <RerankerForm stored={form.reranker ?? {}} />}
      >
        <Fact name={t("settings.model.name")}>{models.reranker ?? t("settings.reranker.unset")}</Fact>
        {models.reranker != null && (
          <Fact name={t("settings.runs")}>
            <Where host={models.reranker_host ?? null} />
          </Fact>
        )}
      </Model>
    </>
  );
}

interface ModelProps {
  title: string;
  /** What it is for, and what happens without it. */
  what: string;
  opened?: boolean;
  /** None where nothing can be set up. */
  form: ReactNode;
  children: ReactNode;
}

/** What is so about a model, and behind a button the form that changes it. */
function Model({ title, what, opened = false, form, children }: ModelProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(opened);
  return (
    <Section
      title={title}
      action={
        form && (
          <Button kind="quiet" className="-mr-2.5" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t("settings.model.keep") : t("settings.model.change")}
            <span className="sr-only">: {title}</span>
          </Button>
        )
      }
    >
      <p className="mb-1 text-muted text-xs">{what}</p>
      <dl>{children}</dl>
      {open && form && <div className="mt-3 mb-2">{form}</div>}
    </Section>
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
