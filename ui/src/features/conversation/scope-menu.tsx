import { Menu } from "@base-ui/react/menu";
import { Check, ListFilter } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { ListedDocument } from "@/ipc/bindings";
import { kindName, kindsAmong } from "@/lib/media-kinds";
import { type AddedWithin, addedWithin, useViewParts } from "@/state/view";

/** More kinds than this are not worth a menu's length. */
const mostKinds = 10;

/** Limits the next question by what kind of document it is put to and since when that is in the library. */
export function ScopeMenu({ documents }: { documents: readonly ListedDocument[] }) {
  const { t } = useTranslation();
  const { scopeKind, scopeAdded, set } = useViewParts("scopeKind", "scopeAdded", "set");
  const kinds = useMemo(() => kindsAmong(documents).slice(0, mostKinds), [documents]);
  return (
    <Menu.Root>
      <Menu.Trigger className="inline-flex h-6 items-center gap-1 rounded px-1.5 text-muted hover:bg-hover hover:text-ink data-[popup-open]:bg-hover">
        <ListFilter aria-hidden size={12} />
        {t("scope.limit")}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="start" side="top" sideOffset={4} className="z-40">
          <Menu.Popup className="min-w-52 rounded-md border border-line bg-paper p-1 shadow-xl outline-none">
            {kinds.length > 1 && (
              <Choices
                name={t("scope.kind")}
                choices={kinds}
                chosen={scopeKind}
                nameOf={kindName}
                onChoose={(kind) => set({ scopeKind: kind })}
              />
            )}
            <Choices
              name={t("scope.added")}
              choices={addedWithin}
              chosen={scopeAdded}
              nameOf={(within: AddedWithin) => t(`scope.within.${within}`)}
              onChoose={(within) => set({ scopeAdded: within })}
            />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

interface ChoicesProps<Choice extends string> {
  name: string;
  choices: readonly Choice[];
  chosen: Choice | null;
  nameOf: (choice: Choice) => string;
  onChoose: (choice: Choice) => void;
}

function Choices<Choice extends string>({ name, choices, chosen, nameOf, onChoose }: ChoicesProps<Choice>) {
  return (
    <Menu.RadioGroup value={chosen} onValueChange={(choice) => onChoose(choice as Choice)}>
      <Menu.GroupLabel className="px-2 pt-1.5 pb-0.5 font-semibold text-2xs text-muted uppercase tracking-wider">
        {name}
      </Menu.GroupLabel>
      {choices.map((choice) => (
        <Menu.RadioItem
          key={choice}
          value={choice}
          closeOnClick
          className="flex h-7 items-center gap-2 rounded px-2 outline-none data-[highlighted]:bg-hover"
        >
          <span className="grid size-3 shrink-0 place-items-center">
            <Menu.RadioItemIndicator>
              <Check aria-hidden size={12} />
            </Menu.RadioItemIndicator>
          </span>
          {nameOf(choice)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
