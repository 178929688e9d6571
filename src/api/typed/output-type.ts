/** The TypeScript type of the output of a run, by the last step of a literal definition. */
import type { FileSummary } from "../../files/file.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import type { SchemaType } from "./json-schema-type.ts";

/**
 * Output of a run: that of the only step that leads to no other. Any JSON if there are several such steps, if catch routes may
 * replace it, or if the compiler does not know its output.
 *
 * @typeParam Outputs Outputs of actions, by service and action.
 */
export type OutputOf<Definition, Outputs = unknown> = Definition extends { readonly steps: infer Steps }
  ? Steps extends readonly [unknown, ...unknown[]]
    ? StepOutput<LastStep<Executed<Steps>>, Outputs>
    : JsonValue
  : JsonValue;

type Executed<Steps> = Steps extends readonly [infer First, ...infer Rest]
  ? First extends { readonly type: "note" }
    ? Executed<Rest>
    : [First, ...Executed<Rest>]
  : [];

/** The last step of a chain, or the only leaf of a graph. `unknown` if there is no such step. */
type LastStep<Steps extends readonly unknown[]> = [Extract<Steps[number], Edges>] extends [never]
  ? Steps extends readonly [...unknown[], infer Last]
    ? Last
    : unknown
  : [Extract<Steps[number], Routes>] extends [never]
    ? Only<Exclude<Steps[number], Edges>>
    : unknown;

type Routes = { readonly on_error: readonly unknown[] };
/** What makes the steps a graph. */
type Edges = { readonly destinations: readonly [unknown, ...unknown[]] } | { readonly type: "branch" } | Routes;

/** The type itself unless it is a union. */
type Only<T, All = T> = [T] extends [never] ? unknown : T extends T ? ([All] extends [T] ? T : unknown) : never;

type StepOutput<Step, Outputs> = Step extends { readonly for_each: infer ForEach }
  ? (ForEach extends { readonly on_error: "continue" } ? ItemOutput<Step, Outputs> | null : ItemOutput<Step, Outputs>)[]
  : ItemOutput<Step, Outputs>;

/** Output of one execution of the step. */
type ItemOutput<Step, Outputs> = Step extends { readonly type: infer Type }
  ? Type extends "code"
    ? Step extends { readonly output: infer Schema }
      ? SchemaType<Schema>
      : JsonValue
    : Type extends "service"
      ? ActionOutput<Step, Outputs>
      : Type extends "model"
        ? ModelOutput<Step>
        : Type extends "http_request"
          ? HttpRequestOutput
          : Type extends "browser"
            ? BrowserOutput
            : JsonValue
  : JsonValue;

type ActionOutput<Step, Outputs> = Step extends {
  readonly service: { readonly service: infer Service extends keyof Outputs; readonly action: infer Action };
}
  ? Action extends keyof Outputs[Service]
    ? Outputs[Service][Action]
    : JsonValue
  : JsonValue;

/** Output of a model step; with `object`, the parsed response, if the step requests JSON. */
export type ModelOutput<Step = unknown> = ModelAnswer & ObjectOf<Step>;

interface ModelAnswer {
  /** Text of the last response. */
  text: string;
  /** Why the model stopped, as the provider says it. */
  finish_reason: string;
  /** Number of responses. */
  iterations: number;
  /** Calls of tools, in order. */
  tool_calls: JsonObject[];
  /** Tokens of all responses. */
  usage: JsonObject;
}

type ObjectOf<Step> = Step extends { readonly provider: { readonly response_format: infer Format } }
  ? Format extends { readonly type: "json_schema"; readonly schema: infer Schema }
    ? { object: SchemaType<Schema> }
    : Format extends { readonly type: "json_object" }
      ? { object: JsonObject }
      : unknown
  : unknown;

/** Output of an http_request step. */
export interface HttpRequestOutput {
  /** Status of the response. */
  status: number;
  /** Headers by lowercase name. */
  headers: { [name: string]: string };
  /** Parsed JSON, or text; null if the body became a file. */
  body: JsonValue;
  /** The file that the body became; null for text and JSON. */
  file: FileSummary | null;
  /** Media type of the response, or null. */
  mime_type: string | null;
}

/** Output of a browser step. */
export interface BrowserOutput {
  /** Status of the response. */
  status: number;
  /** URL after redirects. */
  url: string;
  /** Title of the web page. */
  title: string;
  /** HTML, or Markdown with `strip_html`. */
  content: string;
}
