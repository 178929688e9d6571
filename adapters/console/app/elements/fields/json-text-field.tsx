/** A field into which JSON is pasted. */
import type { ReactNode } from "react";
import { Field } from "./field.tsx";

interface JsonTextFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error: string | null;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

export function JsonTextField({ label, hint, error, value, onChange }: JsonTextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <textarea
          {...attributes}
          className="code"
          rows={10}
          dir="ltr"
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
