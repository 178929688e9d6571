/** What a workflow asks for: input definitions. */
import * as v from "valibot";
import { typeMessage } from "../../messages/variant-message.ts";
import { jsonObject, list, map, strictObject, Visibility } from "../../schema.ts";

const name = v.pipe(v.string(), v.maxLength(1_024, "Must have at most 1024 characters."));
const desc = v.pipe(v.string(), v.maxLength(10_240, "Must have at most 10240 characters."));
const placeholder = v.pipe(v.string(), v.maxLength(512, "Must have at most 512 characters."));
const order = v.pipe(v.number(), v.minValue(0, "Must be at least 0."));

/** How fields are laid out; also the `display` of the input options of a version. */
export const Display = strictObject({
  field: v.exactOptional(v.picklist(["inline", "stacked"])),
  container: v.exactOptional(v.picklist(["grid", "full", "center"])),
  /** Hides the field from the UI. */
  hidden: v.exactOptional(v.boolean()),
});
export interface Display extends v.InferOutput<typeof Display> {}

/** `input_options` of a version. */
export const InputOptions = strictObject({ display: v.exactOptional(Display) });
export interface InputOptions extends v.InferOutput<typeof InputOptions> {}

/** Values to choose from. */
const choices = list(
  v.union([v.string(), v.number(), strictObject({ value: v.union([v.string(), v.number()]), label: v.string() })]),
);

/** Whether a value is picked or written as an expression. */
const allowedModes = list(v.picklist(["value", "expression"]));

export const SelectOption = strictObject({
  value: v.string(),
  label: v.exactOptional(v.string()),
  desc: v.exactOptional(v.string()),
});
export interface SelectOption extends v.InferOutput<typeof SelectOption> {}

const common = {
  name: v.exactOptional(name),
  desc: v.exactOptional(desc),
  /** Whether the value may be omitted; it is then null. Default: false. */
  optional: v.exactOptional(v.boolean()),
  /** Several values. */
  array: v.exactOptional(v.boolean()),
  placeholder: v.exactOptional(placeholder),
  display: v.exactOptional(Display),
  order: v.exactOptional(order),
  /**
   * Filled by whoever configures the workflow, through `input_default`, never by a run's input; a version cannot be
   * deployed without its value. Not within a list of objects, where `input_default` cannot say of which.
   */
  config: v.exactOptional(v.boolean()),
  link: v.exactOptional(v.string()),
  metadata: v.exactOptional(jsonObject),
} as const;

/** A list of MIME types, wildcards such as `image/*` allowed. */
const mimeTypes = list(
  v.pipe(
    v.string(),
    v.regex(/^([\w.+!#$&^-]+\/([\w.+!#$&^-]+|\*)|\*\/\*)$/, 'Must be a MIME type such as "text/csv" or "image/*".'),
  ),
);

const FileField = strictObject({
  type: v.literal("file"),
  ...common,
  allowed_types: v.exactOptional(mimeTypes),
  /** The step that reads the file gets its text. */
  extract_contents: v.exactOptional(v.boolean()),
  /** The step that reads the file gets its images. */
  extract_images: v.exactOptional(v.boolean()),
  visibility: v.exactOptional(Visibility),
});
export interface FileField extends v.InferOutput<typeof FileField> {}

const NumberField = strictObject({
  type: v.literal("number"),
  ...common,
  default: v.exactOptional(v.number()),
  list: v.exactOptional(choices),
});
export interface NumberField extends v.InferOutput<typeof NumberField> {}

const StringField = strictObject({
  type: v.literal("string"),
  ...common,
  default: v.exactOptional(v.string()),
  validation: v.exactOptional(v.picklist(["url"])),
  list: v.exactOptional(choices),
});
export interface StringField extends v.InferOutput<typeof StringField> {}

const BooleanField = strictObject({
  type: v.literal("boolean"),
  ...common,
  default: v.exactOptional(v.boolean()),
  allowed_modes: v.exactOptional(allowedModes),
});
export interface BooleanField extends v.InferOutput<typeof BooleanField> {}

const DateField = strictObject({ type: v.literal("date"), ...common });
export interface DateField extends v.InferOutput<typeof DateField> {}

const DatetimeField = strictObject({ type: v.literal("datetime"), ...common });
export interface DatetimeField extends v.InferOutput<typeof DatetimeField> {}

const TimeField = strictObject({ type: v.literal("time"), ...common });
export interface TimeField extends v.InferOutput<typeof TimeField> {}

const SelectField = strictObject({
  type: v.literal("select"),
  ...common,
  options: v.pipe(list(SelectOption), v.minLength(1, "Must have at least one option.")),
  default: v.exactOptional(v.string()),
  list: v.exactOptional(choices),
  allowed_modes: v.exactOptional(allowedModes),
  /** Values beside the options are taken too. */
  additional_options: v.exactOptional(v.boolean()),
});
export interface SelectField extends v.InferOutput<typeof SelectField> {}

const ContentField = strictObject({
  type: v.literal("content"),
  ...common,
  /** Markdown, shown between the fields; takes no value. */
  content: v.exactOptional(v.string()),
});
export interface ContentField extends v.InferOutput<typeof ContentField> {}

const ConnectionField = strictObject({
  type: v.literal("connection"),
  ...common,
  /** Names of services; left out, a connection of the app for any. */
  allowed_types: v.exactOptional(list(v.string())),
});
export interface ConnectionField extends v.InferOutput<typeof ConnectionField> {}

const FLAT = [
  FileField,
  NumberField,
  StringField,
  BooleanField,
  DateField,
  DatetimeField,
  TimeField,
  SelectField,
  ContentField,
  ConnectionField,
] as const;

const objectFields = {
  type: v.literal("object"),
  ...common,
  /** Whether names beside `fields` are taken: all of them, or these. */
  additional_fields: v.exactOptional(v.union([v.boolean(), list(v.string())])),
} as const;
const ObjectShape = strictObject(objectFields);

/** The one field that holds others, to any depth. */
export interface ObjectField extends v.InferOutput<typeof ObjectShape> {
  fields: InputDefinition;
}

export type InputField =
  | FileField
  | NumberField
  | StringField
  | BooleanField
  | DateField
  | DatetimeField
  | TimeField
  | SelectField
  | ContentField
  | ConnectionField
  | ObjectField;

/** A map of field name to field. */
export interface InputDefinition {
  [name: string]: InputField;
}

export const InputField: v.GenericSchema<InputField> = v.variant(
  "type",
  [
    ...FLAT,
    strictObject({
      ...objectFields,
      fields: map(
        v.lazy(() => InputField),
        name,
      ),
    }),
  ],
  typeMessage([...FLAT, ObjectShape].map(({ entries }) => entries.type.literal)),
);

/** A map of field name to field. Names are free, up to 1,024 characters. */
export const InputDefinition: v.GenericSchema<InputDefinition> = map(InputField, name);
