import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RerankerSettings } from "@/ipc/bindings";
import { unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { SelectField, ServerFields, TextField } from "./model-fields";
import { ModelSetup } from "./model-setup";
import { said } from "./providers";

type Kind = "none" | "server" | "file";

/** Where a reranker runs, by what of it is set. */
function kindOf(settings: RerankerSettings): Kind {
  if (said(settings.model_file) !== null) {
    return "file";
  }
  return said(settings.base_url) === null && said(settings.name) === null ? "none" : "server";
}

/** The reranker: none, a server's, or a cross-encoder in a file; used from the next search on. */
export function RerankerForm({ stored }: { stored: RerankerSettings }) {
  const { t } = useTranslation();
  const { commands } = useIpc();
  const [kind, setKind] = useState(() => kindOf(stored));
  return (
    <ModelSetup
      testId="reranker-form"
      stored={stored}
      cleaned={(draft) => cleaned(kind, draft)}
      names={() => kind !== "none"}
      probe={(reranker) => unwrap(commands.probeReranker(reranker))}
      save={(reranker) => unwrap(commands.setReranker(reranker))}
      use={t("settings.reranker.use")}
      goesTo={(host) => t("settings.reranker.goesTo", { host })}
    >
      {(draft, set, offered) => (
        <>
          <SelectField
            label={t("settings.reranker.kind")}
            value={kind}
            choices={[
              ["none", t("settings.reranker.none")],
              ["server", t("settings.reranker.server")],
              ["file", t("settings.reranker.file")],
            ]}
            onChange={(value) => {
              setKind(value as Kind);
              set({});
            }}
          />
          {kind === "server" && (
            <ServerFields settings={draft} onChange={set} address="http://localhost:8000/v1" offered={offered} />
          )}
          {kind === "file" && (
            <>
              <TextField
                label={t("settings.reranker.modelFile")}
                value={draft.model_file}
                onChange={(value) => set({ model_file: value })}
              />
              <TextField
                label={t("settings.reranker.tokenizerFile")}
                placeholder={t("settings.reranker.beside")}
                value={draft.tokenizer_file}
                onChange={(value) => set({ tokenizer_file: value })}
              />
            </>
          )}
        </>
      )}
    </ModelSetup>
  );
}

/** Only what belongs to the kind chosen: what was typed for another stays in the form alone. */
function cleaned(kind: Kind, draft: RerankerSettings): RerankerSettings {
  const none = { base_url: null, name: null, api_key_env: null, model_file: null, tokenizer_file: null };
  switch (kind) {
    case "none":
      return none;
    case "server":
      return {
        ...none,
        base_url: said(draft.base_url),
        name: said(draft.name),
        api_key_env: said(draft.api_key_env),
      };
    case "file":
      return { ...none, model_file: said(draft.model_file), tokenizer_file: said(draft.tokenizer_file) };
  }
}
