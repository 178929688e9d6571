/** Fields of the settings of runs. */
import { type ReactNode, useId } from "react";
import { Field } from "../../elements/fields/field.tsx";

interface NumberSettingProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly min?: number;
  readonly isRequired?: boolean;
  readonly onChange: (value: number | undefined) => void;
}

export function NumberSetting({ label, value, min = 0.001, isRequired = false, onChange }: NumberSettingProps) {
  return (
    <Field label={label} isOptional={!isRequired}>
      {(attributes) => (
        <input
          {...attributes}
          type="number"
          step="any"
          min={min}
          required={isRequired}
          value={value ?? ""}
          onChange={({ target }) => onChange(target.value === "" ? undefined : target.valueAsNumber)}
        />
      )}
    </Field>
  );
}

interface ExpressionSettingProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

export function ExpressionSetting({ label, hint, value, onChange }: ExpressionSettingProps) {
  return (
    <Field label={label} hint={hint} isOptional>
      {(attributes) => (
        <input
          {...attributes}
          className="expression"
          autoComplete="off"
          spellCheck={false}
          value={value ?? ""}
          onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
        />
      )}
    </Field>
  );
}

interface SettingGroupProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
  readonly children: ReactNode;
}

/** Settings that belong together, and are there or not. */
export function SettingGroup({ label, isOn, onSwitch, children }: SettingGroupProps) {
  const id = useId();
  return (
    <fieldset className="setting-group">
      <legend>
        <label className="switch" htmlFor={id}>
          <input id={id} type="checkbox" checked={isOn} onChange={({ target }) => onSwitch(target.checked)} />
          {label}
        </label>
      </legend>
      {children}
    </fieldset>
  );
}
