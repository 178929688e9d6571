/** A model provider with scripted responses: no network, deterministic. */
import type { JsonObject } from "../json.ts";
import type { LanguageModel } from "../ports/models.ts";

/** A response: text, tool calls, or an error. */
export type ScriptedAnswer =
  | string
  | {
      /** Text of the response. @default none */
      readonly text?: string;
      /** Tools that the response calls. @default none */
      readonly calls?: readonly {
        /** Name of the tool as the model sees it, such as `mail_send` for the action `send` of the service `mail`. */
        readonly name: string;
        /** Arguments of the call. */
        readonly input: JsonObject;
      }[];
    }
  | Error;

/** A model provider for the option `models`. */
export interface ScriptedModel {
  (modelId: string): LanguageModel;
  /** Requests so far, as the options of the AI SDK. */
  readonly requests: readonly unknown[];
}

/**
 * Creates a provider that returns these responses in order. Any further request fails.
 *
 * @example
 * ```ts
 * const fake = scriptedModel([{ calls: [{ name: "mail_send", input: { to: "a@example.com" } }] }, "Sent."]);
 * const service = await createTestService({ models: { fake }, services: [mail] });
 * ```
 */
export function scriptedModel(answers: readonly ScriptedAnswer[]): ScriptedModel {
  const requests: unknown[] = [];

  function next(options: unknown) {
    const answer = answers[requests.push(options) - 1];
    if (answer === undefined) throw new Error(`The scripted model has only ${answers.length} responses.`);
    if (answer instanceof Error) throw answer;
    const { text, calls = [] } = typeof answer === "string" ? { text: answer } : answer;
    return {
      content: [
        ...(text === undefined ? [] : [{ type: "text" as const, text }]),
        ...calls.map(({ name, input }, index) => ({
          type: "tool-call" as const,
          toolCallId: `call_${requests.length}_${index + 1}`,
          toolName: name,
          input: JSON.stringify(input),
        })),
      ],
      finishReason: { unified: calls.length === 0 ? "stop" : "tool-calls", raw: undefined },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      warnings: [],
    };
  }

  function streamParts(options: unknown) {
    const { content, finishReason, usage } = next(options);
    const parts = content.flatMap((part): object[] =>
      part.type === "tool-call"
        ? [part]
        : [
            { type: "text-start", id: "text" },
            ...words(part.text).map((delta) => ({ type: "text-delta", id: "text", delta })),
            { type: "text-end", id: "text" },
          ],
    );
    return [{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason, usage }];
  }

  const provider = (modelId: string) => ({
    specificationVersion: "v3",
    provider: "scripted",
    modelId,
    supportedUrls: {},
    doGenerate: async (options: unknown) => next(options),
    doStream: async (options: unknown) => ({ stream: streamOf(streamParts(options)) }),
  });
  return Object.assign(provider, { requests });
}

/** The chunks of a streamed text. */
const words = (text: string) => text.match(/\S+\s*|\s+/g) ?? [];

function streamOf(parts: readonly object[]): ReadableStream<object> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
