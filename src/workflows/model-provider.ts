/** What a model step calls, and how. */
import * as v from "valibot";
import { jsonObject, list, strictObject, wholeNumber } from "../schema.ts";

export const Temperature = v.pipe(
  v.number(),
  v.minValue(0, "Must be at least 0."),
  v.maxValue(2, "Must be at most 2."),
);

/** A part that is not text: a file of the app, or an address. */
const attached = {
  file_id: v.exactOptional(v.string()),
  url: v.exactOptional(v.string()),
} as const;

const MessagePart = v.variant("type", [
  strictObject({ type: v.literal("text"), text: v.string() }),
  strictObject({ type: v.literal("image"), ...attached }),
  strictObject({ type: v.literal("file"), ...attached }),
]);

export const Message = strictObject({
  role: v.picklist(["system", "user", "assistant", "tool"]),
  content: v.union([v.string(), list(MessagePart)]),
});
export interface Message extends v.InferOutput<typeof Message> {}

/** `SERVICE.ACTION` or a workflow's id as text, or one of these. */
const ToolObject = v.variant("type", [
  strictObject({
    type: v.literal("service"),
    service: v.string(),
    action: v.string(),
    name: v.exactOptional(v.string()),
    description: v.exactOptional(v.string()),
    /** Arguments that the model does not choose. */
    input: v.exactOptional(jsonObject),
    /** Where the service needs one. */
    connection_id: v.exactOptional(v.string()),
  }),
  strictObject({
    type: v.literal("workflow"),
    workflow_id: v.string(),
    name: v.string(),
    description: v.string(),
  }),
]);

const Tool = v.union([v.string(), ToolObject]);
export type Tool = v.InferOutput<typeof Tool>;

/** The workflow that a tool names. */
export function workflowOfTool(tool: Tool): string | null {
  if (typeof tool === "string") return tool.includes(".") ? null : tool;
  return tool.type === "workflow" ? tool.workflow_id : null;
}

const ResponseFormat = strictObject({
  type: v.picklist(["text", "json_object", "json_schema"]),
  /** JSON Schema, for `json_schema`. */
  schema: v.exactOptional(jsonObject),
});

const Features = strictObject({
  stream: v.exactOptional(v.boolean()),
  reasoning: v.exactOptional(v.picklist(["low", "medium", "high"])),
  cache: v.exactOptional(v.boolean()),
});

export const ModelProvider = strictObject({
  provider: v.string(),
  model: v.string(),
  messages: v.union([v.string(), list(Message)]),
  temperature: v.exactOptional(Temperature),
  response_format: v.exactOptional(ResponseFormat),
  /** Tokens of one answer at most. 0 or left out: as many as the provider allows. */
  max_tokens: v.exactOptional(wholeNumber(0)),
  tools: v.exactOptional(list(Tool)),
  /** Whether tools that a model calls together run together, at most eight at once. Left out, true. */
  tools_parallel: v.exactOptional(v.boolean()),
  tools_mode: v.exactOptional(v.picklist(["auto", "required", "none"])),
  max_iterations: v.exactOptional(wholeNumber(1, 512)),
  features: v.exactOptional(Features),
});
export interface ModelProvider extends v.InferOutput<typeof ModelProvider> {}
