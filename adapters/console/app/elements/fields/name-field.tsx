/** The name of a thing, 1 to 256 characters, as everything in an app has one. */
import type { ReactNode } from "react";
import { useTexts } from "../../texts/language.ts";
import { fieldError } from "../dialogs/use-action.ts";
import { Field } from "./field.tsx";

interface NameFieldProps {
  readonly value: string;
  readonly onChange: (name: string) => void;
  readonly hint?: ReactNode;
  /** What the server said, of which the field shows what is about `/name`. */
  readonly error?: unknown;
}

export function NameField({ value, onChange, hint, error }: NameFieldProps) {
  const { general } = useTexts();
  return (
    <Field label={general.name} hint={hint} error={fieldError(error, "/name")}>
      {(attributes) => (
        <input
          {...attributes}
          required
          maxLength={256}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
