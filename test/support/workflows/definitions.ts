/** Examples of everything in a workflow: each step type and each input field with all of its fields. */
import type { InputField } from "../../../src/workflows/input/input-field.ts";
import type { Step } from "../../../src/workflows/step.ts";

type Written = Readonly<Record<string, unknown>>;

const commonOfFields = {
  name: "The name",
  desc: "What it is for",
  optional: true,
  array: false,
  placeholder: "Such as 12",
  display: { field: "inline", container: "grid", hidden: false },
  order: 1.5,
  config: false,
  link: "https://example.com/help",
  metadata: { owner: { constructor: ["kept"], toString: null }, level: 3 },
} as const;

/** The eleven input fields. */
export const FIELDS = {
  file: {
    type: "file",
    ...commonOfFields,
    allowed_types: ["image/*", "application/vnd.ms-excel", "*/*"],
    extract_contents: true,
    extract_images: false,
    visibility: "PUBLIC",
  },
  number: { type: "number", ...commonOfFields, default: 3, list: [-1.5, "two", { value: 3, label: "Three" }] },
  string: {
    type: "string",
    ...commonOfFields,
    display: { ...commonOfFields.display, control: "radio" },
    default: "https://one.example",
    validation: "url",
    list: ["https://one.example"],
  },
  boolean: { type: "boolean", ...commonOfFields, default: false, allowed_modes: ["value", "expression"] },
  date: { type: "date", ...commonOfFields },
  datetime: { type: "datetime", ...commonOfFields },
  time: { type: "time", ...commonOfFields },
  select: {
    type: "select",
    ...commonOfFields,
    options: [{ value: "a", label: "A", desc: "The first" }, { value: "b" }],
    default: "a",
    list: [{ value: "c", label: "C" }],
    allowed_modes: ["expression"],
    additional_options: true,
  },
  content: { type: "content", ...commonOfFields, content: "# Read this" },
  connection: { type: "connection", ...commonOfFields, allowed_types: ["mail"] },
  object: {
    type: "object",
    ...commonOfFields,
    fields: { inner: { type: "object", fields: { leaf: { type: "string" } }, additional_fields: false } },
    additional_fields: ["more"],
  },
} as const satisfies Readonly<Record<InputField["type"], Written>>;

/** The required fields of each input field. */
export const BARE_FIELDS = {
  file: { type: "file" },
  number: { type: "number" },
  string: { type: "string" },
  boolean: { type: "boolean" },
  date: { type: "date" },
  datetime: { type: "datetime" },
  time: { type: "time" },
  select: { type: "select", options: [{ value: "only" }] },
  content: { type: "content" },
  connection: { type: "connection" },
  object: { type: "object", fields: {} },
} as const satisfies Readonly<Record<InputField["type"], Written>>;

/** The required fields of each step type, except its key. */
export const BARE_STEPS = {
  note: { type: "note", note: "" },
  input: { type: "input", input: {} },
  branch: { type: "branch", conditions: {} },
  code: { type: "code", code: "" },
  model: { type: "model", provider: { provider: "p", model: "m", messages: "" } },
  http_request: { type: "http_request", url: "" },
  browser: { type: "browser", url: "" },
  workflow: { type: "workflow", input: null },
  service: { type: "service", service: { service: "s", action: "a", input: {} } },
} as const satisfies Readonly<Record<Step["type"], Written>>;

const commonOfSteps = {
  key: "the step",
  display: "collapsed",
  conditional: "input.amount > 1",
  loop: "iteration > 2",
  throw_on_error: false,
  input_connected: true,
  destinations: ["next"],
  position: [-10.5, 20],
  size: [0, 100],
  auto: { provider: "p", model: "m", temperature: 0.5 },
} as const;

/** The nine step types. */
export const STEPS = {
  note: { ...commonOfSteps, type: "note", note: "**Look** here" },
  input: { ...commonOfSteps, type: "input", input: FIELDS, webhook: { method: "PATCH", path: "intake" } },
  branch: {
    ...commonOfSteps,
    type: "branch",
    conditions: {
      large: { condition: "input.amount > 100", destinations: ["next", "other"], order: -1 },
      "": { destinations: [], order: 2.5 },
    },
    else: ["other"],
  },
  code: { ...commonOfSteps, type: "code", code: "return 1;" },
  model: {
    ...commonOfSteps,
    type: "model",
    provider: {
      provider: "p",
      model: "m",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "What is this?" }] },
        { role: "user", content: [{ type: "image", file_id: "afile_1" }] },
        { role: "tool", content: [{ type: "file", url: "https://example.com/a.pdf" }] },
        { role: "assistant", content: [] },
      ],
      temperature: 1,
      response_format: { type: "json_schema", schema: { type: "object", properties: { toString: {} } } },
      max_tokens: 100,
      tools: [
        "mail.send",
        { type: "service", service: "mail", action: "send", name: "n", description: "d", input: { to: [1, null] } },
        { type: "workflow", workflow_id: "work_1", name: "n", description: "d" },
      ],
      tools_parallel: true,
      tools_mode: "required",
      max_iterations: 3,
      features: { stream: true, reasoning: "high", cache: false },
    },
  },
  http_request: {
    ...commonOfSteps,
    type: "http_request",
    url: "https://example.com",
    method: "DELETE",
    headers: { accept: "text/plain", toString: "kept" },
    body: "{}",
  },
  browser: { ...commonOfSteps, type: "browser", url: "https://example.com", strip_html: true, wait_for_selector: "h1" },
  workflow: {
    ...commonOfSteps,
    type: "workflow",
    input: { amount: "{{ input.amount }}", deep: { constructor: [null] } },
    step_key: "start",
    workflow_id: "work_1",
    workflow_version_id: 3,
  },
  service: {
    ...commonOfSteps,
    type: "service",
    service: { service: "mail", action: "send", input: { to: ["a"], prototype: { x: null } }, connection_id: "con_1" },
  },
} as const satisfies Readonly<Record<Step["type"], Written>>;

export const STEP_TYPES = Object.keys(STEPS) as readonly Step["type"][]; // each of the table's keys
export const FIELD_TYPES = Object.keys(FIELDS) as readonly InputField["type"][];

/** A definition that contains all of them. */
export const EVERYTHING = {
  input: FIELDS,
  input_default: { number: 3, nothing: null, constructor: { toString: [1] } },
  input_options: { display: { field: "stacked", container: "center", hidden: true } },
  steps: STEP_TYPES.map((type) => ({ ...STEPS[type], key: type })),
};
