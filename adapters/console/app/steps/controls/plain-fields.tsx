/** Fields with a plain value: texts, numbers, choices and switches. */
import { type ReactNode, useEffect, useId, useState } from "react";
import { FieldNote, type FieldProblem, isError } from "../../elements/fields/field-note.tsx";
import { LabelledField } from "../../expressions/labelled-field.tsx";
import { useTexts } from "../../texts/language.ts";
import { numberIn } from "./number-text.ts";

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: FieldProblem | null;
}

interface TextFieldProps extends FieldProps {
  readonly value: string | undefined;
  /** Called with undefined for an empty text of an optional field. */
  readonly onChange: (value: string | undefined) => void;
  /** @default true */
  readonly isOptional?: boolean;
  /** @default false */
  readonly isLong?: boolean;
  readonly placeholder?: string;
  readonly maxLength?: number;
}

export function TextField(props: TextFieldProps) {
  const { label, hint, error = null, value = "", onChange, isOptional = true, isLong = false } = props;
  const { placeholder, maxLength } = props;
  const change = (text: string) => onChange(text === "" && isOptional ? undefined : text);
  return (
    <LabelledField label={label} hint={hint} error={error} isOptional={isOptional}>
      {({ id, describedBy, isInvalid }) => {
        const attributes = {
          id,
          value,
          placeholder,
          maxLength,
          "aria-describedby": describedBy,
          "aria-invalid": isInvalid,
        };
        return isLong ? (
          <textarea {...attributes} onChange={({ target }) => change(target.value)} />
        ) : (
          <input {...attributes} onChange={({ target }) => change(target.value)} />
        );
      }}
    </LabelledField>
  );
}

interface NumberFieldProps extends FieldProps {
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
  /** @default true */
  readonly isOptional?: boolean;
  readonly unit?: string;
  readonly placeholder?: string | undefined;
}

export function NumberField({
  label,
  hint,
  error = null,
  value,
  onChange,
  isOptional = true,
  unit,
  placeholder,
}: NumberFieldProps) {
  const { steps: texts } = useTexts();
  const [text, setText] = useState(value === undefined ? "" : String(value));
  const read = numberIn(text);
  useEffect(() => {
    setText((shown) => (numberIn(shown) === value ? shown : value === undefined ? "" : String(value)));
  }, [value]);
  const isWrong = text.trim() !== "" && read === undefined;
  return (
    <LabelledField label={label} hint={hint} error={isWrong ? texts.noNumber : error} isOptional={isOptional}>
      {({ id, describedBy, isInvalid }) => (
        <span className="with-unit">
          <input
            {...{ id, value: text, placeholder, "aria-describedby": describedBy, "aria-invalid": isInvalid }}
            inputMode="decimal"
            autoComplete="off"
            onChange={({ target }) => {
              setText(target.value);
              const next = numberIn(target.value);
              if (next !== undefined || (target.value.trim() === "" && isOptional)) onChange(next);
            }}
          />
          {unit === undefined ? null : <span className="unit">{unit}</span>}
        </span>
      )}
    </LabelledField>
  );
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

interface ChoiceFieldProps extends FieldProps {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly options: readonly Option[];
  /** What stands for no choice; without it, one of the options must be chosen. */
  readonly none?: string | undefined;
  readonly isOptional?: boolean;
}

export function ChoiceField({ label, hint, error = null, isOptional = false, ...rest }: ChoiceFieldProps) {
  return (
    <LabelledField label={label} hint={hint} error={error} isOptional={isOptional}>
      {({ id, describedBy, isInvalid }) => <Choice {...rest} id={id} describedBy={describedBy} isInvalid={isInvalid} />}
    </LabelledField>
  );
}

interface ChoiceProps extends Pick<ChoiceFieldProps, "value" | "onChange" | "options" | "none"> {
  readonly id?: string;
  readonly label?: string;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
}

/** A value that is not among the options stays chosen. */
export function Choice({ value, onChange, options, none, id, label, describedBy, isInvalid }: ChoiceProps) {
  const { forms } = useTexts();
  const isKnown = value === undefined || options.some((one) => one.value === value);
  return (
    <select
      id={id}
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value === "" && none !== undefined ? undefined : target.value)}
    >
      {none === undefined && value !== undefined && value !== "" ? null : (
        <option value="">{none ?? forms.choose}</option>
      )}
      {options.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ))}
      {isKnown ? null : <option value={value}>{value}</option>}
    </select>
  );
}

interface SwitchFieldProps extends FieldProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly isDisabled?: boolean;
}

export function SwitchField({ label, hint, error = null, isOn, onChange, isDisabled = false }: SwitchFieldProps) {
  const id = useId();
  return (
    <div className="switch-field">
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        aria-invalid={isError(error)}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      <FieldNote problem={error} />
    </div>
  );
}
