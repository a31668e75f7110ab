import { useTranslation } from "react-i18next";
import { MenuEntry } from "@/components/menu-entry";
import type { ExportKind } from "./use-export";

/** The kinds of files that answers can be saved as. */
export function ExportEntries({ onExport }: { onExport: (kind: ExportKind) => void }) {
  const { t } = useTranslation();
  return (
    <>
      <MenuEntry onClick={() => onExport("docx")}>{t("export.saveDocx")}</MenuEntry>
      <MenuEntry onClick={() => onExport("html")}>{t("export.saveHtml")}</MenuEntry>
      <MenuEntry onClick={() => onExport("md")}>{t("export.saveMarkdown")}</MenuEntry>
    </>
  );
}
