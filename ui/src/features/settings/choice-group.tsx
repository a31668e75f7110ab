import { useId } from "react";

interface ChoiceGroupProps<Choice extends string> {
  legend: string;
  choices: readonly Choice[];
  chosen: Choice;
  nameOf: (choice: Choice) => string;
  onChoose: (choice: Choice) => void;
  hint?: string;
}

/** One of a few choices, side by side. */
export function ChoiceGroup<Choice extends string>(props: ChoiceGroupProps<Choice>) {
  const { legend, choices, chosen, nameOf, onChoose, hint } = props;
  const id = useId();
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-1.5 py-2">
      <legend className="sr-only">{legend}</legend>
      <span aria-hidden className="w-28 shrink-0">
        {legend}
      </span>
      <div className="inline-flex rounded-md border border-line bg-chrome p-0.5">
        {choices.map((choice) => (
          <label
            key={choice}
            className="rounded px-3 py-1 text-muted text-xs has-[:checked]:bg-accent-soft has-[:checked]:font-medium has-[:checked]:text-ink has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent"
          >
            <input
              type="radio"
              name={id}
              value={choice}
              checked={choice === chosen}
              onChange={() => onChoose(choice)}
              className="sr-only"
            />
            {nameOf(choice)}
          </label>
        ))}
      </div>
      {hint !== undefined && <p className="w-full text-muted text-xs">{hint}</p>}
    </fieldset>
  );
}
