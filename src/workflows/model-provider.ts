/** The settings of a model step. */
import * as v from "valibot";
import { jsonObject, list, strictObject, wholeNumber } from "../schema.ts";

export const Temperature = v.pipe(
  v.number(),
  v.minValue(0, "Must be at least 0."),
  v.maxValue(2, "Must be at most 2."),
);

/** A part that is not text. Set exactly one of `file_id` and `url`. */
const attached = {
  /** Id of a file of the app, at most 20 MiB. */
  file_id: v.exactOptional(v.string()),
  /** URL from which Stepwell fetches the file. */
  url: v.exactOptional(v.string()),
} as const;

const MessagePart = v.variant("type", [
  strictObject({
    /** Text. */
    type: v.literal("text"),
    /** The text. May contain expressions in `{{ }}`. */
    text: v.string(),
  }),
  strictObject({
    /** An image. */
    type: v.literal("image"),
    ...attached,
  }),
  strictObject({
    /** A file of any type that the model accepts, such as a PDF. */
    type: v.literal("file"),
    ...attached,
  }),
]);

export const Message = strictObject({
  /** Author of the message. */
  role: v.picklist(["system", "user", "assistant", "tool"]),
  /** Text, or a list of text, image and file parts. May contain expressions in `{{ }}`. */
  content: v.union([v.string(), list(MessagePart)]),
});
/** A message to a model. */
export interface Message extends v.InferOutput<typeof Message> {}

const ToolObject = v.variant("type", [
  strictObject({
    /** An action of a service. */
    type: v.literal("service"),
    /** Name of the service. */
    service: v.string(),
    /** Name of the action. */
    action: v.string(),
    /** Name of the tool for the model. @default `SERVICE_ACTION` */
    name: v.exactOptional(v.string()),
    /** Description of the tool for the model. @default the description of the action */
    description: v.exactOptional(v.string()),
    /** Fixed arguments, which the model neither sees nor chooses. @default none */
    input: v.exactOptional(jsonObject),
    /** Id of the connection with the credentials. Required if the service needs a connection. */
    connection_id: v.exactOptional(v.string()),
  }),
  strictObject({
    /** A workflow, which runs as a child run. */
    type: v.literal("workflow"),
    /** Id of the workflow. */
    workflow_id: v.string(),
    /** Name of the tool for the model. */
    name: v.string(),
    /** Description of the tool for the model. */
    description: v.string(),
  }),
]);

const Tool = v.union([v.string(), ToolObject]);
/** `SERVICE.ACTION`, the id of a workflow, or an object with more settings. */
export type Tool = v.InferOutput<typeof Tool>;

/** The id of the workflow that a tool runs; null for an action. */
export function workflowOfTool(tool: Tool): string | null {
  if (typeof tool === "string") return tool.includes(".") ? null : tool;
  return tool.type === "workflow" ? tool.workflow_id : null;
}

const ResponseFormat = strictObject({
  /** `text`, any JSON (`json_object`), or JSON that matches `schema` (`json_schema`). */
  type: v.picklist(["text", "json_object", "json_schema"]),
  /** JSON Schema of the response. Required for `json_schema`. */
  schema: v.exactOptional(jsonObject),
});

const Features = strictObject({
  /** Whether the run emits `step.delta` events with the text as it arrives. @default false */
  stream: v.exactOptional(v.boolean()),
  /** Reasoning effort. @default the provider's */
  reasoning: v.exactOptional(v.picklist(["low", "medium", "high"])),
  /** Whether to ask the provider to cache the prompt. @default false */
  cache: v.exactOptional(v.boolean()),
});

export const ModelProvider = strictObject({
  /** Name of a provider in the option `models`. May contain expressions in `{{ }}`. */
  provider: v.string(),
  /** Name of the model, as the provider knows it. May contain expressions in `{{ }}`. */
  model: v.string(),
  /** A list of messages, or a string: the text of one user message, or an expression that returns a list. */
  messages: v.union([v.string(), list(Message)]),
  /** Sampling temperature, from 0 to 2. @default the provider's */
  temperature: v.exactOptional(Temperature),
  /** Format of the response. If the JSON does not match, Stepwell requests it once more. @default text */
  response_format: v.exactOptional(ResponseFormat),
  /** Maximum tokens of one response. 0 for as many as the provider allows. @default 0 */
  max_tokens: v.exactOptional(wholeNumber(0)),
  /** Tools that the model can call: `SERVICE.ACTION`, ids of workflows, or objects with more settings. @default none */
  tools: v.exactOptional(list(Tool)),
  /** Whether the tool calls of one response run in parallel, at most eight at a time. @default true */
  tools_parallel: v.exactOptional(v.boolean()),
  /**
   * Whether the model may call tools (`auto`), must call one first (`required`), or must not (`none`). @default auto
   */
  tools_mode: v.exactOptional(v.picklist(["auto", "required", "none"])),
  /** Maximum model responses in one step, from 1 to 512. @default 20 */
  max_iterations: v.exactOptional(wholeNumber(1, 512)),
  /** Streaming, reasoning and prompt caching, where the provider supports them. */
  features: v.exactOptional(Features),
});
/** The model of a model step, its messages, tools and settings. */
export interface ModelProvider extends v.InferOutput<typeof ModelProvider> {}
