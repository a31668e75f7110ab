import { Menu } from "@base-ui/react/menu";
import { Ellipsis } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/button";
import { MenuEntry } from "@/components/menu-entry";

interface DocumentMenuProps {
  title: string;
  /** Opens the file in the person's own program, or shows where it lies. */
  onOpen: (how: "open" | "reveal") => void;
  onDetails: () => void;
  onDelete: () => void;
}

/** What can be done with one document. */
export function DocumentMenu({ title, onOpen, onDetails, onDelete }: DocumentMenuProps) {
  const { t } = useTranslation();
  return (
    <Menu.Root>
      <Menu.Trigger
        render={
          <IconButton
            label={t("library.actions", { title })}
            className="reveal -mt-[3px]"
            data-testid="document-actions"
          >
            <Ellipsis size={14} />
          </IconButton>
        }
      />
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4} className="z-40">
          <Menu.Popup className="min-w-40 rounded-md border border-line bg-paper p-1 shadow-xl outline-none">
            <MenuEntry onClick={() => onOpen("open")}>{t("library.openFile")}</MenuEntry>
            <MenuEntry onClick={() => onOpen("reveal")}>{t("library.revealFile")}</MenuEntry>
            <MenuEntry onClick={onDetails}>{t("library.details")}</MenuEntry>
            <MenuEntry onClick={onDelete}>{t("library.delete")}</MenuEntry>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
