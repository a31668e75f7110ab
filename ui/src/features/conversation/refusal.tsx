import { FileSearch, Library, Pencil } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { useView } from "@/state/view";
import { PassageRows } from "./evidence-list";
import { isLimited } from "./scope";
import type { ShownAnswer } from "./shown-answer";

interface RefusalProps {
  answer: ShownAnswer;
  onEdit: () => void;
  onWiden: () => void;
}

/** Nothing was written: why, what to do about it, and the passages that came nearest. */
export function Refusal({ answer, onEdit, onWiden }: RefusalProps) {
  const { t } = useTranslation();
  const openSearch = useView((state) => state.openSearch);
  const nothingInScope = answer.coverage?.documents_total === 0;
  const limited = isLimited(answer.scope);
  const why = nothingInScope ? t("ask.emptyScopeBody") : t("ask.refusedBody");
  return (
    <div className="mt-4" data-testid="refusal">
      <div className="border-line border-l-2 pl-4">
        <p className="font-read text-[17px] leading-7">
          {nothingInScope ? t("ask.emptyScopeTitle") : t("ask.refusedTitle")}
        </p>
        {answer.text === "" && <p className="text-muted">{why}</p>}
        {/* biome-ignore lint/a11y/useSemanticElements: a group of actions, not of form fields */}
        <div role="group" aria-label={t("ask.nextSteps")} className="mt-3 flex flex-wrap gap-2">
          {limited && (
            <Button onClick={onWiden} data-testid="widen">
              <Library aria-hidden size={12} />
              {t("ask.askEverything")}
            </Button>
          )}
          <Button onClick={onEdit}>
            <Pencil aria-hidden size={12} />
            {t("ask.edit")}
          </Button>
          <Button onClick={() => openSearch(answer.question)}>
            <FileSearch aria-hidden size={12} />
            {t("ask.searchInstead")}
          </Button>
        </div>
      </div>
      {answer.nearest.length > 0 && (
        <section aria-label={t("ask.nearest")} className="mt-5">
          <h4 className="mb-1 font-medium text-muted text-xs">{t("ask.nearest")}</h4>
          <PassageRows passages={answer.nearest} />
        </section>
      )}
    </div>
  );
}
