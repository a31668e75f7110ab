import { useTranslation } from "react-i18next";
import type { EmbeddingModelSettings, LocalModelServer } from "@/ipc/bindings";
import { unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { ProviderField, ServerFields } from "./model-fields";
import { ModelSetup } from "./model-setup";
import { embeddingProviders, providerOf, providers, said } from "./providers";

/** The embedding model of collections to come: the one that comes with Recto, or a server's. */
export function EmbeddingForm({ stored }: { stored: EmbeddingModelSettings }) {
  const { t } = useTranslation();
  const { commands } = useIpc();
  return (
    <ModelSetup
      testId="embedding-form"
      stored={stored}
      cleaned={cleaned}
      names={(draft) => providerOf(draft) !== ""}
      probe={(model) => unwrap(commands.probeEmbeddingModel(model))}
      save={(model) => unwrap(commands.setEmbeddingModel(model))}
      take={take}
      use={t("settings.embedding.use")}
      goesTo={(host) => t("settings.embedding.goesTo", { host })}
    >
      {(draft, set, offered) => {
        const provider = providerOf(draft);
        return (
          <>
            <ProviderField
              value={provider}
              none={t("settings.embedding.bundled")}
              offered={embeddingProviders}
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

function cleaned(model: EmbeddingModelSettings): EmbeddingModelSettings {
  const bundled = providerOf(model) === "";
  return {
    provider: said(model.provider),
    base_url: said(model.base_url),
    name: bundled ? null : said(model.name),
    api_key_env: bundled ? null : said(model.api_key_env),
    // Found out anew: what was known belongs to the model that was set up before.
    dimension: null,
  };
}

/** Takes a server. Which of its models embeds is not known, so that one is named by the person. */
function take(server: LocalModelServer, { name }: EmbeddingModelSettings): EmbeddingModelSettings {
  const has = name != null && server.models.includes(name);
  return { provider: server.provider, base_url: server.base_url, name: has ? name : null };
}
