/** A field with a few values to choose from, each with its name. */
import type { ReactNode } from "react";
import { Field } from "./field.tsx";

interface ChoiceFieldProps<Value extends string> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | null;
  readonly values: readonly Value[];
  readonly names: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

export function ChoiceField<Value extends string>({
  label,
  hint,
  error = null,
  values,
  names,
  value,
  onChange,
}: ChoiceFieldProps<Value>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <select
          {...attributes}
          value={value}
          onChange={({ target }) => onChange(values.find((one) => one === target.value) ?? value)}
        >
          {values.map((one) => (
            <option key={one} value={one}>
              {names[one]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
