import { useTranslation } from "react-i18next";
import type { ChatModelSettings, LocalModelServer } from "@/ipc/bindings";
import { unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { ProviderField, ServerFields } from "./model-fields";
import { ModelSetup } from "./model-setup";
import { chatProviders, providerOf, providers, said } from "./providers";

/** Provider, address, name and key of the chat model, used from the next question on. */
export function ChatModelForm({ stored }: { stored: ChatModelSettings }) {
  const { t } = useTranslation();
  const { commands } = useIpc();
  return (
    <ModelSetup
      testId="model-form"
      stored={stored}
      cleaned={cleaned}
      names={(draft) => providerOf(draft) !== ""}
      probe={(model) => unwrap(commands.probeChatModel(model, false))}
      save={(model) => unwrap(commands.setChatModel(model))}
      take={take}
      use={t("settings.model.use")}
      goesTo={(host) => t("settings.model.goesTo", { host })}
    >
      {(draft, set, offered) => {
        const provider = providerOf(draft);
        return (
          <>
            <ProviderField
              value={provider}
              none={t("settings.model.none")}
              offered={chatProviders}
              // An address alone would still mean a provider.
              onChange={(value) => set(value === "" ? { provider: null, base_url: null } : { provider: value })}
            />
            {provider !== "" && (
              <ServerFields settings={draft} onChange={set} address={providers[provider].address} offered={offered} />
            )}
          </>
        );
      }}
    </ModelSetup>
  );
}

function cleaned(model: ChatModelSettings): ChatModelSettings {
  return {
    provider: said(model.provider),
    base_url: said(model.base_url),
    name: providerOf(model) === "" ? null : said(model.name),
    api_key_env: said(model.api_key_env),
    context_tokens: model.context_tokens ?? null,
  };
}

/** Takes a server with the model that is named already, where it has that, else with its first. */
function take(server: LocalModelServer, { name }: ChatModelSettings): ChatModelSettings {
  const has = name != null && server.models.includes(name);
  return { provider: server.provider, base_url: server.base_url, name: has ? name : (server.models[0] ?? null) };
}
