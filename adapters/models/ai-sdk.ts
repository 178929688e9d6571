/** Models of the AI SDK: one request per response, without the SDK's retries and tool loop. */
import type { FilePart, LanguageModel, LanguageModelUsage, ModelMessage as SdkMessage, TextPart, ToolSet } from "ai";
import { type JsonObject, type JsonValue, omitUndefined } from "../../src/json.ts";
import {
  type LanguageModelProvider,
  type ModelAnswer,
  type ModelCall,
  ModelError,
  type ModelMessage,
  type Models,
  type ModelUsage,
} from "../../src/ports/models.ts";
import { packageProblem } from "../package-problem.ts";
import { asModelError } from "./errors.ts";
import { hasReasoningSetting, reasoningOptions } from "./reasoning.ts";
import { withToolCallLimit } from "./tool-call-limit.ts";

type Sdk = typeof import("ai");
type Settings = Parameters<Sdk["generateText"]>[0];

/**
 * @param providers Providers by the names that steps use.
 * @param load Loads the package `ai`.
 */
export async function createAiSdkModels(
  providers: Readonly<Record<string, LanguageModelProvider>>,
  load: () => Promise<Sdk> = loadSdk,
): Promise<Pick<Models, "answer">> {
  const sdk = await load();
  return {
    async answer(call) {
      const provider = providers[call.provider];
      if (provider === undefined) throw new ModelError(`There is no provider named ${call.provider}.`);
      try {
        return await ask(sdk, modelOf(provider, call.model), call);
      } catch (error) {
        call.signal.throwIfAborted();
        throw asModelError(error, call.provider, sdk);
      }
    },
  };
}

async function loadSdk(): Promise<Sdk> {
  try {
    return await import("ai");
  } catch (cause) {
    throw new ModelError(`${packageProblem("Calling models", "ai", cause)}.`);
  }
}

function modelOf(provider: LanguageModelProvider, name: string): LanguageModel {
  const model = typeof provider === "function" ? provider(name) : provider.languageModel(name);
  return model as LanguageModel; // the SDK checks the version and rejects unknown ones
}

async function ask(sdk: Sdk, model: LanguageModel, call: ModelCall): Promise<ModelAnswer> {
  const hasTools = call.tools.length > 0;
  const settings: Settings = omitUndefined({
    model: withToolCallLimit(sdk, model),
    messages: withInstruction(jsonInstruction(model, call.json), call.messages).flatMap(sdkMessages),
    allowSystemInMessages: true,
    maxRetries: 0,
    abortSignal: call.signal,
    headers: { "Idempotency-Key": call.idempotencyKey },
    providerOptions: providerOptions(model, call),
    tools: hasTools ? toolSet(sdk, call) : undefined,
    toolChoice: hasTools ? call.tools_mode : undefined,
    output: call.json === null ? undefined : jsonOutput(sdk, canSendSchema(model) ? call.json.schema : null),
    temperature: call.temperature,
    maxOutputTokens: call.max_tokens,
    reasoning: hasReasoningSetting(model) ? call.reasoning : undefined,
  });
  const result =
    call.onText === undefined ? await sdk.generateText(settings) : await streamResponse(sdk, settings, call.onText);
  return {
    text: result.text,
    tool_calls: result.toolCalls.map(({ toolCallId, toolName, input }) => ({
      id: toolCallId,
      name: toolName,
      input: asJson(input),
    })),
    // The SDK adds results for calls that it cannot parse. Ours are added later, so keep only the assistant's messages.
    raw: asJson(result.response.messages.filter(({ role }) => role === "assistant")),
    finish_reason: result.finishReason,
    usage: usageOf(result.usage, result.providerMetadata),
  };
}

/** Finish reasons of complete responses. For any other, the provider must have sent its own reason. */
const COMPLETE = new Set(["stop", "length", "tool-calls", "content-filter"]);

/** Streams a response and reports its text as it arrives. Returns the same as `generateText`. */
async function streamResponse(sdk: Sdk, settings: Settings, onText: (text: string) => void) {
  // Both functions accept these settings.
  const result = sdk.streamText({ ...settings, onError() {} } as Parameters<Sdk["streamText"]>[0]);
  let isWhole = false;
  for await (const part of result.fullStream) {
    if (part.type === "text-delta") onText(part.text);
    if (part.type === "error") throw part.error;
    if (part.type === "finish") isWhole = COMPLETE.has(part.finishReason) || part.rawFinishReason !== undefined;
  }
  if (!isWhole) throw new ModelError("The response was cut off.", { retryable: true });
  return {
    text: await result.text,
    toolCalls: await result.toolCalls,
    response: await result.response,
    finishReason: await result.finishReason,
    usage: await result.usage,
    providerMetadata: await result.providerMetadata,
  };
}

function sdkMessages(message: ModelMessage): SdkMessage | SdkMessage[] {
  switch (message.role) {
    case "system":
    case "assistant":
      return { role: message.role, content: message.text };
    case "user":
      return {
        role: "user",
        content: message.parts.map((part): TextPart | FilePart =>
          part.type === "text"
            ? { type: "text", text: part.text }
            : {
                type: "file",
                data: part.bytes,
                mediaType: part.mime_type,
                ...omitUndefined({ filename: part.name }),
              },
        ),
      };
    case "answer":
      return message.raw as unknown as SdkMessage[]; // messages of the SDK, stored unchanged
    case "results":
      return {
        role: "tool",
        content: message.results.map(({ id, name, output, is_error }) => ({
          type: "tool-result",
          toolCallId: id,
          toolName: name,
          output: { type: is_error ? "error-json" : "json", value: output },
        })),
      };
  }
}

function toolSet(sdk: Sdk, { tools }: ModelCall): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input }) => [
      name,
      sdk.tool(omitUndefined({ inputSchema: sdk.jsonSchema(input), description })),
    ]),
  );
}

/** Returns false for most OpenAI-compatible endpoints, to which the SDK sends no schema. */
function canSendSchema(model: LanguageModel): boolean {
  return !(typeof model === "object" && "supportsStructuredOutputs" in model && !model.supportsStructuredOutputs);
}

/**
 * Returns an instruction for JSON if the request cannot contain the schema. OpenAI requires the word "JSON" in any
 * case.
 */
function jsonInstruction(model: LanguageModel, json: ModelCall["json"]): string | null {
  if (json === null || (json.schema !== null && canSendSchema(model))) return null;
  const schema = json.schema === null ? "" : ` It must match this JSON Schema:\n${JSON.stringify(json.schema)}`;
  return `Respond with a JSON object and nothing else.${schema}`;
}

/** Adds the instruction to the first system message, because many models accept only one. */
function withInstruction(text: string | null, messages: readonly ModelMessage[]): readonly ModelMessage[] {
  if (text === null) return messages;
  const [first, ...others] = messages;
  if (first?.role !== "system") return [{ role: "system", text }, ...messages];
  return [{ role: "system", text: `${first.text}\n\n${text}` }, ...others];
}

/** Requests JSON without validation. The step validates the response and can ask the model to correct it. */
function jsonOutput(sdk: Sdk, schema: JsonObject | null) {
  const format = omitUndefined({ type: "json" as const, schema: schema ?? undefined });
  return { ...sdk.Output.text(), responseFormat: Promise.resolve(format) };
}

/** Options by provider. Each provider reads only its own. */
function providerOptions(
  model: LanguageModel,
  { tools, tools_parallel, cache, reasoning }: ModelCall,
): NonNullable<Settings["providerOptions"]> {
  const one = tools.length > 0 && !tools_parallel;
  const thinking = reasoning === undefined || hasReasoningSetting(model) ? {} : reasoningOptions(model, reasoning);
  return {
    ...thinking,
    openai: {
      ...thinking["openai"],
      // The conversation is stored in the run, so the provider doesn't need to keep it.
      store: false,
      ...omitUndefined({ parallelToolCalls: one ? false : undefined }),
    },
    anthropic: {
      ...thinking["anthropic"],
      ...omitUndefined({
        disableParallelToolUse: one || undefined,
        cacheControl: cache ? { type: "ephemeral" } : undefined,
      }),
    },
  };
}

function usageOf(usage: LanguageModelUsage, metadata: unknown): ModelUsage {
  const { inputTokens = 0, outputTokens = 0, totalTokens, inputTokenDetails, outputTokenDetails, raw } = usage;
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: totalTokens ?? inputTokens + outputTokens,
    reasoning_tokens: outputTokenDetails.reasoningTokens ?? 0,
    cached_tokens: inputTokenDetails.cacheReadTokens ?? 0,
    cost: costOf([raw, ...Object.values(isObject(metadata) ? metadata : {})]),
  };
}

/** Returns the first `cost` found: resellers include it in the usage or next to it. */
function costOf(places: readonly unknown[]): number | null {
  for (const place of places) {
    const cost = isObject(place) ? Number(place["cost"] ?? Number.NaN) : Number.NaN;
    if (Number.isFinite(cost)) return cost;
  }
  return null;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const asJson = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value ?? null)) as JsonValue; // just parsed
