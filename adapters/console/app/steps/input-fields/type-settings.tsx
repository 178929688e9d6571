/** The settings that only some types of input fields have. */
import { useContext } from "react";
import type {
  BooleanField,
  ConnectionField,
  ContentField,
  FileField,
  NumberField as NumberInput,
  ObjectField,
  StringField,
} from "../../../../../src/workflows/input/input-field.ts";
import { useSurroundings } from "../../expressions/surroundings-context.ts";
import { useTexts } from "../../texts/language.ts";
import { LinesField } from "../controls/list-fields.tsx";
import { ChoiceField, NumberField, SwitchField, TextField } from "../controls/plain-fields.tsx";
import { withField } from "../step-change.ts";
import { ChoiceRows } from "./choice-rows.tsx";
import { type FieldProps, NestedFields } from "./field-props.ts";
import { ModesField } from "./modes-field.tsx";
import { SelectSettings } from "./select-settings.tsx";

export function TypeSettings({ field, onChange, at, problemAt, readAs }: FieldProps) {
  const shared = { onChange, at, problemAt, readAs };
  switch (field.type) {
    case "file":
      return <FileSettings field={field} {...shared} />;
    case "number":
      return <NumberSettings field={field} {...shared} />;
    case "string":
      return <StringSettings field={field} {...shared} />;
    case "boolean":
      return <BooleanSettings field={field} {...shared} />;
    case "select":
      return <SelectSettings field={field} {...shared} />;
    case "content":
      return <ContentSettings field={field} {...shared} />;
    case "connection":
      return <ConnectionSettings field={field} {...shared} />;
    case "object":
      return <ObjectSettings field={field} {...shared} />;
    default:
      return null;
  }
}

function FileSettings({ field, onChange, at, problemAt }: FieldProps<FileField>) {
  const { steps: texts, inputFields: fieldTexts } = useTexts();
  return (
    <>
      <LinesField
        label={fieldTexts.allowedTypes}
        placeholder={"application/pdf\nimage/*"}
        values={field.allowed_types}
        error={problemAt(`${at}/allowed_types`)}
        onChange={(values) => onChange(withField(field, "allowed_types", values))}
      />
      <NumberField
        label={fieldTexts.maxSize}
        unit="bytes"
        value={field.max_size}
        error={problemAt(`${at}/max_size`)}
        onChange={(value) => onChange(withField(field, "max_size", value))}
      />
      <SwitchField
        label={fieldTexts.extractContents}
        isOn={field.extract_contents === true}
        error={problemAt(`${at}/extract_contents`)}
        onChange={(isOn) => onChange(withField(field, "extract_contents", isOn ? true : undefined))}
      />
      <SwitchField
        label={fieldTexts.extractImages}
        isOn={field.extract_images === true}
        error={problemAt(`${at}/extract_images`)}
        onChange={(isOn) => onChange(withField(field, "extract_images", isOn ? true : undefined))}
      />
      <ChoiceField
        label={fieldTexts.visibility}
        value={field.visibility}
        none={texts.byDefault(fieldTexts.visibilities.PRIVATE)}
        error={problemAt(`${at}/visibility`)}
        options={[
          { value: "PRIVATE", label: fieldTexts.visibilities.PRIVATE },
          { value: "PUBLIC", label: fieldTexts.visibilities.PUBLIC },
        ]}
        onChange={(value) =>
          onChange(withField(field, "visibility", value === "PRIVATE" || value === "PUBLIC" ? value : undefined))
        }
      />
    </>
  );
}

function NumberSettings({ field, onChange, at, problemAt }: FieldProps<NumberInput>) {
  const { inputFields: fieldTexts } = useTexts();
  return (
    <>
      <NumberField
        label={fieldTexts.defaultValue}
        value={field.default}
        error={problemAt(`${at}/default`)}
        onChange={(value) => onChange(withField(field, "default", value))}
      />
      <ChoiceRows
        label={fieldTexts.acceptedValues}
        choices={field.list}
        error={problemAt(`${at}/list`)}
        onChange={(list) => onChange(withField(field, "list", list))}
      />
    </>
  );
}

function StringSettings({ field, onChange, at, problemAt }: FieldProps<StringField>) {
  const { inputFields: fieldTexts } = useTexts();
  return (
    <>
      <TextField
        label={fieldTexts.defaultValue}
        value={field.default}
        error={problemAt(`${at}/default`)}
        onChange={(value) => onChange(withField(field, "default", value))}
      />
      <SwitchField
        label={fieldTexts.mustBeUrl}
        isOn={field.validation === "url"}
        error={problemAt(`${at}/validation`)}
        onChange={(isOn) => onChange(withField(field, "validation", isOn ? "url" : undefined))}
      />
      <ChoiceRows
        label={fieldTexts.acceptedValues}
        choices={field.list}
        error={problemAt(`${at}/list`)}
        onChange={(list) => onChange(withField(field, "list", list))}
      />
    </>
  );
}

function BooleanSettings({ field, onChange, at, problemAt }: FieldProps<BooleanField>) {
  const { steps: texts, general, inputFields: fieldTexts } = useTexts();
  return (
    <>
      <ChoiceField
        label={fieldTexts.defaultValue}
        value={field.default === undefined ? undefined : String(field.default)}
        none={texts.none}
        error={problemAt(`${at}/default`)}
        options={[
          { value: "true", label: general.yes },
          { value: "false", label: general.no },
        ]}
        onChange={(value) => onChange(withField(field, "default", value === undefined ? undefined : value === "true"))}
      />
      <ModesField
        modes={field.allowed_modes}
        error={problemAt(`${at}/allowed_modes`)}
        onChange={(modes) => onChange(withField(field, "allowed_modes", modes))}
      />
    </>
  );
}

function ContentSettings({ field, onChange, at, problemAt }: FieldProps<ContentField>) {
  const { steps: texts, inputFields: fieldTexts } = useTexts();
  return (
    <TextField
      label={fieldTexts.content}
      hint={texts.markdownHint}
      isLong={true}
      value={field.content}
      error={problemAt(`${at}/content`)}
      onChange={(value) => onChange(withField(field, "content", value))}
    />
  );
}

function ConnectionSettings({ field, onChange, at, problemAt }: FieldProps<ConnectionField>) {
  const { inputFields: fieldTexts } = useTexts();
  const names = useSurroundings()
    .services.filter(({ connection }) => connection !== null)
    .map(({ name }) => name);
  return (
    <LinesField
      label={fieldTexts.allowedServices}
      hint={fieldTexts.allowedServicesHint(names.join(", "))}
      values={field.allowed_types}
      error={problemAt(`${at}/allowed_types`)}
      onChange={(values) => onChange(withField(field, "allowed_types", values))}
    />
  );
}

function ObjectSettings({ field, onChange, at, problemAt, readAs }: FieldProps<ObjectField>) {
  const { steps: texts, inputFields: fieldTexts } = useTexts();
  const Builder = useContext(NestedFields);
  const more = field.additional_fields;
  const chosen = Array.isArray(more) ? "some" : more === undefined ? undefined : more ? "all" : "no";
  return (
    <>
      <ChoiceField
        label={fieldTexts.additionalFields}
        value={chosen}
        none={texts.byDefault(fieldTexts.additional.no)}
        error={chosen === "some" ? null : problemAt(`${at}/additional_fields`)}
        options={(["no", "all", "some"] as const).map((value) => ({ value, label: fieldTexts.additional[value] }))}
        onChange={(value) => {
          const next = value === "some" ? [] : value === undefined ? undefined : value === "all";
          onChange(withField(field, "additional_fields", next));
        }}
      />
      {Array.isArray(more) ? (
        <LinesField
          label={fieldTexts.additionalNames}
          values={more}
          error={problemAt(`${at}/additional_fields`)}
          onChange={(values) => onChange({ ...field, additional_fields: values ?? [] })}
        />
      ) : null}
      {Builder === null ? null : (
        <Builder
          label={fieldTexts.nestedFields}
          definition={field.fields}
          at={`${at}/fields`}
          problemAt={problemAt}
          readAs={readAs}
          onChange={(fields) => onChange({ ...field, fields })}
        />
      )}
    </>
  );
}
