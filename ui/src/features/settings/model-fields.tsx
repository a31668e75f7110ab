import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { type Provider, providers } from "./providers";

const control =
  "h-7 min-w-0 grow rounded border border-line bg-chrome px-2 text-xs focus-visible:outline-2 focus-visible:outline-accent";

interface FieldProps {
  label: string;
  hint?: string;
  children: (id: string) => ReactNode;
}

function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <label htmlFor={id} className="w-44 shrink-0 text-muted">
        {label}
      </label>
      {children(id)}
      {hint !== undefined && <p className="w-full pl-48 text-muted text-xs">{hint}</p>}
    </div>
  );
}

interface TextFieldProps {
  label: string;
  hint?: string;
  placeholder?: string;
  value: string | null | undefined;
  /** Values that can be chosen instead of typed. */
  offered?: readonly string[];
  onChange: (value: string) => void;
}

export function TextField({ label, hint, placeholder, value, offered, onChange }: TextFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(id) => (
        <>
          <input
            id={id}
            className={control}
            spellCheck={false}
            placeholder={placeholder}
            list={offered === undefined ? undefined : `${id}-offered`}
            value={value ?? ""}
            onChange={(event) => onChange(event.target.value)}
          />
          {offered !== undefined && (
            <datalist id={`${id}-offered`}>
              {offered.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

interface SelectFieldProps {
  label: string;
  value: string;
  /** What can be chosen, each with its name. */
  choices: readonly (readonly [value: string, name: string])[];
  onChange: (value: string) => void;
}

export function SelectField({ label, value, choices, onChange }: SelectFieldProps) {
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} className={control} value={value} onChange={(event) => onChange(event.target.value)}>
          {choices.map(([choice, name]) => (
            <option key={choice} value={choice}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface ServerSettings {
  base_url?: string | null;
  name?: string | null;
  api_key_env?: string | null;
}

interface ServerFieldsProps {
  settings: ServerSettings;
  onChange: (change: ServerSettings) => void;
  /** The address where none is given. */
  address: string;
  offered: readonly string[];
}

/** Address, model and key of a server's model. */
export function ServerFields({ settings, onChange, address, offered }: ServerFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        label={t("settings.model.address")}
        placeholder={address}
        value={settings.base_url}
        onChange={(value) => onChange({ base_url: value })}
      />
      <TextField
        label={t("settings.model.name")}
        value={settings.name}
        offered={offered}
        onChange={(value) => onChange({ name: value })}
      />
      <TextField
        label={t("settings.model.key")}
        hint={t("settings.model.keyHint")}
        placeholder={t("settings.model.keyUsual")}
        value={settings.api_key_env}
        onChange={(value) => onChange({ api_key_env: value })}
      />
    </>
  );
}

interface ProviderFieldProps {
  value: Provider | "";
  /** What no provider means. */
  none: string;
  offered: readonly Provider[];
  onChange: (value: Provider | "") => void;
}

export function ProviderField({ value, none, offered, onChange }: ProviderFieldProps) {
  const { t } = useTranslation();
  return (
    <SelectField
      label={t("settings.model.provider")}
      value={value}
      choices={[
        ["", none],
        ...offered.map((name) => [name, providers[name].name ?? t("settings.model.compatible")] as const),
      ]}
      onChange={(chosen) => onChange(chosen as Provider | "")}
    />
  );
}
