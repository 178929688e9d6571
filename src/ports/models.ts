/** Language models of the providers that the host gave at construction. */
import type { JsonObject, JsonValue } from "../json.ts";

export interface Models {
  /** The names under which the host gave its providers. */
  readonly providers: readonly string[];
  /**
   * Settles when models can be asked at all, for those who want to know before.
   * @throws ModelError
   */
  check(): Promise<void>;
  /**
   * Asks a model once: one request, without a second try, without carrying out the tools that it calls. When `signal`
   * aborts, the request is cut and it rejects.
   * @throws ModelError
   */
  answer(call: ModelCall): Promise<ModelAnswer>;
}

export interface ModelCall {
  /** One of {@link Models.providers}. */
  readonly provider: string;
  /** As the provider names it. */
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly OfferedTool[];
  /** `required`: some tool must be called. `none`: none may be. */
  readonly tools_mode: "auto" | "required" | "none";
  /** Whether the model may call several tools in one answer. */
  readonly tools_parallel: boolean;
  /** JSON, and of this schema if there is one; null for text. Told in words where the provider takes no schema. */
  readonly json: { readonly schema: JsonObject | null } | null;
  readonly temperature: number | undefined;
  readonly max_tokens: number | undefined;
  /** How much the model is to think; not told by version 6 of `ai`. */
  readonly reasoning: "low" | "medium" | "high" | undefined;
  /** Whether the provider is asked to keep the beginning of the conversation at hand, where that has to be asked for. */
  readonly cache: boolean;
  /** Told of each piece of text as it comes; left out, the answer is asked for in one piece. */
  readonly wrote?: (text: string) => void;
  /** The same for every try of the same answer, also after a crash: sent as `Idempotency-Key`. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

export type ModelMessage =
  | { readonly role: "system"; readonly text: string }
  | { readonly role: "user"; readonly parts: readonly MessagePart[] }
  | { readonly role: "assistant"; readonly text: string }
  /** An earlier answer of this conversation; `said` as it was given. */
  | { readonly role: "answer"; readonly said: JsonValue }
  | { readonly role: "results"; readonly results: readonly ToolResult[] };

export type MessagePart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "file";
      readonly bytes: Uint8Array;
      /** Such as `image/png`. */
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
  /** Perhaps of a tool that was not offered. */
  readonly name: string;
  /** What JSON says; the text itself where it is no JSON. */
  readonly input: JsonValue;
}

export interface ToolResult {
  readonly id: string;
  readonly name: string;
  readonly output: JsonValue;
  /** Whether the output says what went wrong. */
  readonly is_error: boolean;
}

/** Tools that a model can call in one answer. */
export const MAX_TOOL_CALLS = 128;

/** All of it plain JSON. */
export interface ModelAnswer {
  readonly text: string;
  /** {@link MAX_TOOL_CALLS} at most. */
  readonly tool_calls: readonly ToolCall[];
  /** The answer as the provider wants it back, for {@link ModelMessage}. */
  readonly said: JsonValue;
  /** Why it ended, as the AI SDK has it: `stop`, `length`, `tool-calls`, `content-filter`, `error`, `other`. */
  readonly finish_reason: string;
  readonly usage: ModelUsage;
}

/** What an answer took; what the provider does not tell is 0. */
export interface ModelUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  /** Of the output. */
  readonly reasoning_tokens: number;
  /** Of the input, read from a cache. */
  readonly cached_tokens: number;
  /** In the currency of the provider; null where it does not tell. */
  readonly cost: number | null;
}

export interface ModelErrorDetails {
  /** Whether another try may go better. */
  readonly retryable?: boolean;
  /** The header `Retry-After`, as it came. */
  readonly retry_after?: string | null;
}

/** Why a model gave no answer, in words that hold no key and no header. */
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

/** A model of the AI SDK, of whichever version the installed `ai` takes. */
export interface LanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

/** A provider of the AI SDK, or any function from the name of a model to a model of the AI SDK. */
export type LanguageModelProvider =
  | ((modelId: string) => LanguageModel)
  | {
      languageModel(modelId: string): LanguageModel;
    };
