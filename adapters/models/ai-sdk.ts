/** Models of the AI SDK: one request for each answer, without its retries, and without its own loop over tools. */
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
import { asModelError } from "./errors.ts";
import { withToolCallLimit } from "./tool-call-limit.ts";

type Sdk = typeof import("ai");
type Settings = Parameters<Sdk["generateText"]>[0];

/** @param providers By the names that steps call them. */
export async function createAiSdkModels(
  providers: Readonly<Record<string, LanguageModelProvider>>,
): Promise<Pick<Models, "answer">> {
  const sdk = await loadSdk();
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
  } catch {
    throw new ModelError('Model steps need the package "ai": npm install ai.');
  }
}

function modelOf(provider: LanguageModelProvider, name: string): LanguageModel {
  const model = typeof provider === "function" ? provider(name) : provider.languageModel(name);
  return model as LanguageModel; // the SDK looks at its version, and refuses what it does not know
}

async function ask(sdk: Sdk, model: LanguageModel, call: ModelCall): Promise<ModelAnswer> {
  const hasTools = call.tools.length > 0;
  const settings: Settings = omitUndefined({
    model: withToolCallLimit(sdk, model),
    messages: withInstruction(inWords(model, call.json), call.messages).flatMap(sdkMessages),
    allowSystemInMessages: true,
    maxRetries: 0,
    abortSignal: call.signal,
    headers: { "Idempotency-Key": call.idempotencyKey },
    providerOptions: providerOptions(call),
    tools: hasTools ? toolSet(sdk, call) : undefined,
    toolChoice: hasTools ? call.tools_mode : undefined,
    output: call.json === null ? undefined : jsonOutput(sdk, knowsSchemas(model) ? call.json.schema : null),
    temperature: call.temperature,
    maxOutputTokens: call.max_tokens,
    reasoning: call.reasoning,
  });
  const result =
    call.wrote === undefined ? await sdk.generateText(settings) : await streamed(sdk, settings, call.wrote);
  return {
    text: result.text,
    tool_calls: result.toolCalls.map(({ toolCallId, toolName, input }) => ({
      id: toolCallId,
      name: toolName,
      input: asJson(input),
    })),
    // Of calls that cannot be read the SDK gives results of its own; ours come later.
    said: asJson(result.response.messages.filter(({ role }) => role === "assistant")),
    finish_reason: result.finishReason,
    usage: usageOf(result.usage, result.providerMetadata),
  };
}

/** How answers end that have ended; whatever else a provider calls an end has its own word for it. */
const WHOLE = new Set(["stop", "length", "tool-calls", "content-filter"]);

/** What `generateText` gives, from a stream whose text is told as it comes. */
async function streamed(sdk: Sdk, settings: Settings, wrote: (text: string) => void) {
  const result = sdk.streamText({ ...settings, onError() {} } as Parameters<Sdk["streamText"]>[0]); // the settings they share
  let isWhole = false;
  for await (const part of result.fullStream) {
    if (part.type === "text-delta") wrote(part.text);
    if (part.type === "error") throw part.error;
    if (part.type === "finish") isWhole = WHOLE.has(part.finishReason) || part.rawFinishReason !== undefined;
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
      return message.said as unknown as SdkMessage[]; // they were, and come back as they were
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

/** False for most models of addresses that speak as OpenAI does: the SDK sends them no schema. */
function knowsSchemas(model: LanguageModel): boolean {
  return !(typeof model === "object" && "supportsStructuredOutputs" in model && !model.supportsStructuredOutputs);
}

/** JSON as it has to be asked for where the request has no place for its schema; OpenAI wants the word even without one. */
function inWords(model: LanguageModel, json: ModelCall["json"]): string | null {
  if (json === null || (json.schema !== null && knowsSchemas(model))) return null;
  const schema = json.schema === null ? "" : ` It must match this JSON Schema:\n${JSON.stringify(json.schema)}`;
  return `Respond with a JSON object and nothing else.${schema}`;
}

/** As a part of the first message of the system, for many a model takes only one. */
function withInstruction(text: string | null, messages: readonly ModelMessage[]): readonly ModelMessage[] {
  if (text === null) return messages;
  const [first, ...others] = messages;
  if (first?.role !== "system") return [{ role: "system", text }, ...messages];
  return [{ role: "system", text: `${first.text}\n\n${text}` }, ...others];
}

/** Asks for JSON and takes whatever comes: it is held against the schema by the step, which can ask again. */
function jsonOutput(sdk: Sdk, schema: JsonObject | null) {
  const format = omitUndefined({ type: "json" as const, schema: schema ?? undefined });
  return { ...sdk.Output.text(), responseFormat: Promise.resolve(format) };
}

/** Each provider looks at what stands under its own name. */
function providerOptions({ tools, tools_parallel, cache }: ModelCall): NonNullable<Settings["providerOptions"]> {
  const one = tools.length > 0 && !tools_parallel;
  return {
    openai: {
      // The conversation is ours: nothing of it has to be looked up at the provider, later or by another process.
      store: false,
      ...omitUndefined({ parallelToolCalls: one ? false : undefined }),
    },
    anthropic: omitUndefined({
      disableParallelToolUse: one || undefined,
      cacheControl: cache ? { type: "ephemeral" } : undefined,
    }),
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

/** The first `cost` that somebody tells: providers that resell have it in their usage or beside it. */
function costOf(places: readonly unknown[]): number | null {
  for (const place of places) {
    const cost = isObject(place) ? Number(place["cost"] ?? Number.NaN) : Number.NaN;
    if (Number.isFinite(cost)) return cost;
  }
  return null;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const asJson = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value ?? null)) as JsonValue; // it just was
