import { Dialog } from "@base-ui/react/dialog";
import { type KeyboardEvent, useCallback, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAction } from "@/lib/actions";
import { useView } from "@/state/view";
import { type Choice, useChoices } from "./use-choices";

/** One field that leads to every document, collection, conversation and action. */
export function CommandPalette() {
  const { t } = useTranslation();
  const open = useView((state) => state.paletteOpen);
  const set = useView((state) => state.set);
  useAction(
    "palette",
    useCallback(() => set({ paletteOpen: true }), [set]),
  );
  return (
    <Dialog.Root open={open} onOpenChange={(paletteOpen) => set({ paletteOpen })}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/30" />
        <Dialog.Popup
          data-testid="palette"
          className="-translate-x-1/2 fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-[600px] max-w-[calc(100vw-32px)] flex-col rounded-lg border border-line bg-paper shadow-xl"
        >
          <Dialog.Title className="sr-only">{t("palette.title")}</Dialog.Title>
          <PaletteBody onClose={() => set({ paletteOpen: false })} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const groups = useChoices(typed.trim());
  const choices = groups.flatMap((group) => group.choices);
  const current = Math.min(active, Math.max(0, choices.length - 1));
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  const choose = (choice: Choice | undefined) => {
    if (choice !== undefined) {
      onClose();
      // After the dialog has given the focus back, so that what is chosen may take it.
      setTimeout(choice.run);
    }
  };
  const move = (to: number) => {
    const next = (to + choices.length) % Math.max(1, choices.length);
    setActive(next);
    list.current?.querySelectorAll("[role=option]")[next]?.scrollIntoView?.({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) {
      return;
    }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(current + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(choices[current]);
    }
  };

  let at = -1;
  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the dialog is this field
        autoFocus
        role="combobox"
        aria-expanded={choices.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={choices.length === 0 ? undefined : `${id}-${current}`}
        aria-label={t("palette.field")}
        placeholder={t("palette.field")}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        data-testid="palette-field"
        className="h-12 shrink-0 border-line border-b bg-transparent px-4 font-read text-[17px] outline-none placeholder:text-muted"
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={t("palette.results")}
        tabIndex={-1}
        className="scroller min-h-0 overflow-y-auto p-1.5"
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: groups of options, not of form fields
          <div key={group.name} role="group" aria-label={group.name} className="not-first:mt-2">
            <p aria-hidden className="px-2.5 pt-1 pb-1 font-semibold text-2xs text-muted uppercase tracking-wider">
              {group.name}
            </p>
            {group.choices.map((choice) => {
              at += 1;
              const position = at;
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field moves through the options and chooses them
                <div
                  key={choice.key}
                  id={`${id}-${position}`}
                  role="option"
                  aria-selected={position === current}
                  tabIndex={-1}
                  onClick={() => choose(choice)}
                  onPointerMove={() => setActive(position)}
                  className="flex h-8 items-center gap-3 rounded px-2.5 aria-selected:bg-accent-soft"
                >
                  <span className="min-w-0 grow truncate">{choice.name}</span>
                  <span className="max-w-[40%] shrink-0 truncate text-2xs text-muted">{choice.detail}</span>
                </div>
              );
            })}
          </div>
        ))}
        {choices.length === 0 && <p className="px-2.5 py-4 text-muted">{t("palette.none")}</p>}
      </div>
    </>
  );
}
