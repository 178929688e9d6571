/** Language models of the providers that the host configured. */
import type { JsonObject, JsonValue } from "../json.ts";

export interface Models {
  /** Names of the configured providers. */
  readonly providers: readonly string[];
  /**
   * Resolves if models can be called, to detect a missing package early.
   * @throws ModelError
   */
  check(): Promise<void>;
  /**
   * Sends one request to a model, without retries and without executing tools. When `signal` aborts, the request is
   * canceled and the call rejects.
   * @throws ModelError
   */
  answer(call: ModelCall): Promise<ModelAnswer>;
}

export interface ModelCall {
  /** One of {@link Models.providers}. */
  readonly provider: string;
  /** The provider's name for the model. */
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly OfferedTool[];
  /** `required`: the model must call a tool. `none`: it must not. */
  readonly tools_mode: "auto" | "required" | "none";
  /** Whether the model may call several tools in one response. */
  readonly tools_parallel: boolean;
  /**
   * Requests JSON, matching the schema if there is one; null for text. If the provider doesn't support schemas, the
   * prompt contains it.
   */
  readonly json: { readonly schema: JsonObject | null } | null;
  readonly temperature: number | undefined;
  readonly max_tokens: number | undefined;
  /** Reasoning effort. */
  readonly reasoning: "low" | "medium" | "high" | undefined;
  /** Whether to request prompt caching, for providers that require a request. */
  readonly cache: boolean;
  /** Called with each piece of text as it arrives. If omitted, the response isn't streamed. */
  readonly onText?: (text: string) => void;
  /** The same for every attempt of a request, even after a crash. Sent as `Idempotency-Key`. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

export type ModelMessage =
  | { readonly role: "system"; readonly text: string }
  | { readonly role: "user"; readonly parts: readonly MessagePart[] }
  | { readonly role: "assistant"; readonly text: string }
  /** An earlier response of this conversation. `raw` is sent back unchanged. */
  | { readonly role: "answer"; readonly raw: JsonValue }
  | { readonly role: "results"; readonly results: readonly ToolResult[] };

export type MessagePart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "file";
      readonly bytes: Uint8Array;
      /** Media type, such as `image/png`. */
      readonly mime_type: string;
      readonly name: string | undefined;
    };

/** A tool as the model sees it. */
export interface OfferedTool {
  /** 1 to 64 letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string | undefined;
  /** JSON Schema of an object. */
  readonly input: JsonObject;
}

export interface ToolCall {
  readonly id: string;
  /** May be a tool that was not offered. */
  readonly name: string;
  /** Parsed JSON, or the text itself if it is not JSON. */
  readonly input: JsonValue;
}

export interface ToolResult {
  readonly id: string;
  readonly name: string;
  readonly output: JsonValue;
  /** Whether the output describes an error. */
  readonly is_error: boolean;
}

/** Maximum number of tool calls in one response. */
export const MAX_TOOL_CALLS = 128;

/** A response. All fields are plain JSON. */
export interface ModelAnswer {
  readonly text: string;
  /** At most {@link MAX_TOOL_CALLS}. */
  readonly tool_calls: readonly ToolCall[];
  /** The response in the provider's format, for {@link ModelMessage}. */
  readonly raw: JsonValue;
  /** Why it ended, as in the AI SDK: `stop`, `length`, `tool-calls`, `content-filter`, `error` or `other`. */
  readonly finish_reason: string;
  readonly usage: ModelUsage;
}

/** Token usage of a response. Values that the provider doesn't report are 0. */
export interface ModelUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  /** Included in the output tokens. */
  readonly reasoning_tokens: number;
  /** Input tokens that were read from a cache. */
  readonly cached_tokens: number;
  /** In the provider's currency, or null if not reported. */
  readonly cost: number | null;
}

/** Details of a {@link ModelError}. */
export interface ModelErrorDetails {
  /** Whether the error is transient. */
  readonly retryable?: boolean;
  /** The unparsed `Retry-After` header. */
  readonly retry_after?: string | null;
}

/** A model call failed. The message contains no key and no header. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly retryable: boolean;
  readonly retry_after: string | null;

  constructor(message: string, { retryable = false, retry_after = null }: ModelErrorDetails = {}) {
    super(message);
    this.retryable = retryable;
    this.retry_after = retry_after;
  }
}

/** A model of the AI SDK, in any version that the installed `ai` supports. */
export interface LanguageModel {
  /** Version of the AI SDK's interface that the model implements. */
  readonly specificationVersion: string;
  /** Name of the provider. */
  readonly provider: string;
  /** Name of the model at its provider. */
  readonly modelId: string;
}

/** A provider of the AI SDK, or a function that returns an AI SDK model for a model's name. */
export type LanguageModelProvider =
  | ((modelId: string) => LanguageModel)
  | {
      /** Returns a model by its name. */
      languageModel(modelId: string): LanguageModel;
    };
