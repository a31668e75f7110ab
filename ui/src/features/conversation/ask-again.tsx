import { Menu } from "@base-ui/react/menu";
import { RotateCw } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "@/components/button";
import { MenuEntry } from "@/components/menu-entry";
import { SheetDialog } from "@/components/sheet-dialog";
import { useLibraryStatus } from "@/ipc/queries";
import type { HowToAnswer } from "./live-answer";
import type { ShownAnswer } from "./shown-answer";

interface AskAgainProps {
  answer: ShownAnswer;
  onAsk: (how: HowToAnswer) => void;
}

/** The ways a model can answer, the usual first. */
const ways = ["passages", "outline", "walk", "judge"] as const;

/** Asks the same question again: as before, in another way, by quotes alone, or with another model. */
export function AskAgain({ answer, onAsk }: AskAgainProps) {
  const { t } = useTranslation();
  const [naming, setNaming] = useState(false);
  const model = useLibraryStatus().data?.models.chat_model ?? null;
  const before: HowToAnswer = { strategy: answer.strategy ?? "auto", model: answer.model };
  return (
    <>
      <Menu.Root>
        <Menu.Trigger
          render={
            <IconButton label={t("again.title")} data-testid="ask-again">
              <RotateCw size={14} />
            </IconButton>
          }
        />
        <Menu.Portal>
          <Menu.Positioner align="end" sideOffset={4} className="z-40">
            <Menu.Popup className="min-w-48 rounded-md border border-line bg-paper p-1 shadow-xl outline-none">
              <MenuEntry onClick={() => onAsk(before)}>{t("again.same")}</MenuEntry>
              {answer.strategy !== "quotes" && (
                <MenuEntry onClick={() => onAsk({ strategy: "quotes" })}>{t("again.quotes")}</MenuEntry>
              )}
              {model !== null &&
                ways
                  .filter((way) => way !== answer.strategy || answer.model !== model)
                  .map((way) => (
                    <MenuEntry key={way} onClick={() => onAsk({ strategy: way })}>
                      {t(`again.ways.${way}`, { model })}
                    </MenuEntry>
                  ))}
              {model !== null && <MenuEntry onClick={() => setNaming(true)}>{t("again.otherModel")}</MenuEntry>}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {naming && (
        <ModelDialog
          usual={model ?? ""}
          onAsk={(name) => onAsk({ strategy: "passages", model: name })}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

interface ModelDialogProps {
  /** The model that is set up. */
  usual: string;
  onAsk: (model: string) => void;
  onClose: () => void;
}

function ModelDialog({ usual, onAsk, onClose }: ModelDialogProps) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") {
      onClose();
      onAsk(name.trim());
    }
  };
  return (
    <SheetDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("again.otherModelTitle")}
      testId="other-model"
      size="top-1/4 w-[420px]"
    >
      <form onSubmit={submit} className="mt-3">
        <label htmlFor={id} className="text-muted text-xs">
          {t("again.modelName")}
        </label>
        <input
          id={id}
          // biome-ignore lint/a11y/noAutofocus: the dialog is this field
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
          placeholder={usual}
          spellCheck={false}
          className="mt-1 h-8 w-full rounded border border-line bg-paper px-2 placeholder:text-muted"
        />
        <p className="mt-2 text-muted text-xs">{t("again.modelHint", { model: usual })}</p>
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button type="submit" kind="primary" disabled={name.trim() === ""}>
            {t("ask.send")}
          </Button>
        </div>
      </form>
    </SheetDialog>
  );
}
