/** All settings of one input field. */
import { useEffect, useRef, useState } from "react";
import { isRecord } from "../../../../../src/json.ts";
import type { InputField } from "../../../../../src/workflows/input/input-field.ts";
import { FieldNote } from "../../elements/fields/field-note.tsx";
import { isName, pathText } from "../../expressions/known-value.ts";
import { LabelledField } from "../../expressions/labelled-field.tsx";
import { useTexts } from "../../texts/language.ts";
import { JsonField } from "../controls/json-field.tsx";
import { ChoiceField, NumberField, SwitchField, TextField } from "../controls/plain-fields.tsx";
import { worstAt } from "../kind-props.ts";
import { Section } from "../sections/section.tsx";
import { withField, withOption } from "../step-change.ts";
import type { FieldProps } from "./field-props.ts";
import { FIELD_TYPES, retyped } from "./field-types.ts";
import { TypeSettings } from "./type-settings.tsx";

interface FieldSettingsProps extends Omit<FieldProps, "readAs"> {
  readonly name: string;
  readonly onRename: (name: string) => void;
  readonly isTaken: (name: string) => boolean;
  /** The expression of the object that has the field. */
  readonly owner: string;
  readonly isNew: boolean;
}

export function FieldSettings(props: FieldSettingsProps) {
  const { name, field, onChange, at, problemAt, owner } = props;
  const { inputFields: fieldTexts } = useTexts();
  const readAs = oneValueOf(pathText(owner, name, false), field);
  return (
    <div className="field-settings">
      <FieldNote problem={problemAt(at)} />
      <NameField
        name={name}
        readAs={(text) => oneValueOf(pathText(owner, text, false), field)}
        isNew={props.isNew}
        onRename={props.onRename}
        isTaken={props.isTaken}
      />
      <ChoiceField
        label={fieldTexts.fieldType}
        value={field.type}
        error={problemAt(`${at}/type`)}
        options={FIELD_TYPES.map((value) => ({ value, label: fieldTexts.fieldTypes[value] }))}
        onChange={(value) => {
          const type = FIELD_TYPES.find((one) => one === value);
          if (type !== undefined) onChange(retyped(field, type));
        }}
      />
      <TextField
        label={fieldTexts.fieldLabel}
        value={field.name}
        maxLength={1_024}
        error={problemAt(`${at}/name`)}
        onChange={(value) => onChange(withField(field, "name", value))}
      />
      <TextField
        label={fieldTexts.fieldDesc}
        isLong={true}
        value={field.desc}
        maxLength={10_240}
        error={problemAt(`${at}/desc`)}
        onChange={(value) => onChange(withField(field, "desc", value))}
      />
      <SwitchField
        label={fieldTexts.fieldOptional}
        isOn={field.optional === true}
        error={problemAt(`${at}/optional`)}
        onChange={(isOn) => onChange(withField(field, "optional", isOn ? true : undefined))}
      />
      <SwitchField
        label={fieldTexts.fieldArray}
        isOn={field.array === true}
        error={problemAt(`${at}/array`)}
        onChange={(isOn) => onChange(withField(field, "array", isOn ? true : undefined))}
      />
      <TypeSettings field={field} onChange={onChange} at={at} problemAt={problemAt} readAs={readAs} />
      <MoreSettings field={field} onChange={onChange} at={at} problemAt={problemAt} readAs={readAs} />
    </div>
  );
}

/** The expression of one value: steps read files and fields with several values as a list, which may have one item. */
const oneValueOf = (path: string, field: InputField): string =>
  field.array === true || field.type === "file" ? `${path}[0]` : path;

/** Letters that a name without brackets does not have. */
const OTHER_LETTERS = /[^A-Za-z0-9_]+/g;

/** A name like it that expressions read without brackets; null for none. */
function simplerName(name: string): string | null {
  const simple = name.trim().replaceAll(OTHER_LETTERS, "_");
  return isName(name) || !isName(simple) || !/[A-Za-z0-9]/.test(simple) ? null : simple;
}

interface NameFieldProps {
  readonly name: string;
  /** How expressions read the field with a name. */
  readonly readAs: (name: string) => string;
  readonly isNew: boolean;
  readonly onRename: (name: string) => void;
  readonly isTaken: (name: string) => boolean;
}

/** Expressions read the field by this name. It changes when the control is left, unless another field has the name. */
function NameField({ name, readAs, isNew, onRename, isTaken }: NameFieldProps) {
  const { steps: texts, inputFields: fieldTexts } = useTexts();
  const [text, setText] = useState(name);
  const isWrong = text === "" || isTaken(text);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isNew) return;
    input.current?.focus();
    input.current?.select();
  }, [isNew]);
  const simpler = simplerName(text);
  const hints = [fieldTexts.fieldKeyHint(readAs(text)), simpler === null ? "" : fieldTexts.simplerKey(simpler)];
  return (
    <LabelledField
      label={fieldTexts.fieldKey}
      hint={hints.join(" ").trim()}
      error={isWrong ? `${texts.nameTaken} ${texts.keptName(name)}` : null}
    >
      {({ id, describedBy, isInvalid }) => (
        <input
          {...{ id, value: text, "aria-describedby": describedBy, "aria-invalid": isInvalid }}
          ref={input}
          maxLength={1_024}
          spellCheck={false}
          onChange={({ target }) => setText(target.value)}
          onBlur={() => {
            if (!isWrong && text !== name) onRename(text);
          }}
        />
      )}
    </LabelledField>
  );
}

const LABELS = ["stacked", "inline"] as const;
const CONTAINERS = ["grid", "full", "center"] as const;
const CONTROLS = ["radio", "dropdown", "multiline"] as const;

function MoreSettings({ field, onChange, at, problemAt }: FieldProps) {
  const { inputFields: fieldTexts } = useTexts();
  const display = field.display ?? {};
  const show = (next: typeof display | undefined) => onChange(withField(field, "display", next));
  const names = ["placeholder", "display", "order", "config", "link", "metadata"];
  return (
    <Section
      title={fieldTexts.moreFieldSettings}
      isOpen={false}
      problem={worstAt(
        problemAt,
        names.map((name) => `${at}/${name}`),
      )}
    >
      <TextField
        label={fieldTexts.placeholder}
        value={field.placeholder}
        maxLength={512}
        error={problemAt(`${at}/placeholder`)}
        onChange={(value) => onChange(withField(field, "placeholder", value))}
      />
      <DisplayChoice
        label={fieldTexts.labelPlace}
        values={LABELS}
        names={fieldTexts.labelPlaces}
        value={display.field}
        error={problemAt(`${at}/display/field`)}
        onChange={(value) => show(withOption(display, "field", value))}
      />
      <DisplayChoice
        label={fieldTexts.container}
        values={CONTAINERS}
        names={fieldTexts.containers}
        value={display.container}
        error={problemAt(`${at}/display/container`)}
        onChange={(value) => show(withOption(display, "container", value))}
      />
      <DisplayChoice
        label={fieldTexts.control}
        values={CONTROLS}
        names={fieldTexts.controls}
        value={display.control}
        error={problemAt(`${at}/display/control`)}
        onChange={(value) => show(withOption(display, "control", value))}
      />
      <SwitchField
        label={fieldTexts.isHidden}
        isOn={display.hidden === true}
        error={problemAt(`${at}/display/hidden`)}
        onChange={(isOn) => show(withOption(display, "hidden", isOn ? true : undefined))}
      />
      <NumberField
        label={fieldTexts.order}
        value={field.order}
        error={problemAt(`${at}/order`)}
        onChange={(value) => onChange(withField(field, "order", value))}
      />
      <SwitchField
        label={fieldTexts.isConfig}
        hint={fieldTexts.isConfigHint}
        isOn={field.config === true}
        error={problemAt(`${at}/config`)}
        onChange={(isOn) => onChange(withField(field, "config", isOn ? true : undefined))}
      />
      <TextField
        label={fieldTexts.link}
        value={field.link}
        error={problemAt(`${at}/link`)}
        onChange={(value) => onChange(withField(field, "link", value))}
      />
      <JsonField
        label={fieldTexts.metadata}
        type="object"
        value={field.metadata}
        error={problemAt(`${at}/metadata`)}
        onChange={(value) => onChange(withField(field, "metadata", isRecord(value) ? value : undefined))}
      />
    </Section>
  );
}

interface DisplayChoiceProps<Value extends string> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly names: Readonly<Record<Value, string>>;
  readonly value: Value | undefined;
  readonly error: ReturnType<FieldProps["problemAt"]>;
  readonly onChange: (value: Value | undefined) => void;
}

function DisplayChoice<Value extends string>(props: DisplayChoiceProps<Value>) {
  const { label, values, names, value, error, onChange } = props;
  const { steps: texts } = useTexts();
  return (
    <ChoiceField
      label={label}
      value={value}
      none={texts.none}
      error={error}
      options={values.map((one) => ({ value: one, label: names[one] }))}
      onChange={(chosen) => onChange(values.find((one) => one === chosen))}
    />
  );
}
