/** What the expressions of a step can read: names, with their schemas and the values of a run. Pure. */
import { createVisibleSteps } from "../../../../src/engine/compile/visible-steps.ts";
import { namesAt, type Place } from "../../../../src/engine/expressions/expression-scope.ts";
import { isJsonObject, type JsonObject, ownField } from "../../../../src/json.ts";
import type { Run } from "../../../../src/runs/run.ts";
import type { RunStep } from "../../../../src/runs/run-step.ts";
import type { ServiceInfo } from "../../../../src/services/service-info.ts";
import type { Step } from "../../../../src/workflows/step.ts";
import type { Definition } from "../../../../src/workflows/version.ts";
import type { KnownField, KnownValue } from "./known-value.ts";
import { errorSchema, stepSchema, valueSchema } from "./output-schemas.ts";
import type { EvaluatedPlace } from "./wanted-expressions.ts";

export interface Surroundings {
  readonly definition: Definition;
  readonly stepKey: string;
  readonly services: readonly ServiceInfo[];
  /** The run whose values are shown, without long ones; null for none. */
  readonly run: Run | null;
  readonly app: { readonly id: string; readonly name: string };
  readonly workflowId: string;
}

/** Where most fields of a step stand, which decides their variables. */
export function placeOf(step: Step): EvaluatedPlace {
  if ("for_each" in step && step.for_each !== undefined) return "for_each";
  return step.loop === undefined ? "anywhere" : "loop";
}

/** Steps that settle before this one in every run. Others cannot be read. */
export function visibleSteps({ steps }: Definition, stepKey: string): ReadonlySet<string> {
  const index = steps.findIndex(({ key }) => key === stepKey);
  if (index < 0) return new Set();
  const visible = createVisibleSteps(steps);
  const keys = steps.filter(({ type, key }) => type !== "note" && key !== stepKey).map(({ key }) => key);
  return new Set(keys.filter((key) => visible.problem(index, key) === null));
}

/** The variables at a place, in the order in which they are offered. */
export function variablesAt(place: Place, around: Surroundings, visible: ReadonlySet<string>): readonly KnownField[] {
  const values = valuesOf(around, visible);
  return [...namesAt(place), "now"].map((name) => ({
    name,
    schema: schemaOf(name, around, visible),
    value: ownField(values ?? {}, name),
  }));
}

function schemaOf(
  name: string,
  { definition, stepKey, services }: Surroundings,
  visible: ReadonlySet<string>,
): JsonObject {
  switch (name) {
    case "input":
      return valueSchema(inputOf(definition));
    case "steps": {
      const seen = definition.steps.filter(({ key }) => visible.has(key));
      const properties = seen.map((step) => [step.key, stepSchema(step, definition, services)] as const);
      return { type: "object", properties: Object.fromEntries(properties) };
    }
    case "run":
      return {
        type: "object",
        properties: {
          ...{ id: { type: "string" }, workflow_id: { type: "string" }, version: { type: "integer" } },
          trigger: { type: "object" },
          tags: { type: "array", items: { type: "string" } },
          metadata: { type: "object" },
        },
      };
    case "app":
      return { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } };
    case "now":
      return { type: "string", format: "date-time" };
    case "iteration":
    case "index":
      return { type: "integer" };
    case "error":
      return errorSchema;
    case "output":
    case "previous": {
      const step = definition.steps.find(({ key }) => key === stepKey);
      const fields = step === undefined ? {} : stepSchema(step, definition, services)["properties"];
      const output: unknown = Reflect.get(Object(fields), "output");
      return typeof output === "object" && output !== null ? { ...output } : {};
    }
    default:
      return {};
  }
}

/** The fields of the workflow, and those of the step that starts it. */
function inputOf({ input, steps }: Definition) {
  const start = steps.find(({ type }) => type === "input");
  return start?.type === "input" ? { ...input, ...start.input } : input;
}

/** The values of variables in the run, by name, without those that are not known; null without a run. */
export function valuesOf(around: Surroundings, visible: ReadonlySet<string>): JsonObject | null {
  const { run, app, stepKey } = around;
  if (run === null) return null;
  const own = run.steps.find(({ key }) => key === stepKey);
  const seen = run.steps.filter(({ key }) => visible.has(key));
  return {
    input: resolvedInput(around, run),
    steps: Object.fromEntries(seen.map((step) => [step.key, visibleStep(step)])),
    run: {
      ...{ id: run.id, workflow_id: run.workflow_id, version: run.version },
      ...{ trigger: JSON.parse(JSON.stringify(run.trigger)), tags: [...run.tags], metadata: { ...run.metadata } },
    },
    app: { ...app },
    now: own?.started_at ?? run.created_at,
    iteration: 1,
    previous: null,
    index: 0,
    ...(own === undefined || isCut(own) ? undefined : { output: own.output }),
    ...(own === undefined || own.error === null ? undefined : { error: { ...own.error, attempts: own.attempts } }),
  };
}

/** With defaults and files, as the step that started the run gives it. */
function resolvedInput({ definition }: Surroundings, run: Run): JsonObject {
  const start = definition.steps.find(({ type }) => type === "input");
  const output = run.steps.find(({ key, status }) => key === start?.key && status === "succeeded")?.output;
  return isJsonObject(output) ? { ...run.input, ...output } : run.input;
}

/** Whether the output is too long to be there. */
const isCut = ({ output_bytes }: RunStep) => output_bytes !== undefined;

function visibleStep(step: RunStep): JsonObject {
  const { status, output, error, errors, attempts, started_at, finished_at } = step;
  return {
    status,
    ...(isCut(step) ? undefined : { output }),
    error: error === null ? null : { ...error, attempts },
    ...(errors === undefined ? undefined : { errors: errors.map((one) => ({ ...one })) }),
    ...{ attempts, started_at, finished_at },
  };
}

export const findVariable = (variables: readonly KnownField[], name: string): KnownValue | undefined =>
  variables.find((one) => one.name === name);
