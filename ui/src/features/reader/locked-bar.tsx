import { useQueryClient } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { PasswordForm } from "@/components/password-form";
import type { DocumentView } from "@/ipc/bindings";
import { toApiError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { keys, useLocked } from "@/ipc/queries";
import { explainedError } from "@/lib/explained";
import { useReader } from "./reader-state";

/** Asks for the password when pages could not be drawn for want of one. The words of the document need none. */
export function LockedBar({ view }: { view: DocumentView }) {
  const { t } = useTranslation();
  const { commands } = useIpc();
  const client = useQueryClient();
  const failed = useReader((state) => state.failedIn === view.sha256);
  const unlocked = useReader((state) => state.unlocked);
  const locked = useLocked(view, failed);
  if (!locked) {
    return null;
  }
  const onTry = async (password: string) => {
    try {
      await unwrap(commands.unlockDocument(view.collection, view.document_id, password));
      client.setQueryData(keys.locked(view.collection, view.document_id, view.sha256), false);
      unlocked();
      return null;
    } catch (thrown) {
      const error = toApiError(thrown);
      return error.code === "password_required" ? t("password.wrong") : explainedError(error);
    }
  };
  return (
    <section
      aria-label={t("password.pagesTitle")}
      className="border-line border-b bg-paper px-4 py-3"
      data-testid="locked"
    >
      <p className="flex items-center gap-2 font-semibold">
        <Lock aria-hidden size={14} className="shrink-0 text-muted" />
        {t("password.pagesTitle")}
      </p>
      <div className="pl-[22px]">
        <p className="text-muted text-xs">{t("password.pages")}</p>
        <PasswordForm name={view.title} said={null} focused={false} onTry={onTry} />
      </div>
    </section>
  );
}
