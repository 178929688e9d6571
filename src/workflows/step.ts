/** The nine step types. */
import * as v from "valibot";
import { typeMessage } from "../messages/variant-message.ts";
import { jsonObject, list, map, strictObject, wholeNumber } from "../schema.ts";
import { InputDefinition } from "./input/input-field.ts";
import { ModelProvider, Temperature } from "./model-provider.ts";

/** Unique among the steps of a version. */
export const StepKey = v.pipe(
  v.string(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(128, "Must have at most 128 characters."),
);

/** Keys of the steps that come next. */
const destinations = list(StepKey);
const side = v.pipe(v.number(), v.minValue(0, "Must be at least 0."));

const common = {
  key: StepKey,
  display: v.exactOptional(v.picklist(["expanded", "collapsed", "minimal"])),
  /** CEL expression. If it is false, the step is skipped and the run continues with its destinations. Default: always run. */
  conditional: v.exactOptional(v.string()),
  /** CEL expression. The step repeats until it is true. Default: run once. */
  loop: v.exactOptional(v.string()),
  /** Whether an error of the step fails the run. If false, the run continues. Default: true. */
  throw_on_error: v.exactOptional(v.boolean()),
  /** Adds an edge from the input step that the run starts at. */
  input_connected: v.exactOptional(v.boolean()),
  /** Keys of the steps that run after this one. Default: none. */
  destinations: v.exactOptional(destinations),
  position: v.exactOptional(v.strictTuple([v.number(), v.number()])),
  /** Width and height. */
  size: v.exactOptional(v.strictTuple([side, side])),
  /** The model that fills what the author left to it. */
  auto: v.exactOptional(
    strictObject({
      provider: v.exactOptional(v.string()),
      model: v.exactOptional(v.string()),
      temperature: v.exactOptional(Temperature),
    }),
  ),
} as const;

const NoteStep = strictObject({
  type: v.literal("note"),
  ...common,
  /** Markdown. */
  note: v.string(),
});
export interface NoteStep extends v.InferOutput<typeof NoteStep> {}

const InputStep = strictObject({
  type: v.literal("input"),
  ...common,
  input: InputDefinition,
  webhook: v.exactOptional(
    strictObject({
      method: v.picklist(["GET", "POST", "PUT", "PATCH", "DELETE"]),
      path: v.exactOptional(v.pipe(v.string(), v.maxLength(1_024, "Must have at most 1024 characters."))),
    }),
  ),
});
export interface InputStep extends v.InferOutput<typeof InputStep> {}

const BranchStep = strictObject({
  type: v.literal("branch"),
  ...common,
  conditions: map(
    strictObject({
      /** Expression. */
      condition: v.exactOptional(v.string()),
      destinations,
      /** The first that holds is taken, in ascending order. */
      order: v.number(),
    }),
  ),
  /** Where to go when none holds. */
  else: v.exactOptional(destinations),
});
export interface BranchStep extends v.InferOutput<typeof BranchStep> {}

const CodeStep = strictObject({
  type: v.literal("code"),
  ...common,
  /** The body of a JavaScript function; sees `input` and `steps`. */
  code: v.string(),
});
export interface CodeStep extends v.InferOutput<typeof CodeStep> {}

const ModelStep = strictObject({
  type: v.literal("model"),
  ...common,
  provider: ModelProvider,
});
export interface ModelStep extends v.InferOutput<typeof ModelStep> {}

const HttpRequestStep = strictObject({
  type: v.literal("http_request"),
  ...common,
  /** URL to request, with http: or https:. May contain expressions in `{{ }}`. */
  url: v.string(),
  method: v.exactOptional(v.picklist(["GET", "POST", "PUT", "PATCH", "DELETE"])),
  /** An object of names and strings, or text with one `name: value` line for each header. */
  headers: v.exactOptional(v.union([v.string(), map(v.string())])),
  body: v.exactOptional(v.string()),
});
export interface HttpRequestStep extends v.InferOutput<typeof HttpRequestStep> {}

const BrowserStep = strictObject({
  type: v.literal("browser"),
  ...common,
  /** URL of the web page, with http: or https:. May contain expressions in `{{ }}`. */
  url: v.string(),
  strip_html: v.exactOptional(v.boolean()),
  /** CSS selector to wait for before the web page is read. Needs a browser. */
  wait_for_selector: v.exactOptional(v.string()),
});
export interface BrowserStep extends v.InferOutput<typeof BrowserStep> {}

const WorkflowStep = strictObject({
  type: v.literal("workflow"),
  ...common,
  input: v.nullable(v.union([v.string(), jsonObject])),
  /** The input step to start at. */
  step_key: v.exactOptional(v.nullable(v.string())),
  workflow_id: v.exactOptional(v.string()),
  /** `draft`, `latest`, an id, or a number. */
  workflow_version_id: v.exactOptional(v.union([v.string(), wholeNumber(0)])),
});
export interface WorkflowStep extends v.InferOutput<typeof WorkflowStep> {}

const ServiceStep = strictObject({
  type: v.literal("service"),
  ...common,
  service: strictObject({
    service: v.string(),
    action: v.string(),
    input: jsonObject,
    connection_id: v.exactOptional(v.string()),
  }),
});
export interface ServiceStep extends v.InferOutput<typeof ServiceStep> {}

export type Step =
  | NoteStep
  | InputStep
  | BranchStep
  | CodeStep
  | ModelStep
  | HttpRequestStep
  | BrowserStep
  | WorkflowStep
  | ServiceStep;

const STEPS = [
  NoteStep,
  InputStep,
  BranchStep,
  CodeStep,
  ModelStep,
  HttpRequestStep,
  BrowserStep,
  WorkflowStep,
  ServiceStep,
] as const;

export const Step: v.GenericSchema<Step> = v.variant(
  "type",
  STEPS,
  typeMessage(STEPS.map(({ entries }) => entries.type.literal)),
);

export type StepType = Step["type"];

/** A step of one type. */
export type StepOf<Type extends StepType> = Extract<Step, { type: Type }>;
