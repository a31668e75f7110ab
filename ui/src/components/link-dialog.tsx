import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useTranslation } from "react-i18next";
import { Button } from "./button";

interface LinkDialogProps {
  address: string;
  onOpen: () => void;
  onClose: () => void;
}

/** Shows an address before it is opened outside. */
export function LinkDialog({ address, onOpen, onClose }: LinkDialogProps) {
  const { t } = useTranslation();
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-black/30" />
        <AlertDialog.Popup className="-translate-x-1/2 fixed top-1/4 left-1/2 z-50 w-[480px] max-w-[calc(100vw-32px)] rounded-lg border border-line bg-paper p-5 shadow-xl">
          <AlertDialog.Title className="font-semibold text-[15px]">{t("ask.linkTitle")}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 break-all font-mono text-xs">{address}</AlertDialog.Description>
          <div className="mt-5 flex justify-end gap-2">
            <AlertDialog.Close render={<Button>{t("app.cancel")}</Button>} />
            <Button
              kind="primary"
              onClick={() => {
                onOpen();
                onClose();
              }}
            >
              {t("ask.linkOpen")}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
