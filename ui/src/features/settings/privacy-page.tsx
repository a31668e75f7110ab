import { Lock, Send } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { LibraryStatus } from "@/ipc/bindings";
import { hostsOf, leavingOf } from "@/lib/leaving";
import { Section } from "./section";

/** What leaves this machine, and what is kept where. */
export function PrivacyPage({ status }: { status: LibraryStatus }) {
  const { t } = useTranslation();
  const leaving = leavingOf(status.models);
  return (
    <>
      <div
        className={`mb-6 flex items-start gap-3 rounded-md px-4 py-3 ${leaving.length === 0 ? "bg-accent-soft" : "bg-warn-soft"}`}
        data-testid="privacy"
      >
        {leaving.length === 0 ? (
          <>
            <Lock aria-hidden size={16} className="mt-0.5 shrink-0 text-accent" />
            <div>
              <p className="font-semibold">{t("settings.nothingLeaves")}</p>
              <p className="mt-0.5 text-xs">{t("settings.nothingLeavesBody")}</p>
            </div>
          </>
        ) : (
          <>
            <Send aria-hidden size={16} className="mt-0.5 shrink-0 text-warn" />
            <div>
              <p className="font-semibold">{t("settings.somethingLeaves", { hosts: hostsOf(leaving) })}</p>
              <ul className="mt-1 space-y-0.5 text-xs">
                {leaving.map(({ purpose, host }) => (
                  <li key={purpose}>{t(`settings.leaves.${purpose}`, { host })}</li>
                ))}
                <li>{t("settings.staysBody")}</li>
              </ul>
            </div>
          </>
        )}
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
