/** The form of the examples in examples/workflows: a workflow, what it needs around it, what it is given, what comes of it. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { jsonObject, jsonValue, strictObject } from "../../../src/schema.ts";
import { DraftPut } from "../../../src/workflows/version.ts";

export const FOLDER = fileURLToPath(new URL("../../../examples/workflows/", import.meta.url));

const Answer = strictObject({
  status: v.exactOptional(v.number()),
  headers: v.exactOptional(v.record(v.string(), v.string())),
  json: v.exactOptional(jsonValue),
  text: v.exactOptional(v.string()),
});
export interface Answer extends v.InferOutput<typeof Answer> {}

/** What a model says: a text, JSON, calls of tools. */
const Said = strictObject({
  text: v.exactOptional(v.string()),
  json: v.exactOptional(jsonValue),
  calls: v.exactOptional(v.array(strictObject({ name: v.string(), input: jsonObject }))),
});
export interface Said extends v.InferOutput<typeof Said> {}

const run = {
  /** The input step to start at; left out, the first. */
  step_key: v.exactOptional(v.string()),
  /** Starts by a request to this address instead: `PUT stock/items`. */
  webhook: v.exactOptional(v.string()),
  input: jsonObject,
  /** What the input steps are given that the run waits at, in order. */
  answers: v.exactOptional(v.array(strictObject({ step: v.string(), values: jsonObject })), []),
  expected: strictObject({
    status: v.exactOptional(v.picklist(["succeeded", "failed"])),
    output: v.exactOptional(jsonValue),
    error: v.exactOptional(jsonObject),
    /** By key: what is true of a step. */
    steps: v.exactOptional(v.record(v.string(), jsonObject)),
    /** What others were sent. */
    sent: v.exactOptional(
      v.array(
        strictObject({
          request: v.string(),
          body: v.exactOptional(jsonValue),
          headers: v.exactOptional(v.record(v.string(), v.string())),
        }),
      ),
    ),
    /** What a model was told, wherever it stands. */
    told: v.exactOptional(v.array(v.string())),
  }),
} as const;
const ExampleRun = strictObject(run);
export interface ExampleRun extends v.InferOutput<typeof ExampleRun> {}

const needs = strictObject({
  /** Other workflows; `@workflows.NAME` is the id. */
  workflows: v.exactOptional(v.record(v.string(), strictObject({ name: v.string(), definition: DraftPut }))),
  /** Collections with the data of their records; `@collections.NAME` is the id. */
  collections: v.exactOptional(
    v.record(
      v.string(),
      strictObject({
        name: v.string(),
        config: v.exactOptional(jsonObject),
        records: v.array(v.record(v.string(), v.record(v.string(), jsonValue))),
      }),
    ),
  ),
  connections: v.exactOptional(v.record(v.string(), strictObject({ service: v.string(), credentials: jsonObject }))),
  /** Paths from the folder of the example; `@files.NAME` is the id. */
  files: v.exactOptional(v.record(v.string(), v.string())),
  /** By `METHOD address`; of a list each is given once, the last for ever. */
  http: v.exactOptional(v.record(v.string(), v.union([v.array(Answer), Answer]))),
  /** What the models say, in order. */
  model: v.exactOptional(v.array(Said)),
});

export const Example = strictObject({
  about: v.string(),
  needs: v.exactOptional(needs, {}),
  definition: DraftPut,
  ...run,
  /** More runs, after the first. */
  more_runs: v.exactOptional(v.array(ExampleRun)),
});
export interface Example extends v.InferOutput<typeof Example> {}
export type Needs = Example["needs"];

export const EXAMPLES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json"))
  .sort();

export const textOf = (name: string) => readFileSync(FOLDER + name, "utf8");

/** @throws Error that names the file and what is wrong in it */
export function readExample(name: string, text = textOf(name)): Example {
  const result = v.safeParse(Example, JSON.parse(text));
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new Error(`${name}: ${v.getDotPath(issue) ?? ""}: ${issue.message}`);
}
