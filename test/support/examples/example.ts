/** The format of the examples in examples/workflows: a workflow, its requirements, its input and its results. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { EventEmit } from "../../../src/app-events/app-event.ts";
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

/** A response of a model: text, JSON, tool calls. */
const Said = strictObject({
  text: v.exactOptional(v.string()),
  json: v.exactOptional(jsonValue),
  calls: v.exactOptional(v.array(strictObject({ name: v.string(), input: jsonObject }))),
});
export interface Said extends v.InferOutput<typeof Said> {}

/** For a step that waits: values for an input step of the run, or an event for a step of the run or of a child run. */
const Given = v.union([
  strictObject({ step: v.string(), values: jsonObject }),
  strictObject({ step: v.string(), event: EventEmit }),
]);

const run = {
  /** The input step to start at. @default the first one */
  step_key: v.exactOptional(v.string()),
  /** Starts the run by a request to this webhook instead: `PUT stock/items`. */
  webhook: v.exactOptional(v.string()),
  /** Starts the run by an event with this name and the input as payload instead. */
  event: v.exactOptional(v.string()),
  input: jsonObject,
  /** The inputs for the steps at which the run waits, in order. */
  answers: v.exactOptional(v.array(Given), []),
  expected: strictObject({
    status: v.exactOptional(v.picklist(["succeeded", "failed"])),
    output: v.exactOptional(jsonValue),
    error: v.exactOptional(jsonObject),
    /** Expected fields of steps, by key. */
    steps: v.exactOptional(v.record(v.string(), jsonObject)),
    /** Expected requests to other systems. */
    sent: v.exactOptional(
      v.array(
        strictObject({
          request: v.string(),
          body: v.exactOptional(jsonValue),
          headers: v.exactOptional(v.record(v.string(), v.string())),
        }),
      ),
    ),
    /** Texts that requests to the model must contain. */
    prompts: v.exactOptional(v.array(v.string())),
    /** The response to the request that started the run. */
    response: v.exactOptional(strictObject({ status: v.number(), body: jsonValue })),
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
  /** Responses by `METHOD URL`; of an array each is used once, and the last one forever. */
  http: v.exactOptional(v.record(v.string(), v.union([v.array(Answer), Answer]))),
  /** The responses of the models, in order. */
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

/** A translation of a public workflow of another product. */
const Translation = strictObject({
  ...Example.entries,
  /** What was translated: its title, its product, and where it is published. */
  source: strictObject({ title: v.string(), product: v.string(), url: v.pipe(v.string(), v.url()) }),
  /** What the translation needed: the features that replace those of the other product. */
  needed: v.array(v.string()),
});
export interface Translation extends v.InferOutput<typeof Translation> {}

const jsonFilesIn = (folder: string) =>
  readdirSync(FOLDER + folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => folder + name)
    .sort();

export const EXAMPLES = jsonFilesIn("");
/** Paths from the folder of the examples, by folder. */
export const GALLERY = {
  "state-machines": jsonFilesIn("../gallery/state-machines/"),
  n8n: jsonFilesIn("../gallery/n8n/"),
} as const;

export const textOf = (name: string) => readFileSync(FOLDER + name, "utf8");

/** @throws Error that names the file and what is wrong in it */
export function readExample(name: string, text = textOf(name)): Example {
  return read(name.startsWith("../gallery/") ? Translation : Example, name, text);
}

/** @throws Error that names the file and what is wrong in it */
export function readTranslation(name: string): Translation {
  return read(Translation, name, textOf(name));
}

function read<Schema extends typeof Example | typeof Translation>(
  schema: Schema,
  name: string,
  text: string,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, JSON.parse(text));
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new Error(`${name}: ${v.getDotPath(issue) ?? ""}: ${issue.message}`);
}
