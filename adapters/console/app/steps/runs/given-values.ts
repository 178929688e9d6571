/** What the test of a step is given: the input of the run, and the outputs of the steps before. Pure. */
import { isJsonObject, type JsonObject, type JsonValue, ownField } from "../../../../../src/json.ts";
import type { Run } from "../../../../../src/runs/run.ts";
import { definitionAt, startOf } from "../../../../../src/workflows/start-step.ts";
import type { Definition } from "../../../../../src/workflows/version.ts";
import { sampleInput } from "./sample-input.ts";

export interface GivenValues {
  readonly input: JsonObject;
  readonly steps: JsonObject;
}

/** The fields of a run that starts at the first input step. */
export const inputOfRuns = (definition: Definition) => definitionAt(definition, startOf(definition, undefined));

/** The input and the outputs of an earlier run. Without one: values for the fields, and what is pinned. */
export function givenOf(run: Run | null, definition: Definition, visible: ReadonlySet<string>): GivenValues {
  const { steps, pinned = {} } = definition;
  const keys = steps.filter(({ key, type }) => visible.has(key) && type !== "input").map(({ key }) => key);
  const outputOf = (key: string) =>
    run === null ? ownField(pinned, key) : run.steps.find((one) => one.key === key)?.output;
  const outputs = keys.map((key): [string, JsonValue] => [key, outputOf(key) ?? null]);
  const input = run === null ? sampleInput(inputOfRuns(definition)) : run.input;
  return { input: isJsonObject(input) ? input : {}, steps: Object.fromEntries(outputs) };
}

/** As the server takes them. */
export function testOf({ input, steps }: GivenValues) {
  const outputs = Object.entries(steps).map(([key, output]) => [key, { output }] as const);
  return { input, steps: Object.fromEntries(outputs) };
}
