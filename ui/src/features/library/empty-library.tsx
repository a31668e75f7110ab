import { useMutation } from "@tanstack/react-query";
import { FilePlus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { sayError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { runAction } from "@/lib/actions";
import { shortcutLabel } from "@/lib/keyboard";

/** What to do first: drop files, choose them, or begin with the samples. */
export function EmptyLibrary() {
  const { t } = useTranslation();
  const { commands } = useIpc();
  const samples = useMutation({ mutationFn: () => unwrap(commands.addSamples()) });
  return (
    <div className="rounded-lg border border-line border-dashed px-6 py-7" data-testid="empty-library">
      <p className="font-read text-[19px] leading-7">{t("library.emptyTitle")}</p>
      <p className="mt-1 text-muted">{t("library.emptyBody")}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button kind="primary" onClick={() => samples.mutate()} disabled={samples.isPending} data-testid="add-samples">
          {t("library.addSamples")}
        </Button>
        <Button onClick={() => runAction("addFiles")}>
          <FilePlus aria-hidden size={13} />
          {t("library.add")}
          <span className="text-muted">{shortcutLabel("addFiles")}</span>
        </Button>
      </div>
      {samples.isError && <p className="mt-3 text-warn text-xs">{sayError(samples.error)}</p>}
    </div>
  );
}
