import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";

interface NoticeProps {
  title: string;
  /** What happened and what to do next. */
  message?: string;
  onRetry?: () => void;
  children?: ReactNode;
}

/** Something went wrong here, and what to do about it. */
export function Notice({ title, message, onRetry, children }: NoticeProps) {
  const { t } = useTranslation();
  return (
    <div role="alert" className="rounded-md border border-warn/40 bg-warn-soft px-4 py-3">
      <p className="flex items-start gap-2 font-semibold text-warn">
        <TriangleAlert aria-hidden size={15} className="mt-0.5 shrink-0" />
        {title}
      </p>
      {message !== undefined && <p className="mt-1 pl-[23px]">{message}</p>}
      {children}
      {onRetry !== undefined && (
        <Button className="mt-3 ml-[23px]" onClick={onRetry}>
          {t("app.retry")}
        </Button>
      )}
    </div>
  );
}
