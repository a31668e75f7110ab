import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./button";

interface SheetDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  testId: string;
  /** Classes that say where it begins, how tall and how wide it may be. */
  size: string;
  children: ReactNode;
}

/** Something to be read or filled in over the window, with a title and a way out. */
export function SheetDialog({ open, onOpenChange, title, testId, size, children }: SheetDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/30" />
        <Dialog.Popup
          data-testid={testId}
          className={`-translate-x-1/2 scroller fixed left-1/2 z-50 max-w-[calc(100vw-32px)] overflow-y-auto rounded-lg border border-line bg-paper p-5 shadow-xl ${size}`}
        >
          <div className="flex items-center">
            <Dialog.Title className="grow font-semibold text-[15px]">{title}</Dialog.Title>
            <Dialog.Close
              render={
                <IconButton label={t("app.close")}>
                  <X size={15} />
                </IconButton>
              }
            />
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
