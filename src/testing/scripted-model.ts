/** A model that says what a test has written, to be given as a provider: no network, the same every time. */
import type { JsonObject } from "../json.ts";
import type { LanguageModel } from "../ports/models.ts";

/** A text, the tools that are called, or why there is no answer. */
export type ScriptedAnswer =
  | string
  | { readonly text?: string; readonly calls?: readonly { readonly name: string; readonly input: JsonObject }[] }
  | Error;

export interface ScriptedModel {
  (modelId: string): LanguageModel;
  /** What it was asked so far, as the AI SDK asks a model. */
  readonly asked: readonly unknown[];
}

/**
 * Gives these answers, one after the other; whoever asks for more gets an error.
 *
 * @example
 * ```ts
 * const fake = scriptedModel([{ calls: [{ name: "mail_send", input: { to: "a@example.com" } }] }, "Sent."]);
 * const t = await createTestService({ models: { fake }, services: [mail] });
 * ```
 */
export function scriptedModel(answers: readonly ScriptedAnswer[]): ScriptedModel {
  const asked: unknown[] = [];

  function next(options: unknown) {
    const answer = answers[asked.push(options) - 1];
    if (answer === undefined) throw new Error(`The scripted model has only ${answers.length} responses.`);
    if (answer instanceof Error) throw answer;
    const { text, calls = [] } = typeof answer === "string" ? { text: answer } : answer;
    return {
      content: [
        ...(text === undefined ? [] : [{ type: "text" as const, text }]),
        ...calls.map(({ name, input }, index) => ({
          type: "tool-call" as const,
          toolCallId: `call_${asked.length}_${index + 1}`,
          toolName: name,
          input: JSON.stringify(input),
        })),
      ],
      finishReason: { unified: calls.length === 0 ? "stop" : "tool-calls", raw: undefined },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      warnings: [],
    };
  }

  function streamed(options: unknown) {
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
    doStream: async (options: unknown) => ({ stream: streamOf(streamed(options)) }),
  });
  return Object.assign(provider, { asked });
}

/** The pieces in which a text is streamed. */
const words = (text: string) => text.match(/\S+\s*|\s+/g) ?? [];

function streamOf(parts: readonly object[]): ReadableStream<object> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
