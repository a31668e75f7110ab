import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { useDocuments, useLibraryStatus } from "@/ipc/queries";
import { isReadable } from "@/lib/document-state";
import { sampleQuestions } from "@/lib/sample-questions";
import { useView } from "@/state/view";
import { Lately } from "./lately";

interface WelcomeProps {
  onAsk: (question: string) => void;
  /** Shown while the library holds nothing. */
  whenEmpty: ReactNode;
  /** Shown while nothing in it can be asked yet. */
  whenReading: ReactNode;
}

/** Before the first question: what to do, as far as the library has come. */
export function Welcome({ onAsk, whenEmpty, whenReading }: WelcomeProps) {
  const { t } = useTranslation();
  const documents = useDocuments(null).data;
  const readable = documents?.filter((document) => isReadable(document.state)) ?? [];
  const examples = sampleQuestions(readable.map((document) => document.uri));
  const empty = documents?.length === 0;
  return (
    <div className={empty ? "pt-[7vh]" : "pt-[14vh]"}>
      <h2 className="font-read text-[28px] leading-9">{t("ask.introTitle")}</h2>
      <p className="mt-2 max-w-[60ch] text-pretty font-read text-[17px] text-muted leading-7">{t("ask.introBody")}</p>
      {examples.length > 0 && (
        <div className="mt-8" data-testid="examples">
          <p className="text-muted text-xs">{t("ask.tryOne")}</p>
          <ul className="-mx-2 mt-1">
            {examples.map((example) => (
              <li key={example}>
                <button
                  type="button"
                  onClick={() => onAsk(example)}
                  className="rounded px-2 py-1 text-left font-read text-[16px] text-accent hover:bg-hover"
                >
                  {example}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {empty && (
        <>
          <div className="mt-6">{whenEmpty}</div>
          <Steps />
        </>
      )}
      {readable.length > 0 && examples.length === 0 && <Lately documents={readable} />}
      {documents !== undefined && !empty && readable.length === 0 && (
        <div className="mt-6">
          <p className="text-muted">{t("ask.nothingReady")}</p>
          {whenReading}
        </div>
      )}
    </div>
  );
}

/** How it goes, in three steps; a model is not one of them. */
function Steps() {
  const { t } = useTranslation();
  const set = useView((state) => state.set);
  const withoutModel = useLibraryStatus().data?.models.chat_model === null;
  const steps = [
    { name: t("ask.stepAdd"), body: t("ask.stepAddBody") },
    { name: t("ask.stepAsk"), body: t("ask.stepAskBody") },
    { name: t("ask.stepCheck"), body: t("ask.stepCheckBody") },
  ];
  return (
    <section aria-label={t("ask.steps")} className="mt-8" data-testid="steps">
      <ol className="grid gap-x-6 gap-y-4 sm:grid-cols-3">
        {steps.map(({ name, body }, at) => (
          <li key={name} className="border-line border-t pt-3">
            <p className="font-semibold">
              <span className="mr-2 text-muted tabular-nums">{at + 1}</span>
              {name}
            </p>
            <p className="mt-0.5 text-muted text-xs leading-[18px]">{body}</p>
          </li>
        ))}
      </ol>
      {withoutModel && (
        <Button kind="quiet" className="-ml-2.5 mt-4 text-muted" onClick={() => set({ settings: "models" })}>
          {t("ask.setUpModel")}
        </Button>
      )}
    </section>
  );
}
