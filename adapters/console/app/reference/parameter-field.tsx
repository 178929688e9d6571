/** The field of a parameter: the values that it can have to choose from, a number, or text. */
import { Field } from "../elements/fields/field.tsx";
import { useTexts } from "../texts/language.ts";
import type { Parameter, Schema } from "./document.ts";

interface ParameterFieldProps {
  readonly parameter: Parameter;
  /** Empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
  const { reference: texts } = useTexts();
  const { name, in: place, schema = {} } = parameter;
  const required = parameter.required === true || place === "path";
  const choices = schema.type === "boolean" ? ["true", "false"] : textsOf(schema);
  const allowed = textsOf(schema.items ?? {});
  return (
    <Field
      label={<code>{name}</code>}
      isOptional={!required}
      hint={schema.type === "array" ? <ListHint values={allowed} /> : undefined}
    >
      {(attributes) => {
        const shared = { ...attributes, required, value };
        if (choices.length > 0) {
          return (
            <select {...shared} onChange={({ target }) => onChange(target.value)}>
              <option value="">{texts.notSet}</option>
              {choices.map((one) => (
                <option key={one} value={one}>
                  {one.trim() === "" ? JSON.stringify(one) : one}
                </option>
              ))}
            </select>
          );
        }
        const isNumber = schema.type === "integer";
        return (
          <input
            {...shared}
            type={isNumber ? "number" : "text"}
            min={isNumber ? schema.minimum : undefined}
            max={isNumber ? schema.maximum : undefined}
            onChange={({ target }) => onChange(target.value)}
          />
        );
      }}
    </Field>
  );
}

function ListHint({ values }: { readonly values: readonly string[] }) {
  const { reference: texts } = useTexts();
  return (
    <>
      {texts.separated}{" "}
      {values.map((value, index) => (
        <span key={value}>
          {index === 0 ? "" : " "}
          <code>{value}</code>
        </span>
      ))}
    </>
  );
}

/** The texts of an enumeration. Empty for other schemas. */
const textsOf = ({ enum: values = [] }: Schema): readonly string[] =>
  values.filter((value): value is string => typeof value === "string");
