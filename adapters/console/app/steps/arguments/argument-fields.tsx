/**
 * A form for the arguments of an action or of a workflow, from their JSON Schema. Each value may be an expression, and
 * names that the schema does not know stay.
 */
import { useMemo, useState } from "react";
import { schemaModel } from "../../../../../src/forms/model/schema-model.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../../src/json.ts";
import { Button } from "../../elements/controls/button.tsx";
import type { FieldProblem } from "../../elements/fields/field-note.tsx";
import { useTexts } from "../../texts/language.ts";
import { JsonField } from "../controls/json-field.tsx";
import { ArgumentField, ObjectFields } from "./argument-field.tsx";

interface ArgumentFieldsProps {
  readonly label: string;
  /** Null if nothing is known. */
  readonly schema: JsonObject | null;
  readonly value: JsonObject;
  readonly onChange: (value: JsonObject) => void;
  /** Pointer of the value within the step. */
  readonly at: string;
  readonly problemAt: (pointer: string) => FieldProblem | null;
  readonly hasAuto: boolean;
  /** Names whose values may only be plain, or only expressions. */
  readonly modes?: Readonly<Record<string, readonly ("value" | "expression")[]>>;
}

export function ArgumentFields(props: ArgumentFieldsProps) {
  const { label, schema, value, onChange, at, problemAt, hasAuto } = props;
  const { steps: texts } = useTexts();
  const model = useMemo(() => schemaModel(schema), [schema]);
  const [isJson, setJson] = useState(false);
  const hasForm = model.kind === "variants" || (model.kind === "object" && model.fields.length > 0);
  const change = (next: JsonValue | undefined) => {
    if (isJsonObject(next)) onChange(next);
  };
  if (!hasForm || isJson) {
    return (
      <div className="rows">
        <JsonField
          label={label}
          hint={texts.argumentsHint}
          type="object"
          isOptional={false}
          value={value}
          error={problemAt(at)}
          onChange={change}
        />
        {hasForm ? <Toggle face={texts.asForm} onClick={() => setJson(false)} /> : null}
      </div>
    );
  }
  const shared = { at, problemAt, hasAuto, onChange: change, unknownHint: texts.unknownArgument };
  return (
    <fieldset className="rows">
      <div className="row-head">
        <legend>{label}</legend>
        <Toggle face={texts.asJson} onClick={() => setJson(true)} />
      </div>
      {model.kind === "object" ? (
        <ObjectFields {...shared} shape={model} value={value} modes={props.modes} isOptional={false} />
      ) : (
        <ArgumentField
          {...shared}
          field={{ label, desc: null, isOptional: false, empty: "omitted", shape: model }}
          modes={PLAIN}
          // Without any value, nothing tells which variant it is.
          value={Object.keys(value).length === 0 ? undefined : value}
        />
      )}
    </fieldset>
  );
}

/** The arguments themselves are always an object. */
const PLAIN = ["value"] as const;

function Toggle({ face, onClick }: { readonly face: string; readonly onClick: () => void }) {
  return (
    <Button kind="quiet" onClick={onClick}>
      {face}
    </Button>
  );
}
