import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { SheetDialog } from "@/components/sheet-dialog";
import type { AddPreview } from "@/ipc/bindings";
import { sizeOf } from "@/lib/bytes";
import { numberOf } from "@/lib/format";
import { AddSummary } from "./add-summary";

interface AddDialogProps {
  preview: AddPreview;
  collection: string;
  onAdd: () => void;
  onClose: () => void;
}

/** Chosen files of which there is something to say before they are read. */
export function AddDialog({ preview, collection, onAdd, onClose }: AddDialogProps) {
  const { t } = useTranslation();
  const { files, bytes } = preview;
  return (
    <SheetDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("library.addTitle")}
      testId="add-dialog"
      size="top-1/4 w-[460px]"
    >
      <p className="mt-2">
        {files === 0
          ? t("library.addNothing")
          : t("library.addSized", { count: files, number: numberOf(files), size: sizeOf(bytes), collection })}
      </p>
      <div className="mt-1 text-muted text-xs">
        <AddSummary preview={preview} />
      </div>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{t("app.cancel")}</Button>
        {files > 0 && (
          <Button kind="primary" onClick={onAdd}>
            {t("library.addConfirm", { count: files, number: numberOf(files) })}
          </Button>
        )}
      </div>
    </SheetDialog>
  );
}
