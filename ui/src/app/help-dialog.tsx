import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { SheetDialog } from "@/components/sheet-dialog";
import { useAction } from "@/lib/actions";
import { keyName, shortcuts } from "@/lib/keyboard";
import { useView } from "@/state/view";

const groups = ["ask", "read", "window"] as const;

/** The table of shortcuts, to be read. */
export function HelpDialog() {
  const { t } = useTranslation();
  const open = useView((state) => state.helpOpen);
  const set = useView((state) => state.set);
  useAction(
    "help",
    useCallback(() => set({ helpOpen: true }), [set]),
  );
  return (
    <SheetDialog
      isText
      open={open}
      onOpenChange={(helpOpen) => set({ helpOpen })}
      title={t("keys.title")}
      testId="help"
      size="top-[8vh] max-h-[84vh] w-[720px]"
    >
      <div className="mt-3 grid gap-x-8 gap-y-4 sm:grid-cols-2 sm:grid-rows-[auto_1fr]">
        {groups.map((group) => (
          <section key={group} className={group === "read" ? "sm:row-span-2" : ""}>
            <h3 className="mb-1 font-semibold text-2xs text-muted uppercase tracking-wider">
              {t(`keys.groups.${group}`)}
            </h3>
            <dl>
              {shortcuts
                .filter((shortcut) => shortcut.group === group)
                .map((shortcut) => (
                  <div key={shortcut.action} className="flex items-center gap-4 border-line border-b py-1">
                    <dt className="grow">{t(`keys.${shortcut.action}`)}</dt>
                    <dd className="flex gap-1">
                      {shortcut.shown.map((key) => (
                        <kbd
                          key={key}
                          className="min-w-5 rounded border border-line bg-chrome px-1.5 text-center font-sans text-2xs leading-[18px]"
                        >
                          {keyName(key)}
                        </kbd>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </SheetDialog>
  );
}
