/** Types of workflows and runs: steps restricted to the accepted ones, input and output of runs inferred from definitions. */
import type { JsonObject, JsonValue } from "../../json.ts";
import type { RunQuery } from "../../runs/inspection/step-details.ts";
import type { Run, RunCreate, RunReplay, RunRetry } from "../../runs/run.ts";
import type { ParsedSteps } from "../../workflows/validation/parse-definition.ts";
import type { Draft, DraftReplace } from "../../workflows/version.ts";
import type { Workflow, WorkflowCreate } from "../../workflows/workflow.ts";
import type { RunsApi, WaitOptions, WorkflowsApi } from "../api.ts";
import type { InputOf } from "./input-type.ts";
import type { OutputOf } from "./output-type.ts";

declare const types: unique symbol;

/**
 * Id of a workflow, with the types of its input and output. Any string is accepted where one is expected. Annotate an id that you
 * read from your own database: `const id: WorkflowId<{ amount: number }, string> = row.workflow_id`.
 */
export type WorkflowId<Input = JsonObject, Output = JsonValue> = string & {
  readonly [types]?: { input: Input; output: Output };
};

/** Id of a run, with the type of its output. Any string is accepted where one is expected. */
export type RunId<Output = JsonValue> = string & { readonly [types]?: { output: Output } };

/** A workflow whose definition the compiler knows. */
export interface TypedWorkflow<Input, Output> extends Workflow {
  /** `work_…` */
  readonly id: WorkflowId<Input, Output>;
}

/** A run whose output the compiler knows. */
export interface TypedRun<Output> extends Omit<Run, "id" | "output"> {
  /** `run_…` */
  readonly id: RunId<Output>;
  /**
   * Output of the step without destinations. If there are several such steps, an object with their outputs by key. Null
   * until the run has succeeded.
   */
  readonly output: Output | null;
}

/** A run, typed if its workflow is. */
export type RunOf<Output> = JsonValue extends Output ? Run : TypedRun<Output>;

/**
 * A new run. It starts at the first input step, or at the one that `step_key` names, whose fields the compiler ignores. One type
 * with a parameter for the key instead of a union: for a union, the compiler would report the missing key, not the wrong field.
 */
export type RunCreateOf<Input, Start extends string = never> = JsonObject extends Input
  ? RunCreate
  : Omit<RunCreate, "input" | "step_key"> & StartOf<Start> & ([Start] extends [never] ? GivenInput<Input> : AnyInput);

interface StartOf<Start extends string> {
  /** Key of the input step to start at. @default the first input step */
  step_key?: Start;
}

type AnyInput = Pick<RunCreate, "input">;

type GivenInput<Input> =
  Record<string, never> extends Input
    ? {
        /** Values by the names of the version's input fields. @default {} */
        input?: Input;
      }
    : {
        /** Values by the names of the version's input fields. */
        input: Input;
      };

/** Optional if all of its fields are. */
type OptionalIfEmpty<Given> = Record<string, never> extends Given ? [input?: Given] : [input: Given];

/** `ParsedSteps` is not a list here, so literal steps are checked against `Accepted` alone. */
export type WithSteps<Written, Accepted> = Fixed<Omit<Written, "steps">> & {
  /** Steps, at most 2,000. Pass steps that the compiler does not know through `parseDefinition`. @default [] */
  steps?: readonly Fixed<Accepted>[] | ParsedSteps;
};

/** The same type, including its readonly form after `as const`. */
export type Fixed<T> = T extends readonly (infer Item)[]
  ? number extends T["length"]
    ? readonly Fixed<Item>[]
    : FixedFields<T>
  : T extends object
    ? FixedFields<T>
    : T;
type FixedFields<T> = { readonly [Field in keyof T]: Fixed<T[Field]> };

/**
 * Infers `Written` from the argument, which is then checked against `Accepted`. A constraint of `Written` would accept unknown
 * fields.
 */
export type Checked<Written, Accepted> = [Written] extends [never] ? Written : Accepted;

/** `stepwell.workflows`, whose functions accept these steps, and any that `parseDefinition` returned. */
export interface WorkflowsWith<Accepted, Outputs = unknown> extends Omit<WorkflowsApi, "create" | "putDraft"> {
  /**
   * Creates a workflow and its draft. Stepwell validates the draft only when you deploy it. The types of its input and output
   * follow from literal steps, for runs of `workflow.id`.
   * @example
   * ```ts
   * const workflow = await stepwell.workflows.create(app.id, {
   *   name: "Double",
   *   input: { n: { type: "number" } },
   *   steps: [{ type: "code", key: "double", code: "return input.n * 2", output: { type: "number" } }],
   * });
   * await stepwell.workflows.deploy(app.id, workflow.id);
   * const { id } = await stepwell.runs.create(app.id, workflow.id, { input: { n: 21 } });
   * const { output } = await stepwell.runs.wait(app.id, id); // number | null
   * ```
   */
  create<const Written>(
    appId: string,
    input: Checked<Written, WithSteps<WorkflowCreate, Accepted>>,
  ): Promise<TypedWorkflow<InputOf<Written>, OutputOf<Written, Outputs>>>;
  /** Replaces the whole draft with one that `getDraft` returned. */
  putDraft(appId: string, workflowId: string, draft: Draft): Promise<Draft>;
  /** Replaces the whole draft. Omitted fields become empty. */
  putDraft(appId: string, workflowId: string, draft: WithSteps<DraftReplace, Accepted>): Promise<Draft>;
}

/** `stepwell.runs`, with input and output by the types of ids. */
export interface TypedRuns extends Omit<RunsApi, "create" | "get" | "wait" | "cancel" | "retry" | "replay"> {
  /**
   * Checks the input and starts a run. Resolves as soon as the run is stored; it then survives crashes.
   * @param input `version` defaults to the latest one, `input` to an empty object.
   * @throws StepwellError `conflict` if the workflow has no version yet; `too_many_requests` if the queue is full
   * (`limits.queuedRuns`); `invalid` with a JSON Pointer for each invalid input field
   */
  create<Input = JsonObject, Output = JsonValue, Start extends string = never>(
    appId: string,
    workflowId: WorkflowId<Input, Output>,
    ...input: OptionalIfEmpty<RunCreateOf<NoInfer<Input>, Start>>
  ): Promise<RunOf<Output>>;
  /** Returns a run with its steps as they are now. */
  get<Output = JsonValue>(appId: string, runId: RunId<Output>, options?: RunQuery): Promise<RunOf<Output>>;
  /**
   * Waits until the run has succeeded, failed or been canceled, or until `timeoutMs`, and returns it. While a step waits
   * for input, the run has not ended: set `timeoutMs`, or follow `events` until `step.waiting`.
   */
  wait<Output = JsonValue>(appId: string, runId: RunId<Output>, options?: WaitOptions): Promise<RunOf<Output>>;
  /**
   * Retries a failed or canceled run from where it stopped. Completed steps are not executed again.
   * @param input `version`: another version to continue on. `from_step`: a step to execute again with all after it.
   * @example `await stepwell.runs.retry(app.id, run.id, { version: "latest" })`
   * @throws StepwellError `conflict` for a run in another status, or if steps that have been executed differ on the other
   * version; `invalid` for an unknown step; `too_many_requests` if the queue is full
   */
  retry<Output = JsonValue>(appId: string, runId: RunId<Output>, input?: RunRetry): Promise<RunOf<Output>>;
  /**
   * Starts a new run with the same tags and metadata.
   * @param input `input` and `version` default to those of the run. With `from_step`, the new run keeps the outcomes of the
   * steps before it.
   * @throws StepwellError as {@link create}
   */
  replay<Output = JsonValue>(appId: string, runId: RunId<Output>, input?: RunReplay): Promise<RunOf<Output>>;
  /** Cancels a run. Does not change a run that has ended. */
  cancel<Output = JsonValue>(appId: string, runId: RunId<Output>): Promise<RunOf<Output>>;
}
