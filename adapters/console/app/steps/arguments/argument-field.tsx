/** One argument: its control, or an expression in place of it. */

import type { ReactNode } from "react";
import { pointerPart } from "../../../../../src/encoding/json-pointer.ts";
import type { Choice, ListShape, ObjectShape, Shape, TextShape } from "../../../../../src/forms/model/form-model.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownField, sortedJson } from "../../../../../src/json.ts";
import type { FieldProblem } from "../../elements/fields/field-note.tsx";
import { type PlainControl, ValueField } from "../../expressions/value-field.tsx";
import { useNotation } from "../../forms/use-notation.ts";
import { useTexts } from "../../texts/language.ts";
import { AddRow } from "../controls/add-row.tsx";
import { JsonField } from "../controls/json-field.tsx";
import { Row, RowTools } from "../controls/row-tools.tsx";
import { moved, removed, replaced, withField } from "../step-change.ts";
import { type Argument, blankEntry, constantsOf, fits, shownVariant } from "./argument-values.ts";
import { Nested } from "./nested.tsx";
import { BooleanControl, ChoiceControl, NumberControl } from "./plain-controls.tsx";
import { VariantsArgument } from "./variants-argument.tsx";

interface ArgumentFieldProps {
  readonly field: Argument;
  readonly value: JsonValue | undefined;
  readonly onChange: (value: JsonValue | undefined) => void;
  readonly at: string;
  readonly problemAt: (pointer: string) => FieldProblem | null;
  readonly hasAuto: boolean;
  readonly modes?: readonly ("value" | "expression")[] | undefined;
  /** Beside values whose names the schema does not know. */
  readonly unknownHint: string;
}

export function ArgumentField(props: ArgumentFieldProps) {
  const { field, onChange, at, problemAt, hasAuto, modes } = props;
  const { label, desc, isOptional, empty } = field;
  const notation = useNotation();
  const shape = controlShape(field.shape);
  // Null means the same as no value, as in forms.
  const value = props.value === null && isOptional && shape.kind !== "json" ? undefined : props.value;
  const change = (next: JsonValue | undefined) => onChange(next === undefined && empty === "null" ? null : next);
  const isText = typeof value === "string";
  if (shape.kind === "object" && !isText && (value === undefined || isJsonObject(value)))
    return <ObjectArgument {...props} shape={shape} value={value} />;
  if (shape.kind === "list" && !isText && (value === undefined || Array.isArray(value)))
    return <ListArgument {...props} shape={shape} value={value} />;
  if (shape.kind === "variants" && (value === undefined || shownVariant(shape, value, null, notation) !== null)) {
    return (
      <VariantsArgument
        label={label}
        hint={desc}
        shape={shape}
        isOptional={isOptional}
        value={value}
        onChange={change}
        error={problemAt(at)}
        takesExpression={modes?.includes("expression") !== false}
      >
        {(chosen, name) => <VariantField {...props} shape={chosen} name={name} />}
      </VariantsArgument>
    );
  }
  // A value of another type than the schema says stays as it is, as JSON.
  const isOdd = value !== undefined && !isText && !fits(shape.kind, value);
  const kind = isOdd ? "json" : shape.kind;
  return (
    <ValueField
      label={label}
      hint={desc ?? undefined}
      isOptional={isOptional}
      value={value}
      error={problemAt(at)}
      allowedModes={modes}
      hasAuto={hasAuto}
      isLong={shape.kind === "text" && isLongText(shape, field)}
      onChange={(next) => change(next === "" && isOptional ? undefined : next)}
      {...(TEXTS.has(kind) ? undefined : { plain: plainOf(kind, shape.kind === "choice" ? shape.choices : [], label) })}
    />
  );
}

/** They are written as texts. */
const TEXTS: ReadonlySet<Shape["kind"]> = new Set(["text", "date", "time", "datetime", "connection"]);

const JSON_SHAPE = { kind: "json" } as const;

/** What has no control of its own in a step is a choice of one value, or JSON. */
function controlShape(shape: Shape): Shape {
  if (shape.kind === "object" && shape.fields.length === 0) return JSON_SHAPE;
  if (shape.kind !== "constant") return shape;
  const { value } = shape;
  if (value === null || typeof value === "object") return JSON_SHAPE;
  return { kind: "choice", choices: [{ value, label: String(value), desc: null }], look: "dropdown" };
}

const LONG_NAMES = /\b(?:text|body|html|markdown|message|content|description|prompt)\b/i;

function isLongText({ look }: TextShape, { label, desc }: Argument): boolean {
  if (look !== "grows") return look === "lines";
  return LONG_NAMES.test(`${label} ${desc ?? ""}`) && !/\bur[il]\b/i.test(desc ?? "");
}

function plainOf(kind: Shape["kind"], choices: readonly Choice[], label: string) {
  return (control: PlainControl): ReactNode => {
    if (kind === "number") return <NumberControl {...control} />;
    if (kind === "boolean") return <BooleanControl {...control} />;
    if (kind === "choice") return <ChoiceControl {...control} choices={choices} />;
    return <JsonField label={label} value={control.value} onChange={control.onChange} isBare={true} />;
  };
}

interface VariantFieldProps extends ArgumentFieldProps {
  readonly shape: Shape;
  readonly name: string;
}

/** The fields of an object stand beside the choice; a single value has a control of its own. */
function VariantField({ shape, name, ...props }: VariantFieldProps) {
  const { value, field } = props;
  if (shape.kind === "constant") return null;
  if (shape.kind === "object" && shape.fields.length > 0 && (value === undefined || isJsonObject(value)))
    return <ObjectFields {...props} shape={shape} value={value} isOptional={field.isOptional} modes={undefined} />;
  return <ArgumentField {...props} field={{ ...field, label: name, desc: null, shape }} />;
}

interface ObjectArgumentProps extends Omit<ArgumentFieldProps, "value"> {
  readonly shape: ObjectShape;
  readonly value: JsonObject | undefined;
}

function ObjectArgument(props: ObjectArgumentProps) {
  return (
    <Nested label={props.field.label} onChange={props.onChange}>
      <ObjectFields {...props} isOptional={props.field.isOptional} modes={undefined} />
    </Nested>
  );
}

interface ObjectFieldsProps extends Omit<ObjectArgumentProps, "field" | "modes"> {
  readonly isOptional: boolean;
  /** Names whose values may only be plain, or only expressions. */
  readonly modes?: Readonly<Record<string, readonly ("value" | "expression")[]>> | undefined;
}

/** Names that the schema does not know stay. */
export function ObjectFields(props: ObjectFieldsProps) {
  const { shape, value, onChange, at, problemAt, hasAuto, isOptional, modes, unknownHint } = props;
  const given = value ?? {};
  const known = new Set(shape.fields.map(({ key }) => key));
  const set = (name: string, next: JsonValue | undefined) => {
    const changed = withField(value ?? constantsOf(shape), name, next);
    onChange(Object.keys(changed).length === 0 && isOptional ? undefined : changed);
  };
  return (
    <>
      {shape.fields
        .filter((one) => !isSetConstant(one.shape, ownField(given, one.key)))
        .map((one) => (
          <ArgumentField
            key={one.key}
            field={one}
            value={ownField(given, one.key)}
            onChange={(next) => set(one.key, next)}
            at={`${at}/${pointerPart(one.key)}`}
            problemAt={problemAt}
            hasAuto={hasAuto}
            modes={ownField(modes ?? {}, one.key)}
            unknownHint={unknownHint}
          />
        ))}
      {Object.keys(given)
        .filter((name) => !known.has(name))
        .map((name) => (
          <JsonField
            key={name}
            label={name}
            hint={unknownHint}
            value={given[name]}
            error={problemAt(`${at}/${pointerPart(name)}`)}
            onChange={(next) => set(name, next)}
          />
        ))}
    </>
  );
}

/** There is nothing to choose. */
const isSetConstant = (shape: Shape, value: JsonValue | undefined) =>
  shape.kind === "constant" && value !== undefined && sortedJson(value) === sortedJson(shape.value);

interface ListArgumentProps extends Omit<ArgumentFieldProps, "value"> {
  readonly shape: ListShape;
  readonly value: readonly JsonValue[] | undefined;
}

function ListArgument({ shape, value = [], onChange, at, problemAt, hasAuto, field, unknownHint }: ListArgumentProps) {
  const { steps: texts } = useTexts();
  const { label } = field;
  const { item } = shape;
  const change = (next: JsonValue[]) => onChange(next.length === 0 && field.isOptional ? undefined : next);
  return (
    <Nested label={label} onChange={onChange}>
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
              field={{ label: name, desc: null, isOptional: false, empty: "omitted", shape: item }}
              value={one}
              onChange={(next) => change(replaced(value, index, next ?? ""))}
              at={`${at}/${index}`}
              problemAt={problemAt}
              hasAuto={hasAuto}
              unknownHint={unknownHint}
            />
          </Row>
        );
      })}
      <AddRow onAdd={() => change([...value, blankEntry(item)])}>{texts.addEntry(label)}</AddRow>
    </Nested>
  );
}
