/**
 * A form for the arguments of an action or of a workflow, from their JSON Schema. Each value may be an expression, and
 * names that the schema does not know stay.
 */
import { useState } from "react";
import { isRecord, type JsonObject, type JsonValue } from "../../../../../src/json.ts";
import { Button } from "../../elements/controls/button.tsx";
import { useTexts } from "../../texts/language.ts";
import { JsonField } from "../controls/json-field.tsx";
import { pointerPart } from "../kind-props.ts";
import { withField } from "../step-change.ts";
import { ArgumentField } from "./argument-field.tsx";
import { fieldsOf } from "./argument-shape.ts";

interface ArgumentFieldsProps {
  readonly label: string;
  /** Null if nothing is known. */
  readonly schema: JsonObject | null;
  readonly value: JsonObject;
  readonly onChange: (value: JsonObject) => void;
  /** Pointer of the value within the step. */
  readonly at: string;
  readonly problemAt: (pointer: string) => string | null;
  readonly hasAuto: boolean;
  /** Names whose values may only be plain, or only expressions. */
  readonly modes?: Readonly<Record<string, readonly ("value" | "expression")[]>>;
}

export function ArgumentFields(props: ArgumentFieldsProps) {
  const { label, schema, value, onChange, at, problemAt } = props;
  const { steps: texts } = useTexts();
  const fields = schema === null ? [] : fieldsOf(schema);
  const [isJson, setJson] = useState(false);
  if (fields.length === 0 || isJson) {
    return (
      <div className="rows">
        <JsonField
          label={label}
          hint={texts.argumentsHint}
          type="object"
          isOptional={false}
          value={value}
          error={problemAt(at)}
          onChange={(next) => {
            if (isObject(next)) onChange(next);
          }}
        />
        {fields.length === 0 ? null : <Toggle face={texts.asForm} onClick={() => setJson(false)} />}
      </div>
    );
  }
  const known = new Set(fields.map(({ name }) => name));
  const others = Object.keys(value).filter((name) => !known.has(name));
  const set = (name: string, next: JsonValue | undefined) => onChange(withField(value, name, next));
  return (
    <fieldset className="rows">
      <div className="row-head">
        <legend>{label}</legend>
        <Toggle face={texts.asJson} onClick={() => setJson(true)} />
      </div>
      {fields.map((field) => (
        <ArgumentField
          key={field.name}
          field={field}
          value={value[field.name]}
          onChange={(next) => set(field.name, next)}
          at={`${at}/${pointerPart(field.name)}`}
          problemAt={problemAt}
          hasAuto={props.hasAuto}
          modes={props.modes?.[field.name]}
          depth={0}
        />
      ))}
      {others.map((name) => (
        <JsonField
          key={name}
          label={name}
          hint={texts.unknownArgument}
          value={value[name]}
          error={problemAt(`${at}/${pointerPart(name)}`)}
          onChange={(next) => set(name, next)}
        />
      ))}
    </fieldset>
  );
}

function Toggle({ face, onClick }: { readonly face: string; readonly onClick: () => void }) {
  return (
    <Button kind="quiet" onClick={onClick}>
      {face}
    </Button>
  );
}

const isObject = (value: JsonValue | undefined): value is JsonObject => isRecord(value);
