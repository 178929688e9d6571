/** Controls for plain values that are no texts. */
import { useEffect, useState } from "react";
import type { JsonValue } from "../../../../../src/json.ts";
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
      {isWrong ? <p className="field-error">{texts.noNumber}</p> : null}
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
  readonly values: readonly (string | number | boolean | null)[];
}

export function ChoiceControl({ id, describedBy, isInvalid, value, onChange, values }: ChoiceControlProps) {
  const { steps: texts } = useTexts();
  const chosen = isScalar(value) ? values.indexOf(value) : -1;
  const isOdd = chosen < 0 && value !== undefined && value !== "";
  return (
    <select
      {...{ id, "aria-describedby": describedBy, "aria-invalid": isInvalid }}
      value={isOdd ? "odd" : chosen < 0 ? "" : String(chosen)}
      onChange={({ target }) => {
        if (target.value !== "odd") onChange(target.value === "" ? undefined : values[Number(target.value)]);
      }}
    >
      <option value="">{texts.none}</option>
      {values.map((one, index) => (
        <option key={String(one)} value={String(index)}>
          {String(one)}
        </option>
      ))}
      {isOdd ? <option value="odd">{JSON.stringify(value)}</option> : null}
    </select>
  );
}

const isScalar = (value: JsonValue | undefined): value is string | number | boolean | null =>
  value === null || (value !== undefined && typeof value !== "object");
