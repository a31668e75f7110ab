import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";
import { SheetDialog } from "@/components/sheet-dialog";
import { sayError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";

/** The last folder of a path, as the name to begin with. */
function nameOf(folder: string): string {
  return folder.split(/[\\/]/).filter(Boolean).at(-1) ?? "";
}

/** Makes a collection of another library one that is searched here too. */
export function AttachDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { commands } = useIpc();
  const [folder, setFolder] = useState<string | null>(null);
  const [name, setName] = useState("");
  const choose = useMutation({
    mutationFn: () => unwrap(commands.openFolderDialog()),
    onSuccess: (chosen) => {
      if (chosen !== null) {
        setFolder(chosen);
        setName((typed) => (typed.trim() === "" ? nameOf(chosen) : typed));
      }
    },
  });
  const attach = useMutation({
    mutationFn: (place: string) => unwrap(commands.attachCollection(name.trim(), place)),
    onSuccess: onClose,
  });
  const failed = choose.error ?? attach.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (folder !== null && name.trim() !== "") {
      attach.mutate(folder);
    }
  };
  return (
    <SheetDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("library.attachTitle")}
      testId="attach-dialog"
      size="top-1/4 w-[480px]"
    >
      <p className="mt-2 text-muted">{t("library.attachBody")}</p>
      <form onSubmit={submit} className="mt-4 space-y-3">
        <div className="flex items-center gap-2">
          <Button onClick={() => choose.mutate()}>{t("library.attachChoose")}</Button>
          <code className="min-w-0 grow break-all text-xs">{folder ?? t("library.attachNone")}</code>
        </div>
        <label className="block">
          <span className="text-muted text-xs">{t("library.attachName")}</span>
          <input
            value={name}
            onChange={(event) => setName(event.target.value)}
            className="mt-1 h-8 w-full rounded border border-line bg-paper px-2"
          />
        </label>
        {failed !== null && <Notice title={t("library.cannotAttach")} message={sayError(failed)} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button type="submit" kind="primary" disabled={folder === null || name.trim() === "" || attach.isPending}>
            {t("library.attach")}
          </Button>
        </div>
      </form>
    </SheetDialog>
  );
}
