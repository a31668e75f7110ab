import { useMutation } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, CircleHelp } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import type { ChatModelSettings, LocalModelServer, ModelReport, SettingsView } from "@/ipc/bindings";
import { sayError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { useSetChatModel } from "@/ipc/queries";

/** Whose interface a model is reached through, with the address where settings name none. */
const providers = {
  ollama: { name: "Ollama", address: "http://localhost:11434" },
  "openai-compatible": { name: null, address: "http://localhost:1234/v1" },
  openai: { name: "OpenAI", address: "https://api.openai.com/v1" },
  anthropic: { name: "Anthropic", address: "https://api.anthropic.com" },
  gemini: { name: "Google Gemini", address: "https://generativelanguage.googleapis.com/v1beta" },
} as const;

type Provider = keyof typeof providers;

const names = Object.keys(providers) as Provider[];

/** Provider, address, name and key of the chat model: looked at before it is used, and used from the next question on. */
export function ModelForm({ settings }: { settings: SettingsView }) {
  const { t } = useTranslation();
  const { commands } = useIpc();
  const [model, setModel] = useState(settings.model);
  const check = useMutation({ mutationFn: () => unwrap(commands.probeChatModel(given(model), false)) });
  const find = useMutation({ mutationFn: () => unwrap(commands.localModelServers()) });
  const save = useSetChatModel();
  const set = (change: Partial<ChatModelSettings>) => {
    check.reset();
    save.reset();
    setModel({ ...model, ...change });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(given(model));
  };
  const provider = model.provider ?? (model.base_url ? "openai-compatible" : "");
  const failure = save.error ?? check.error ?? find.error;
  const offered = check.data?.models ?? find.data?.flatMap((server) => server.models) ?? [];
  return (
    <form onSubmit={submit} className="flex flex-col gap-2" data-testid="model-form">
      {settings.overridden_by.length > 0 && (
        <p className="text-warn text-xs">
          {t("settings.model.overridden", { variables: settings.overridden_by.join(", ") })}
        </p>
      )}
      <Field label={t("settings.model.provider")}>
        {(id) => (
          <select
            id={id}
            className={field}
            value={provider}
            onChange={({ target: { value } }) =>
              // An address alone would still mean a provider.
              set(value === "" ? { provider: null, base_url: null } : { provider: value })
            }
          >
            <option value="">{t("settings.model.none")}</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {providers[name].name ?? t("settings.model.compatible")}
              </option>
            ))}
          </select>
        )}
      </Field>
      {provider !== "" && (
        <>
          <Field label={t("settings.model.address")}>
            {(id) => (
              <input
                id={id}
                className={field}
                spellCheck={false}
                placeholder={providers[provider as Provider].address}
                value={model.base_url ?? ""}
                onChange={(event) => set({ base_url: event.target.value })}
              />
            )}
          </Field>
          <Field label={t("settings.model.name")}>
            {(id) => (
              <>
                <input
                  id={id}
                  className={field}
                  spellCheck={false}
                  list={`${id}-offered`}
                  value={model.name ?? ""}
                  onChange={(event) => set({ name: event.target.value })}
                />
                <datalist id={`${id}-offered`}>
                  {offered.map((name) => (
                    <option key={name} value={name} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
          <Field label={t("settings.model.key")} hint={t("settings.model.keyHint")}>
            {(id) => (
              <input
                id={id}
                className={field}
                spellCheck={false}
                placeholder={t("settings.model.keyUsual")}
                value={model.api_key_env ?? ""}
                onChange={(event) => set({ api_key_env: event.target.value })}
              />
            )}
          </Field>
        </>
      )}
      <div className="mt-1 flex flex-wrap items-center gap-2">
        <Button type="submit" kind="primary" disabled={save.isPending}>
          {t("settings.model.use")}
        </Button>
        <Button disabled={provider === "" || check.isPending} onClick={() => check.mutate()}>
          {check.isPending ? t("settings.model.checking") : t("settings.model.check")}
        </Button>
        <Button disabled={find.isPending} onClick={() => find.mutate()}>
          {t("settings.model.find")}
        </Button>
        {save.isSuccess && <span role="status">{t("settings.model.saved")}</span>}
      </div>
      {failure && (
        <p role="alert" className="text-warn text-xs">
          {sayError(failure)}
        </p>
      )}
      {find.data && <Servers servers={find.data} onChoose={(server) => set(chosen(server, model.name))} />}
      {check.data && <Findings report={check.data} />}
    </form>
  );
}

const field =
  "h-7 min-w-0 grow rounded border border-line bg-chrome px-2 text-xs focus-visible:outline-2 focus-visible:outline-accent";

interface FieldProps {
  label: string;
  hint?: string;
  children: (id: string) => React.ReactNode;
}

function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <label htmlFor={id} className="w-40 shrink-0 text-muted">
        {label}
      </label>
      {children(id)}
      {hint !== undefined && <p className="w-full pl-44 text-muted text-xs">{hint}</p>}
    </div>
  );
}

interface ServersProps {
  servers: LocalModelServer[];
  onChoose: (server: LocalModelServer) => void;
}

/** What answered on this machine, to be taken over with a click. */
function Servers({ servers, onChoose }: ServersProps) {
  const { t } = useTranslation();
  if (servers.length === 0) {
    return (
      <p role="status" className="text-muted text-xs">
        {t("settings.model.noServer")}
      </p>
    );
  }
  return (
    <ul aria-label={t("settings.model.found")} className="flex flex-col gap-1">
      {servers.map((server) => (
        <li key={server.base_url}>
          <Button onClick={() => onChoose(server)}>
            {t("settings.model.server", { address: server.base_url, count: server.models.length })}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** What a look at the model found, a sentence each. */
function Findings({ report }: { report: ModelReport }) {
  const { t } = useTranslation();
  return (
    <ul aria-label={t("settings.model.findings")} className="flex flex-col gap-1 text-xs" aria-live="polite">
      {report.checks.map((check) => {
        const [Glyph, tone, word] =
          check.is_well === null
            ? [CircleHelp, "text-muted", t("settings.model.unknown")]
            : check.is_well
              ? [CircleCheck, "text-accent", t("settings.model.well")]
              : [CircleAlert, "text-warn", t("settings.model.unwell")];
        return (
          <li key={check.kind} className="flex gap-1.5">
            <Glyph aria-label={word} size={14} className={`mt-0.5 shrink-0 ${tone}`} />
            <span>{check.sentence}</span>
          </li>
        );
      })}
      <li>
        {report.remote_host === null
          ? t("settings.model.staysHere")
          : t("settings.model.goesTo", { host: report.remote_host })}
        {report.key_source !== null && ` ${t("settings.model.keyFrom", { source: report.key_source })}`}
      </li>
    </ul>
  );
}

/** The settings as they are sent: nothing rather than an empty field. */
function given(model: ChatModelSettings): ChatModelSettings {
  const text = (value: string | null | undefined) => value?.trim() || null;
  const provider = text(model.provider);
  return {
    provider,
    base_url: text(model.base_url),
    name: provider === null && !text(model.base_url) ? null : text(model.name),
    api_key_env: text(model.api_key_env),
    context_tokens: model.context_tokens ?? null,
  };
}

function chosen(server: LocalModelServer, name: string | null | undefined): Partial<ChatModelSettings> {
  const has = name != null && server.models.includes(name);
  return { provider: server.provider, base_url: server.base_url, name: has ? name : (server.models[0] ?? null) };
}
