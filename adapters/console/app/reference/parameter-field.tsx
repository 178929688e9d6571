/** The field of a parameter: the values that it can have to choose from, a number, or text. */
import { Fragment } from "react";
import { Field } from "../elements/fields/field.tsx";
import { useTexts } from "../texts/language.ts";
import type { Parameter, Schema } from "./document.ts";
import { exampleObject } from "./object-parameter.ts";

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
  const hint =
    schema.type === "array" ? (
      <Hint text={texts.separated} values={textsOf(schema.items ?? {})} />
    ) : schema.type === "object" ? (
      <Hint text={texts.asJson} values={[exampleObject(schema)]} />
    ) : undefined;
  return (
    <Field label={<code>{name}</code>} isOptional={!required} hint={hint}>
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

function Hint({ text, values }: { readonly text: string; readonly values: readonly string[] }) {
  return (
    <>
      {text}
      {values.map((value) => (
        <Fragment key={value}>
          {" "}
          <code>{value}</code>
        </Fragment>
      ))}
    </>
  );
}

/** The texts of an enumeration. Empty for other schemas. */
const textsOf = ({ enum: values = [] }: Schema): readonly string[] =>
  values.filter((value): value is string => typeof value === "string");
