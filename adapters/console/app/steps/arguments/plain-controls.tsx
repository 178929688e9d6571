/** Controls for plain values that are no texts. */
import { useEffect, useState } from "react";
import type { Choice } from "../../../../../src/forms/model/form-model.ts";
import { FieldNote } from "../../elements/fields/field-note.tsx";
import type { PlainControl } from "../../expressions/value-field.tsx";
import { useTexts } from "../../texts/language.ts";
import { numberIn } from "../controls/number-text.ts";

export function NumberControl({ id, describedBy, isInvalid, value, onChange }: PlainControl) {
  const { steps: texts } = useTexts();
  const [text, setText] = useState(typeof value === "number" ? String(value) : "");
  useEffect(() => {
    setText((shown) => (numberIn(shown) === value ? shown : typeof value === "number" ? String(value) : ""));
  }, [value]);
  const isWrong = text.trim() !== "" && numberIn(text) === undefined;
  return (
    <>
      <input
        {...{ id, value: text, "aria-describedby": describedBy, "aria-invalid": isInvalid || isWrong }}
        inputMode="decimal"
        autoComplete="off"
        onChange={({ target }) => {
          setText(target.value);
          const number = numberIn(target.value);
          if (number !== undefined || target.value.trim() === "") onChange(number);
        }}
      />
      <FieldNote problem={isWrong ? texts.noNumber : null} />
    </>
  );
}

/** Three states: a value that is left out may mean something else than false. */
export function BooleanControl({ id, describedBy, isInvalid, value, onChange }: PlainControl) {
  const { general, steps: texts } = useTexts();
  return (
    <select
      {...{ id, "aria-describedby": describedBy, "aria-invalid": isInvalid }}
      value={value === true ? "true" : value === false ? "false" : ""}
      onChange={({ target }) => onChange(target.value === "" ? undefined : target.value === "true")}
    >
      <option value="">{texts.none}</option>
      <option value="true">{general.yes}</option>
      <option value="false">{general.no}</option>
    </select>
  );
}

interface ChoiceControlProps extends PlainControl {
  readonly choices: readonly Choice[];
}

export function ChoiceControl({ id, describedBy, isInvalid, value, onChange, choices }: ChoiceControlProps) {
  const { steps: texts } = useTexts();
  const chosen = choices.findIndex((one) => one.value === value);
  const isOdd = chosen < 0 && value !== undefined && value !== "";
  return (
    <select
      {...{ id, "aria-describedby": describedBy, "aria-invalid": isInvalid }}
      value={isOdd ? "odd" : chosen < 0 ? "" : String(chosen)}
      onChange={({ target }) => {
        if (target.value !== "odd") onChange(target.value === "" ? undefined : choices[Number(target.value)]?.value);
      }}
    >
      <option value="">{texts.none}</option>
      {choices.map(({ value: one, label }, index) => (
        <option key={String(one)} value={String(index)}>
          {label}
        </option>
      ))}
      {isOdd ? <option value="odd">{JSON.stringify(value)}</option> : null}
    </select>
  );
}
