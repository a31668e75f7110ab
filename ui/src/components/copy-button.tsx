import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "@/lib/clipboard";
import { IconButton } from "./button";

/** How long a button says that it has copied. */
const saidMs = 2_000;

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, className = "" }: { text: string; className?: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) {
      return undefined;
    }
    const timer = setTimeout(() => setCopied(false), saidMs);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      label={copied ? t("app.copied") : t("app.copy")}
      className={className}
      onClick={async () => setCopied(await copyText(text))}
    >
      {copied ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
    </IconButton>
  );
}
