import { useMutation } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, CircleHelp } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import type { LocalModelServer, ModelReport, SettingsView } from "@/ipc/bindings";
import { sayError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { useSaveSettings } from "@/ipc/queries";

interface ModelSetupProps<Settings> {
  testId: string;
  stored: Settings;
  /** The settings as they are sent: nothing rather than an empty field. */
  cleaned: (draft: Settings) => Settings;
  /** Whether there is a model to look at. */
  names: (draft: Settings) => boolean;
  probe: (settings: Settings) => Promise<ModelReport>;
  save: (settings: Settings) => Promise<SettingsView>;
  /** What a server found on this machine changes in the form; none are looked for without. */
  take?: (server: LocalModelServer, draft: Settings) => Partial<Settings>;
  /** What the button that saves says. */
  use: string;
  /** What would be sent to a host that is not this machine. */
  goesTo: (host: string) => string;
  /** The fields, with the names of the models that were seen at the server. */
  children: (draft: Settings, set: (change: Partial<Settings>) => void, offered: readonly string[]) => ReactNode;
}

/** A form for a model: looked at before it is used. */
export function ModelSetup<Settings>(props: ModelSetupProps<Settings>) {
  const { testId, stored, cleaned, names, probe, save, take, use, goesTo, children } = props;
  const { t } = useTranslation();
  const { commands } = useIpc();
  const [draft, setDraft] = useState(stored);
  const checking = useMutation({ mutationFn: () => probe(cleaned(draft)) });
  const finding = useMutation({ mutationFn: () => unwrap(commands.localModelServers()) });
  const saving = useSaveSettings(save);
  const set = (change: Partial<Settings>) => {
    checking.reset();
    saving.reset();
    setDraft({ ...draft, ...change });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(cleaned(draft));
  };
  const failure = saving.error ?? checking.error ?? finding.error;
  const offered = checking.data?.models ?? finding.data?.flatMap((server) => server.models) ?? [];
  return (
    <form onSubmit={submit} className="flex flex-col gap-2" data-testid={testId}>
      {children(draft, set, offered)}
      <div className="mt-1 flex flex-wrap items-center gap-2">
        <Button type="submit" kind="primary" disabled={saving.isPending}>
          {saving.isPending ? t("settings.model.saving") : use}
        </Button>
        <Button disabled={!names(draft) || checking.isPending} onClick={() => checking.mutate()}>
          {checking.isPending ? t("settings.model.checking") : t("settings.model.check")}
        </Button>
        {take !== undefined && (
          <Button disabled={finding.isPending} onClick={() => finding.mutate()}>
            {t("settings.model.find")}
          </Button>
        )}
        {saving.isSuccess && <span role="status">{t("settings.model.saved")}</span>}
      </div>
      {failure && (
        <p role="alert" className="text-warn text-xs">
          {sayError(failure)}
        </p>
      )}
      {finding.data && take !== undefined && (
        <Servers servers={finding.data} onChoose={(server) => set(take(server, draft))} />
      )}
      {checking.data && <Findings report={checking.data} goesTo={goesTo} />}
    </form>
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
function Findings({ report, goesTo }: { report: ModelReport; goesTo: (host: string) => string }) {
  const { t } = useTranslation();
  return (
    <ul
      aria-label={t("settings.model.findings")}
      className="flex flex-col gap-1 rounded-md bg-chrome px-3 py-2 text-xs"
      aria-live="polite"
    >
      {report.checks.map((check) => {
        const [Glyph, tone, word] =
          check.is_well === null
            ? [CircleHelp, "text-muted", t("settings.model.unknown")]
            : check.is_well
              ? [CircleCheck, "text-accent", t("settings.model.well")]
              : [CircleAlert, "text-warn", t("settings.model.unwell")];
        return (
          <li key={check.kind} className="flex gap-2">
            <Glyph aria-label={word} size={14} className={`mt-px shrink-0 ${tone}`} />
            <span>{check.sentence}</span>
          </li>
        );
      })}
      <li className="pl-[22px] text-muted">
        {report.remote_host === null ? t("settings.model.staysHere") : goesTo(report.remote_host)}
        {report.key_source !== null && ` ${t("settings.model.keyFrom", { source: report.key_source })}`}
      </li>
    </ul>
  );
}
