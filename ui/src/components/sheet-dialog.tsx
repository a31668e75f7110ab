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
  /** There are no controls in it by which the keyboard could reach what has to be scrolled to. */
  isText?: boolean;
  children: ReactNode;
}

/** Something to be read or filled in over the window, with a title and a way out. */
export function SheetDialog({ open, onOpenChange, title, testId, size, isText = false, children }: SheetDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/30" />
        <Dialog.Popup
          data-testid={testId}
          className={`-translate-x-1/2 fixed left-1/2 z-50 flex max-w-[calc(100vw-32px)] flex-col rounded-lg border border-line bg-paper shadow-xl ${size}`}
        >
          <div className="flex shrink-0 items-center px-5 pt-4 pb-1">
            <Dialog.Title className="grow font-semibold text-[15px]">{title}</Dialog.Title>
            <Dialog.Close
              render={
                <IconButton label={t("app.close")}>
                  <X size={15} />
                </IconButton>
              }
            />
          </div>
          <div className="scroller min-h-0 overflow-y-auto px-5 pb-5" tabIndex={isText ? 0 : undefined}>
            {children}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
