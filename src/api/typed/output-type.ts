/** The TypeScript type of the output of a run, by the last step of a literal definition. */
import type { FileSummary } from "../../files/file.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import type { SchemaType } from "./json-schema-type.ts";
import type { LastStep } from "./last-step.ts";

/**
 * Output of a run: that of the only step that leads to no other. Any JSON if there are several such steps, if catch routes may
 * replace it, if a pinned output may, or if the compiler does not know its output.
 *
 * @typeParam Outputs Outputs of actions, by service and action.
 */
export type OutputOf<Definition, Outputs = unknown> = Definition extends {
  readonly steps: infer Steps extends readonly unknown[];
}
  ? UnlessPinned<LastStep<Steps>, PinnedKeys<Definition>, Outputs>
  : JsonValue;

type PinnedKeys<Definition> = Definition extends { readonly pinned?: infer Pinned } ? keyof Pinned : never;

/** A run of the draft takes the pinned output of a step, which can be any JSON. */
type UnlessPinned<Step, Pinned, Outputs> = [Overlap<KeyOf<Step>, Pinned>] extends [never]
  ? StepOutput<Step, Outputs>
  : JsonValue;

type KeyOf<Step> = Step extends { readonly key: infer Key } ? Key : never;
type Overlap<One, Other> = Extract<One, Other> | Extract<Other, One>;

type StepOutput<Step, Outputs> = "for_each" extends keyof Step
  ? Step extends { readonly for_each: infer ForEach }
    ? ItemList<Step, ForEach, Outputs>
    : ItemOutput<Step, Outputs> | ItemList<Step, Step["for_each" & keyof Step], Outputs>
  : ItemOutput<Step, Outputs>;

/** With `continue`, the output of a failed item is null. */
type ItemList<Step, ForEach, Outputs> =
  | ItemOutput<Step, Outputs>
  | (ForEach extends { readonly on_error?: infer OnError }
      ? "continue" extends OnError
        ? null
        : never
      : never) extends infer Item
  ? Item[]
  : never;

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
  tool_calls: readonly JsonObject[];
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
  /** Headers by lowercase name. Several values are separated by commas, those of `set-cookie` by line breaks. */
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
