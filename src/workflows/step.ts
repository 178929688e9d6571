/** The schemas of the nine step types. Fields of several types: `common` below, and step-policies.ts. */
import * as v from "valibot";
import { typeMessage } from "../messages/variant-message.ts";
import { jsonObject, list, map, strictObject, wholeNumber } from "../schema.ts";
import { InputDefinition } from "./input/input-field.ts";
import { ModelProvider, Temperature } from "./model-provider.ts";
import { StepKey } from "./step-key.ts";
import { catchFields, executionFields, type ForEach, timedFields } from "./step-policies.ts";

/** HTTP methods of incoming webhooks and of requests that steps send. */
export const HTTP_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export const WebhookPath = v.pipe(v.string(), v.maxLength(1_024, "Must have at most 1024 characters."));

/** What an incoming webhook responds with. `run`: the id and the status of the run. `output`: its output. */
export const WebhookResponse = v.picklist(["run", "output"], "Must be run or output.");

const destinations = list(StepKey);
const side = v.pipe(v.number(), v.minValue(0, "Must be at least 0."));

const common = {
  /** Name of the step in expressions and in the run: 1 to 128 characters, unique within the version. */
  key: StepKey,
  /** How an editor shows the step. Has no effect on runs. @default none */
  display: v.exactOptional(v.picklist(["expanded", "collapsed", "minimal"])),
  /**
   * CEL expression. If it is false, Stepwell skips the step and continues with its destinations.
   * @default none: the step always runs
   */
  conditional: v.exactOptional(v.string()),
  /**
   * CEL expression. Repeats the step until the expression is true, at most 1,000 times.
   * @default none: the step runs once
   */
  loop: v.exactOptional(v.string()),
  /**
   * Whether the run fails if the step fails and no catch route matches. If false, the run continues, and expressions
   * can read the error as `steps.KEY.error`.
   * @default true
   */
  throw_on_error: v.exactOptional(v.boolean()),
  /** Whether the step also runs after the input step that starts the run, whichever it is. @default false */
  input_connected: v.exactOptional(v.boolean()),
  /**
   * Keys of the steps that run after this one. If no step of the version has destinations, each step follows the one
   * before it in the list.
   * @default none
   */
  destinations: v.exactOptional(destinations),
  /** `[x, y]` in an editor and, if all steps have a position, in diagrams. @default none */
  position: v.exactOptional(v.strictTuple([v.number(), v.number()])),
  /** `[width, height]` in an editor and, with `position`, in diagrams. @default none */
  size: v.exactOptional(v.strictTuple([side, side])),
  /** The model that fills in fields with `{{ auto("what you want") }}`. Required if the step has such a field. */
  auto: v.exactOptional(
    strictObject({
      /** Name of a provider in the option `models`. */
      provider: v.exactOptional(v.string()),
      /** Name of the model, as the provider knows it. */
      model: v.exactOptional(v.string()),
      /** Sampling temperature, from 0 to 2. @default the provider's */
      temperature: v.exactOptional(Temperature),
    }),
  ),
} as const;

const NoteStep = strictObject({
  /** A comment. Does nothing in a run. */
  type: v.literal("note"),
  ...common,
  /** Text of the comment, in Markdown. */
  note: v.string(),
});
/** A comment in Markdown. Does nothing in a run. */
export interface NoteStep extends v.InferOutput<typeof NoteStep> {}

const InputStep = strictObject({
  /** Starts a run with its input, or waits for input in the middle of a run. */
  type: v.literal("input"),
  ...common,
  ...timedFields,
  /** Input fields by name. If neither the step nor the workflow has any, the run accepts any object. */
  input: InputDefinition,
  /** Starts a run at this step with each HTTP request to a URL. @default none */
  webhook: v.exactOptional(
    strictObject({
      /** HTTP method of the request. */
      method: v.picklist(HTTP_METHODS),
      /** Path below `/public/apps/hooks/{app_id}/`, at most 1,024 characters. @default `WORKFLOW_ID/STEP_KEY` */
      path: v.exactOptional(WebhookPath),
      /**
       * What the response contains. `run` returns the id and status of the run immediately, with 202. `output` waits up
       * to 30 seconds for the output of the run and returns it with 200. The sender's `Prefer: wait=N` overrides this.
       * @default run
       */
      respond: v.exactOptional(WebhookResponse),
      /**
       * Whether browsers get a form with the step's fields at the URL. Its title is the name of the workflow.
       * Submitting it starts a run with the trigger `form`. Requires the method POST and a webhook without a signature.
       * @default false
       */
      form: v.exactOptional(v.boolean()),
    }),
  ),
});
/** Starts a run with its input, or waits for input in the middle of a run. */
export interface InputStep extends v.InferOutput<typeof InputStep> {}

const BranchStep = strictObject({
  /** Continues at the destinations of the first condition that is true. */
  type: v.literal("branch"),
  ...common,
  ...catchFields,
  /** Conditions by name. The output of the step is `{ taken: NAME }`. */
  conditions: map(
    strictObject({
      /** CEL expression that returns true or false. @default true */
      condition: v.exactOptional(v.string()),
      /** Keys of the steps that run if this is the first condition that is true. */
      destinations,
      /** Position of the condition: Stepwell evaluates conditions in ascending order. */
      order: v.number(),
    }),
  ),
  /** Keys of the steps that run if no condition is true. @default none */
  else: v.exactOptional(destinations),
});
/** Continues at the destinations of the first condition that is true. */
export interface BranchStep extends v.InferOutput<typeof BranchStep> {}

const CodeStep = strictObject({
  /** Runs JavaScript or TypeScript in a sandbox. */
  type: v.literal("code"),
  ...common,
  ...executionFields,
  /**
   * Body of an async function. It reads the same variables as expressions: `input`, `steps`, `run`, `app` and `now`
   * (ISO 8601); `iteration` and `previous` in a loop; `item` and `index` with `for_each`. `return` sets the output of
   * the step; `console.log` writes to its logs. `URL`, `TextDecoder`, `crypto`, `structuredClone`, `setTimeout` and
   * similar APIs are available; network and file access are not. `limits.code` limits time and memory.
   */
  code: v.string(),
  /**
   * JSON Schema of the returned value. Another value fails the step with `invalid_output`. In TypeScript, a literal schema also
   * types the output of runs that end with the step.
   * @default none: any JSON
   */
  output: v.exactOptional(jsonObject),
});
/** Runs JavaScript or TypeScript in a sandbox, within `limits.code`. */
export interface CodeStep extends v.InferOutput<typeof CodeStep> {}

const ModelStep = strictObject({
  /** Calls a language model. */
  type: v.literal("model"),
  ...common,
  ...executionFields,
  /** The model, its messages, tools and settings. */
  provider: ModelProvider,
});
/** Calls a language model, which can call tools. */
export interface ModelStep extends v.InferOutput<typeof ModelStep> {
  /** The model, its messages, tools and settings. */
  provider: ModelProvider;
}

const HttpRequestStep = strictObject({
  /** Sends an HTTP request. */
  type: v.literal("http_request"),
  ...common,
  ...executionFields,
  /** URL to request, with http: or https:. May contain expressions in `{{ }}`. */
  url: v.string(),
  /** HTTP method. @default GET */
  method: v.exactOptional(v.picklist(HTTP_METHODS)),
  /**
   * Request headers: an object of names and strings, or text with one `name: value` line for each header. @default none
   */
  headers: v.exactOptional(v.union([v.string(), map(v.string())])),
  /**
   * Request body. If a single expression such as `"{{ input.order }}"` returns an object or a list, Stepwell sends it
   * as JSON. Not allowed with `GET`.
   * @default none
   */
  body: v.exactOptional(v.string()),
});
/** Sends an HTTP request, with up to three attempts by default. A status of 400 or above fails the step. */
export interface HttpRequestStep extends v.InferOutput<typeof HttpRequestStep> {}

const BrowserStep = strictObject({
  /** Reads a web page. */
  type: v.literal("browser"),
  ...common,
  ...executionFields,
  /** URL of the web page, with http: or https:. May contain expressions in `{{ }}`. */
  url: v.string(),
  /** Whether to return the readable text of the web page as Markdown instead of its HTML. @default false */
  strip_html: v.exactOptional(v.boolean()),
  /**
   * CSS selector to wait for before reading the web page. Requires the option `browser`.
   * @default none: reads the web page once its network is idle
   */
  wait_for_selector: v.exactOptional(v.string()),
});
/** Reads a web page, in a browser if the option `browser` is set. */
export interface BrowserStep extends v.InferOutput<typeof BrowserStep> {}

const WorkflowStep = strictObject({
  /** Runs another workflow and returns its output. */
  type: v.literal("workflow"),
  ...common,
  ...executionFields,
  /** Input of the child run: an object, or an expression that returns one. null for an empty object. */
  input: v.nullable(v.union([v.string(), jsonObject])),
  /** Key of the input step to start at. @default the first input step */
  step_key: v.exactOptional(v.nullable(v.string())),
  /** Id of the workflow to run. Required at deployment. May contain expressions in `{{ }}`. */
  workflow_id: v.exactOptional(v.string()),
  /** Version to run: `latest`, `draft`, or the id or number of a version. @default latest */
  workflow_version_id: v.exactOptional(v.union([v.string(), wholeNumber(0)])),
});
/** Runs another workflow as a child run and returns its output. */
export interface WorkflowStep extends v.InferOutput<typeof WorkflowStep> {}

const ServiceStep = strictObject({
  /** Calls an action of a service. */
  type: v.literal("service"),
  ...common,
  ...executionFields,
  /** The action to call, and its arguments. */
  service: strictObject({
    /** Name of a built-in service or one of the option `services`. */
    service: v.string(),
    /** Name of the action. */
    action: v.string(),
    /** Arguments of the action. May contain expressions in `{{ }}`. */
    input: jsonObject,
    /** Id of the connection with the credentials. Required if the service needs a connection. */
    connection_id: v.exactOptional(v.string()),
  }),
});
/** Calls an action of a service. */
export interface ServiceStep extends v.InferOutput<typeof ServiceStep> {}

/** A step of a workflow. */
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

export const Step: v.GenericSchema<unknown, Step> = v.variant(
  "type",
  STEPS,
  typeMessage(STEPS.map(({ entries }) => entries.type.literal)),
);

/** Type of a step, such as `code` or `model`. */
export type StepType = Step["type"];

/** A step that is executed, and takes {@link executionFields}. */
export type ExecutedStep = Exclude<Step, NoteStep | InputStep | BranchStep>;

/** Whether the step runs once for each item of a list. */
export const isForEach = (step: Step): step is ExecutedStep & { for_each: ForEach } =>
  "for_each" in step && step.for_each !== undefined;

/** A step of one type. */
export type StepOf<Type extends StepType> = Extract<Step, { type: Type }>;
