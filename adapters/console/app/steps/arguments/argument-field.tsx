/** One argument: its control, or an expression in place of it. */
import type { ReactNode } from "react";
import { isRecord, type JsonObject, type JsonValue } from "../../../../../src/json.ts";
import { Button } from "../../elements/controls/button.tsx";
import { type PlainControl, ValueField } from "../../expressions/value-field.tsx";
import { useTexts } from "../../texts/language.ts";
import { JsonField } from "../controls/json-field.tsx";
import { Row, RowTools } from "../controls/row-tools.tsx";
import { moved, removed, replaced, withField } from "../step-change.ts";
import { type ArgumentField as Field, shapeOf } from "./argument-shape.ts";
import { BooleanControl, ChoiceControl, NumberControl } from "./plain-controls.tsx";

interface ArgumentFieldProps {
  readonly field: Field;
  readonly value: JsonValue | undefined;
  readonly onChange: (value: JsonValue | undefined) => void;
  readonly at: string;
  readonly problemAt: (pointer: string) => string | null;
  readonly hasAuto: boolean;
  readonly modes?: readonly ("value" | "expression")[] | undefined;
  readonly depth: number;
}

const textOf = (value: JsonValue | undefined) => (typeof value === "string" && value !== "" ? value : undefined);

export function ArgumentField(props: ArgumentFieldProps) {
  const { field, value, onChange, at, problemAt, hasAuto, modes, depth } = props;
  const { schema, isRequired } = field;
  const label = textOf(schema["title"]) ?? field.name;
  const hint = textOf(schema["description"]);
  const shape = shapeOf(schema, depth);
  const isText = typeof value === "string";
  if (shape.kind === "object" && !isText && (value === undefined || isObject(value)))
    return <ObjectArgument {...props} label={label} fields={shape.fields} value={value} />;
  if (shape.kind === "list" && !isText && (value === undefined || Array.isArray(value)))
    return <ListArgument {...props} label={label} item={shape.item} value={value} />;
  // A value of another type than the schema says stays as it is, as JSON.
  const isOdd = value !== undefined && !isText && !fits(shape.kind, value);
  const isPlainText = shape.kind === "text" && !isOdd;
  return (
    <ValueField
      label={label}
      hint={hint}
      isOptional={!isRequired}
      value={value}
      error={problemAt(at)}
      allowedModes={modes}
      hasAuto={hasAuto}
      isLong={shape.kind === "text" && shape.isLong}
      onChange={(next) => onChange(next === "" && !isRequired ? undefined : next)}
      {...(isPlainText
        ? undefined
        : { plain: plainOf(isOdd ? "json" : shape.kind, shape.kind === "choice" ? shape.values : [], label) })}
    />
  );
}

function fits(kind: string, value: JsonValue): boolean {
  if (kind === "number" || kind === "boolean") return typeof value === kind;
  return kind !== "text";
}

function plainOf(kind: string, values: readonly (string | number | boolean | null)[], label: string) {
  return (control: PlainControl): ReactNode => {
    if (kind === "number") return <NumberControl {...control} />;
    if (kind === "boolean") return <BooleanControl {...control} />;
    if (kind === "choice") return <ChoiceControl {...control} values={values} />;
    return <JsonField label={label} value={control.value} onChange={control.onChange} isBare={true} />;
  };
}

interface ObjectArgumentProps extends Omit<ArgumentFieldProps, "value"> {
  readonly label: string;
  readonly fields: readonly Field[];
  readonly value: JsonObject | undefined;
}

function ObjectArgument({
  label,
  fields,
  value = {},
  onChange,
  at,
  problemAt,
  hasAuto,
  depth,
  field,
}: ObjectArgumentProps) {
  const { steps: texts } = useTexts();
  const known = new Set(fields.map(({ name }) => name));
  const set = (name: string, next: JsonValue | undefined) => {
    const changed = withField(value, name, next);
    onChange(Object.keys(changed).length === 0 && !field.isRequired ? undefined : changed);
  };
  return (
    <fieldset className="nested">
      <div className="row-head">
        <legend>{label}</legend>
        <Button kind="quiet" onClick={() => onChange("{{  }}")}>
          {texts.asExpression}
        </Button>
      </div>
      {fields.map((one) => (
        <ArgumentField
          key={one.name}
          field={one}
          value={value[one.name]}
          onChange={(next) => set(one.name, next)}
          at={`${at}/${one.name}`}
          problemAt={problemAt}
          hasAuto={hasAuto}
          depth={depth + 1}
        />
      ))}
      {Object.keys(value)
        .filter((name) => !known.has(name))
        .map((name) => (
          <JsonField key={name} label={name} value={value[name]} onChange={(next) => set(name, next)} />
        ))}
    </fieldset>
  );
}

interface ListArgumentProps extends Omit<ArgumentFieldProps, "value"> {
  readonly label: string;
  readonly item: JsonObject;
  readonly value: readonly JsonValue[] | undefined;
}

function ListArgument({ label, item, value = [], onChange, at, problemAt, hasAuto, depth, field }: ListArgumentProps) {
  const { steps: texts } = useTexts();
  const change = (next: JsonValue[]) => onChange(next.length === 0 && !field.isRequired ? undefined : next);
  return (
    <fieldset className="nested">
      <div className="row-head">
        <legend>{label}</legend>
        <Button kind="quiet" onClick={() => onChange("{{  }}")}>
          {texts.asExpression}
        </Button>
      </div>
      {value.map((one, index) => {
        const name = texts.entryOf(label, index + 1);
        return (
          <Row key={index} name={name} onMove={(by) => change(moved(value, index, by))}>
            <RowTools
              name={name}
              isFirst={index === 0}
              isLast={index === value.length - 1}
              onMove={(by) => change(moved(value, index, by))}
              onRemove={() => change(removed(value, index))}
            />
            <ArgumentField
              field={{ name, schema: { ...item, title: item["title"] ?? name }, isRequired: true }}
              value={one}
              onChange={(next) => change(replaced(value, index, next ?? ""))}
              at={`${at}/${index}`}
              problemAt={problemAt}
              hasAuto={hasAuto}
              depth={depth + 1}
            />
          </Row>
        );
      })}
      <Button icon="plus" onClick={() => change([...value, emptyOf(item)])}>
        {texts.addEntry(label)}
      </Button>
    </fieldset>
  );
}

/** What a new entry of a list begins as. */
function emptyOf(schema: JsonObject): JsonValue {
  const { kind } = shapeOf(schema);
  return kind === "object" ? {} : kind === "list" ? [] : kind === "boolean" ? false : kind === "number" ? 0 : "";
}

const isObject = (value: JsonValue): value is JsonObject => isRecord(value);
