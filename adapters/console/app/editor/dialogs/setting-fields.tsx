/** Fields of the settings of runs. */
import { type ReactNode, useId } from "react";
import { Field } from "../../elements/fields/field.tsx";
import { useNumberText } from "../../elements/fields/use-number-text.ts";

interface OptionalNumberProps {
  readonly isRequired?: false;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

interface RequiredNumberProps {
  readonly isRequired: true;
  readonly value: number;
  /** Not called while the field is empty. */
  readonly onChange: (value: number) => void;
}

type NumberSettingProps = { readonly label: string; readonly min?: number } & (
  | OptionalNumberProps
  | RequiredNumberProps
);

export function NumberSetting(props: NumberSettingProps) {
  const { label, value, min = 0.001, isRequired = false } = props;
  const { text, setTyped } = useNumberText(value);
  function change(next: string): void {
    if (next !== "") {
      setTyped(next, Number(next));
      props.onChange(Number(next));
    } else if (props.isRequired) setTyped("", value);
    else {
      setTyped("", undefined);
      props.onChange(undefined);
    }
  }
  return (
    <Field label={label} isOptional={!isRequired}>
      {(attributes) => (
        <input
          {...attributes}
          type="number"
          step="any"
          min={min}
          required={isRequired}
          value={text}
          onChange={({ target }) => change(target.value)}
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
