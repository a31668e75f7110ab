import { Tabs } from "@base-ui/react/tabs";
import { Boxes, Info, Library, Lock, SunMoon } from "lucide-react";
import { type ComponentType, useCallback } from "react";
import { useTranslation } from "react-i18next";
import { SheetDialog } from "@/components/sheet-dialog";
import type { LibraryStatus } from "@/ipc/bindings";
import { useAction } from "@/lib/actions";
import { type SettingsPage, settingsPages, useView } from "@/state/view";
import { AboutPage } from "./about-page";
import { AppearancePage } from "./appearance-page";
import { LibraryPage } from "./library-page";
import { ModelsPage } from "./models-page";
import { PrivacyPage } from "./privacy-page";

const glyphs = { appearance: SunMoon, models: Boxes, library: Library, privacy: Lock, about: Info };

const pages: Record<SettingsPage, ComponentType<{ status: LibraryStatus }>> = {
  appearance: AppearancePage,
  models: ModelsPage,
  library: LibraryPage,
  privacy: PrivacyPage,
  about: AboutPage,
};

/** What can be chosen about the window, and what is so about the library, its models and what leaves this machine. */
export function SettingsDialog({ status }: { status: LibraryStatus }) {
  const { t } = useTranslation();
  const page = useView((state) => state.settings);
  const set = useView((state) => state.set);
  useAction(
    "settings",
    useCallback(() => set({ settings: "appearance" }), [set]),
  );
  return (
    <SheetDialog
      open={page !== null}
      onOpenChange={(open) => set({ settings: open ? "appearance" : null })}
      title={t("settings.title")}
      testId="settings"
      size="top-[8vh] h-[min(600px,84vh)] w-[760px]"
    >
      <Tabs.Root
        value={page ?? "appearance"}
        onValueChange={(value) => set({ settings: value as SettingsPage })}
        orientation="vertical"
        className="mt-2 flex gap-6"
      >
        <Tabs.List
          aria-label={t("settings.title")}
          className="sticky top-0 flex w-36 shrink-0 flex-col gap-0.5 self-start"
        >
          {settingsPages.map((name) => {
            const Glyph = glyphs[name];
            return (
              <Tabs.Tab
                key={name}
                value={name}
                className="flex h-8 items-center gap-2 rounded px-2 text-left text-muted hover:bg-hover hover:text-ink aria-selected:bg-accent-soft aria-selected:font-medium aria-selected:text-ink"
              >
                <Glyph aria-hidden size={14} className="shrink-0" />
                {t(`settings.pageNames.${name}`)}
              </Tabs.Tab>
            );
          })}
        </Tabs.List>
        {settingsPages.map((name) => {
          const Page = pages[name];
          return (
            <Tabs.Panel key={name} value={name} className="min-w-0 grow" data-testid={`settings-${name}`}>
              <Page status={status} />
            </Tabs.Panel>
          );
        })}
      </Tabs.Root>
    </SheetDialog>
  );
}
