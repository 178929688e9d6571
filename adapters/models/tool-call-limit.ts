/** Rejects a response with too many tool calls early, because the AI SDK is slow with thousands of them. */
import type { LanguageModel } from "ai";
import { MAX_TOOL_CALLS, ModelError } from "../../src/ports/models.ts";

type Sdk = typeof import("ai");

/** @returns The model, which rejects such responses with a ModelError. */
export function withToolCallLimit(sdk: Sdk, model: LanguageModel): LanguageModel {
  if (typeof model === "string") return model; // only a name, which the SDK resolves or rejects
  return sdk.wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      async wrapGenerate({ doGenerate }) {
        const answer = await doGenerate();
        const count = createCount();
        for (const part of answer.content) count(part);
        return answer;
      },
      async wrapStream({ doStream }) {
        const { stream, ...rest } = await doStream();
        const count = createCount();
        const counted = new TransformStream<StreamPart, StreamPart>({
          transform(part, controller) {
            count(part);
            controller.enqueue(part);
          },
        });
        return { ...rest, stream: stream.pipeThrough(counted) };
      },
    },
  });
}

type Middleware = Extract<Parameters<Sdk["wrapLanguageModel"]>[0]["middleware"], { wrapStream?: unknown }>;
type StreamResult = Awaited<ReturnType<NonNullable<Middleware["wrapStream"]>>>;
type StreamPart = StreamResult["stream"] extends ReadableStream<infer Part> ? Part : never;

function createCount() {
  let calls = 0;
  return ({ type }: { readonly type: string }) => {
    if (type !== "tool-call") return;
    calls++;
    if (calls <= MAX_TOOL_CALLS) return;
    throw new ModelError(
      `The model called more than ${MAX_TOOL_CALLS} tools in one response. None of them was executed.`,
    );
  };
}
