import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";
import { sayError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";

/** Saves what helps to find a fault. */
export function Diagnostics() {
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
