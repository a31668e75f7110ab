import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useTranslation } from "react-i18next";
import { Button } from "./button";

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  body: string;
  confirm: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is destroyed. Cancel has the focus. */
export function ConfirmDialog({ open, title, body, confirm, onConfirm, onClose }: ConfirmDialogProps) {
  const { t } = useTranslation();
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-black/30" />
        <AlertDialog.Popup className="-translate-x-1/2 fixed top-1/4 left-1/2 z-50 w-[420px] max-w-[calc(100vw-32px)] rounded-lg border border-line bg-paper p-5 shadow-xl">
          <AlertDialog.Title className="font-semibold text-[15px] leading-6">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-muted">{body}</AlertDialog.Description>
          <div className="mt-5 flex justify-end gap-2">
            <AlertDialog.Close render={<Button>{t("app.cancel")}</Button>} />
            <Button
              kind="danger"
              onClick={() => {
                onConfirm();
                onClose();
              }}
            >
              {confirm}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
