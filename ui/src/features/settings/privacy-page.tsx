import { Lock, Send } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { LibraryStatus } from "@/ipc/bindings";
import { Section } from "./section";

/** What leaves this machine, and what is kept where. */
export function PrivacyPage({ status }: { status: LibraryStatus }) {
  const { t } = useTranslation();
  const host = status.models.remote_host;
  return (
    <>
      <div
        className={`mb-6 flex items-start gap-3 rounded-md px-4 py-3 ${host === null ? "bg-accent-soft" : "bg-warn-soft"}`}
        data-testid="privacy"
      >
        {host === null ? (
          <Lock aria-hidden size={16} className="mt-0.5 shrink-0 text-accent" />
        ) : (
          <Send aria-hidden size={16} className="mt-0.5 shrink-0 text-warn" />
        )}
        <div>
          <p className="font-semibold">
            {host === null ? t("settings.nothingLeaves") : t("settings.somethingLeaves", { host })}
          </p>
          <p className="mt-0.5 text-xs">
            {host === null ? t("settings.nothingLeavesBody") : t("settings.somethingLeavesBody")}
          </p>
        </div>
      </div>
      <Section title={t("settings.kept")}>
        <ul className="list-disc space-y-1 pl-4">
          <li>{t("settings.keptLibrary")}</li>
          <li>{t("settings.keptPasswords")}</li>
          <li>{t("settings.keptWindow")}</li>
          <li>{t("settings.keptLinks")}</li>
        </ul>
      </Section>
    </>
  );
}
