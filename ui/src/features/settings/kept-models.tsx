import { useTranslation } from "react-i18next";
import { useCollections } from "@/ipc/queries";

/** What another embedding model means for the collections that are there already, and which model each has. */
export function KeptModels({ current }: { current: string }) {
  const { t } = useTranslation();
  const collections = useCollections().data ?? [];
  const others = collections.filter(({ embedding_model: model }) => model != null && model !== current);
  return (
    <div className="mt-3 rounded-md bg-chrome px-3 py-2 text-xs" data-testid="kept-models">
      <p>{t("settings.embedding.means")}</p>
      {others.length > 0 && (
        <>
          <p className="mt-2 font-medium">{t("settings.embedding.others", { model: current })}</p>
          <ul className="mt-0.5 list-disc pl-4">
            {others.map(({ name, embedding_model: model }) => (
              <li key={name}>{t("settings.embedding.other", { name, model })}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
