import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";
import { explainedError } from "@/lib/explained";
import { useView } from "@/state/view";
import { type HowToAnswer, useReady } from "./live-answer";
import type { ShownAnswer } from "./shown-answer";

interface FailureProps {
  answer: ShownAnswer;
  onAsk: (how: HowToAnswer) => void;
}

/** No answer came about: why, and the ways on. Quotes need no model, so they are one of them. */
export function Failure({ answer, onAsk }: FailureProps) {
  const { t } = useTranslation();
  const ready = useReady();
  const set = useView((state) => state.set);
  const byModel = answer.strategy !== "quotes";
  return (
    <div className="mt-4">
      <Notice title={t("ask.failedTitle")} message={answer.error === null ? undefined : explainedError(answer.error)}>
        {ready && (
          <div className="mt-3 flex flex-wrap gap-2 pl-[23px]">
            <Button onClick={() => onAsk({ strategy: answer.strategy ?? "auto", model: answer.model })}>
              {t("app.retry")}
            </Button>
            {byModel && <Button onClick={() => onAsk({ strategy: "quotes" })}>{t("again.quotes")}</Button>}
            {byModel && (
              <Button kind="quiet" onClick={() => set({ settings: "models" })}>
                {t("settings.openModels")}
              </Button>
            )}
          </div>
        )}
      </Notice>
    </div>
  );
}
