/** The settings of a choice. */
import type { SelectField } from "../../../../../src/workflows/input/input-field.ts";
import { useTexts } from "../../texts/language.ts";
import { ChoiceField, type Option, SwitchField, TextField } from "../controls/plain-fields.tsx";
import { withField } from "../step-change.ts";
import { ChoiceRows, OptionRows } from "./choice-rows.tsx";
import type { FieldProps } from "./field-props.ts";
import { ModesField } from "./modes-field.tsx";

/** What a default can be: the options, and the further values. */
function choicesOf({ options, list = [] }: SelectField): readonly Option[] {
  const further = list.map((one) => (typeof one === "object" ? one : { value: one, label: undefined }));
  const all = [...options, ...further].map(
    ({ value, label }): Option => ({ value: String(value), label: label || String(value) }),
  );
  return all.filter(({ value }, at) => value !== "" && all.findIndex((one) => one.value === value) === at);
}

export function SelectSettings({ field, onChange, at, problemAt }: FieldProps<SelectField>) {
  const { steps: texts, inputFields: fieldTexts } = useTexts();
  return (
    <>
      <OptionRows
        options={field.options}
        error={problemAt(`${at}/options`)}
        onChange={(options) => onChange({ ...field, options })}
      />
      {field.additional_options === true ? (
        <TextField
          label={fieldTexts.defaultValue}
          value={field.default}
          error={problemAt(`${at}/default`)}
          onChange={(value) => onChange(withField(field, "default", value))}
        />
      ) : (
        <ChoiceField
          label={fieldTexts.defaultValue}
          value={field.default}
          none={texts.none}
          error={problemAt(`${at}/default`)}
          options={choicesOf(field)}
          onChange={(value) => onChange(withField(field, "default", value))}
        />
      )}
      <SwitchField
        label={fieldTexts.additionalOptions}
        isOn={field.additional_options === true}
        error={problemAt(`${at}/additional_options`)}
        onChange={(isOn) => onChange(withField(field, "additional_options", isOn ? true : undefined))}
      />
      <ChoiceRows
        label={fieldTexts.furtherValues}
        choices={field.list}
        error={problemAt(`${at}/list`)}
        onChange={(list) => onChange(withField(field, "list", list))}
      />
      <ModesField
        modes={field.allowed_modes}
        error={problemAt(`${at}/allowed_modes`)}
        onChange={(modes) => onChange(withField(field, "allowed_modes", modes))}
      />
    </>
  );
}
