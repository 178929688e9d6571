/** Input definitions: the fields that a workflow or an input step asks for. */
import * as v from "valibot";
import { typeMessage } from "../../messages/variant-message.ts";
import { jsonObject, list, map, strictObject, Visibility, wholeNumber } from "../../schema.ts";
import { Display, FieldDisplay } from "./display.ts";

const name = v.pipe(v.string(), v.maxLength(1_024, "Must have at most 1024 characters."));
const desc = v.pipe(v.string(), v.maxLength(10_240, "Must have at most 10240 characters."));
const placeholder = v.pipe(v.string(), v.maxLength(512, "Must have at most 512 characters."));
const order = v.pipe(v.number(), v.minValue(0, "Must be at least 0."));

export const InputOptions = strictObject({
  /** Default layout of the fields. */
  display: v.exactOptional(Display),
});
/** Options of the whole form: `input_options` of a version. */
export interface InputOptions extends v.InferOutput<typeof InputOptions> {}

const choices = list(
  v.union([
    v.string(),
    v.number(),
    strictObject({
      /** The value. */
      value: v.union([v.string(), v.number()]),
      /** Label of the value. */
      label: v.string(),
    }),
  ]),
);

const allowedModes = list(v.picklist(["value", "expression"]));

export const SelectOption = strictObject({
  /** The value. */
  value: v.string(),
  /** Label of the value. @default `value` */
  label: v.exactOptional(v.string()),
  /** Description of the value. @default none */
  desc: v.exactOptional(v.string()),
});
/** A value of a `select` field. */
export interface SelectOption extends v.InferOutput<typeof SelectOption> {}

const common = {
  /** Label of the field, at most 1,024 characters. Models see it as the title of the argument. */
  name: v.exactOptional(name),
  /** Description of the field, at most 10,240 characters. Models see it too. */
  desc: v.exactOptional(desc),
  /** Whether the value may be omitted; steps then read null. @default false */
  optional: v.exactOptional(v.boolean()),
  /** Whether the field takes a list of values. @default false */
  array: v.exactOptional(v.boolean()),
  /** Placeholder text in forms, at most 512 characters. */
  placeholder: v.exactOptional(placeholder),
  /** Layout of the field in forms, and its control. */
  display: v.exactOptional(FieldDisplay),
  /** Position of the field in forms, from 0. @default 0 */
  order: v.exactOptional(order),
  /**
   * Whether the value comes from `input_default` of the version instead of the input of the run. Deploying requires
   * this value. Not allowed within an array of objects, because `input_default` cannot address its items.
   * @default false
   */
  config: v.exactOptional(v.boolean()),
  /** URL with more information, which forms link to. */
  link: v.exactOptional(v.string()),
  /** Your own data. Waiting steps return it as part of their definition. */
  metadata: v.exactOptional(jsonObject),
} as const;

const mimeTypes = list(
  v.pipe(
    v.string(),
    v.regex(/^([\w.+!#$&^-]+\/([\w.+!#$&^-]+|\*)|\*\/\*)$/, 'Must be a MIME type such as "text/csv" or "image/*".'),
  ),
);

const FileField = strictObject({
  /**
   * Ids of files of the app, or `{ file_id }` as in records; steps read a list of
   * `{ id, name, size, mime_type, sha256 }`.
   */
  type: v.literal("file"),
  ...common,
  /** MIME types that the field accepts, such as `text/csv` or `image/*`. @default any type */
  allowed_types: v.exactOptional(mimeTypes),
  /** Maximum bytes of a file. @default `limits.fileBytes` of the host */
  max_size: v.exactOptional(wholeNumber(1)),
  /** Whether steps also read the text of the file, as `contents`. @default false */
  extract_contents: v.exactOptional(v.boolean()),
  /** Whether steps also read the images in the file, as `images`. @default false */
  extract_images: v.exactOptional(v.boolean()),
  /**
   * Visibility of files uploaded for the field, such as those in a webhook request. Existing files keep their
   * visibility.
   * @default PRIVATE
   */
  visibility: v.exactOptional(Visibility),
});
/** An input field for files. */
export interface FileField extends v.InferOutput<typeof FileField> {}

const NumberField = strictObject({
  /** A number, or the text of one. */
  type: v.literal("number"),
  ...common,
  /** Value if the input has none. @default none */
  default: v.exactOptional(v.number()),
  /** Values that the field accepts. @default any number */
  list: v.exactOptional(choices),
});
/** An input field for numbers. */
export interface NumberField extends v.InferOutput<typeof NumberField> {}

const StringField = strictObject({
  /** Text. */
  type: v.literal("string"),
  ...common,
  /** Value if the input has none. @default none */
  default: v.exactOptional(v.string()),
  /** `url`: the text must be an http: or https: URL. @default any text */
  validation: v.exactOptional(v.picklist(["url"])),
  /** Values that the field accepts. @default any text */
  list: v.exactOptional(choices),
});
/** An input field for text. */
export interface StringField extends v.InferOutput<typeof StringField> {}

const BooleanField = strictObject({
  /** true or false, or the text of one. */
  type: v.literal("boolean"),
  ...common,
  /** Value if the input has none. Forms show it as a checkbox. Without it, they ask for yes or no. @default none */
  default: v.exactOptional(v.boolean()),
  /**
   * What the input of a `workflow` step may contain for the field: a value, an expression, or both. Stepwell checks it
   * at deployment if the step names a version. Does not restrict other callers.
   * @default both
   */
  allowed_modes: v.exactOptional(allowedModes),
});
/** An input field for true or false. */
export interface BooleanField extends v.InferOutput<typeof BooleanField> {}

const DateField = strictObject({
  /** A date: `2027-01-31`. */
  type: v.literal("date"),
  ...common,
});
/** An input field for dates. */
export interface DateField extends v.InferOutput<typeof DateField> {}

const DatetimeField = strictObject({
  /** An ISO 8601 date and time: `2027-01-31T09:30:00Z`. The offset is optional. */
  type: v.literal("datetime"),
  ...common,
});
/** An input field for dates with a time. */
export interface DatetimeField extends v.InferOutput<typeof DatetimeField> {}

const TimeField = strictObject({
  /** A time of day: `09:30` or `09:30:00`. */
  type: v.literal("time"),
  ...common,
});
/** An input field for times of day. */
export interface TimeField extends v.InferOutput<typeof TimeField> {}

const SelectField = strictObject({
  /** One of the values in `options` and `list`. */
  type: v.literal("select"),
  ...common,
  /** Values to choose from, at least one. */
  options: v.pipe(list(SelectOption), v.minLength(1, "Must have at least one option.")),
  /** Value if the input has none. @default none */
  default: v.exactOptional(v.string()),
  /** Further values to choose from. @default none */
  list: v.exactOptional(choices),
  /**
   * What the input of a `workflow` step may contain for the field: a value, an expression, or both. Stepwell checks it
   * at deployment if the step names a version. Does not restrict other callers.
   * @default both
   */
  allowed_modes: v.exactOptional(allowedModes),
  /** Whether the field accepts any other text as well. @default false */
  additional_options: v.exactOptional(v.boolean()),
});
/** An input field for one of several values. */
export interface SelectField extends v.InferOutput<typeof SelectField> {
  /** Values to choose from, at least one. */
  options: readonly SelectOption[];
}

const ContentField = strictObject({
  /** Text between the fields of a form; has no value. */
  type: v.literal("content"),
  ...common,
  /** The text, in Markdown. */
  content: v.exactOptional(v.string()),
});
/** Text between the input fields of a form. Has no value. */
export interface ContentField extends v.InferOutput<typeof ContentField> {}

const ConnectionField = strictObject({
  /** Id of a connection of the app. */
  type: v.literal("connection"),
  ...common,
  /** Names of the services whose connections the field accepts. @default any service */
  allowed_types: v.exactOptional(list(v.string())),
});
/** An input field for a connection of the app. */
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
  /** An object with nested fields. */
  type: v.literal("object"),
  ...common,
  /** Which names the object accepts besides `fields`: all, none, or the names in a list. @default false */
  additional_fields: v.exactOptional(v.union([v.boolean(), list(v.string())])),
} as const;
const ObjectShape = strictObject(objectFields);

/** An input field for objects. Nests to any depth. */
export interface ObjectField extends v.InferOutput<typeof ObjectShape> {
  /** Fields of the object by name. */
  fields: InputDefinition;
}

/** A field of a workflow or an input step. */
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

/** Input fields by name. A name has at most 1,024 characters. */
export interface InputDefinition {
  [name: string]: InputField;
}

export const InputField: v.GenericSchema<unknown, InputField> = v.variant(
  "type",
  [
    ...FLAT,
    strictObject({
      ...objectFields,
      /** Fields of the object by name. */
      fields: map(
        v.lazy(() => InputField),
        name,
      ),
    }),
  ],
  typeMessage([...FLAT, ObjectShape].map(({ entries }) => entries.type.literal)),
);

/** Returns the `default` of a field. Some field types can't have one. */
export function defaultOf(field: InputField): unknown {
  return "default" in field ? field.default : undefined;
}

export const InputDefinition: v.GenericSchema<unknown, InputDefinition> = map(InputField, name);
