/** Chooses one of the things that an app has, by their names. */
import type { ReactNode } from "react";
import { useTexts } from "../../texts/language.ts";
import { nameOr } from "../values/visible-text.ts";
import { Field } from "./field.tsx";
import type { FieldProblem } from "./field-note.tsx";

export interface PickerProps {
  readonly appId: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: FieldProblem | null;
  /** Id of the chosen one; empty for none. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** Says that none is an answer, too. */
  readonly noneLabel?: string;
}

interface ItemPickerProps extends Omit<PickerProps, "appId"> {
  readonly items: readonly { readonly id: string; readonly name: string }[];
}

export function ItemPicker({ items, label, hint, error = null, value, onChange, noneLabel }: ItemPickerProps) {
  const { forms } = useTexts();
  const isListed = value === "" || items.some(({ id }) => id === value);
  return (
    <Field label={label} hint={hint} error={error} isOptional={noneLabel !== undefined}>
      {(attributes) => (
        <select
          {...attributes}
          required={noneLabel === undefined}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        >
          <option value="">{noneLabel ?? forms.choose}</option>
          {isListed ? null : <option value={value}>{value}</option>}
          {items.map(({ id, name }) => (
            <option key={id} value={id}>
              {nameOr(name, id)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
