/** Runs a conversation with a model until it calls no more tools. Each response and each tool call is a substep. */
import { isRecord, type JsonObject } from "../../json.ts";
import { retryAfterMs } from "../../net/retry-after.ts";
import { type ModelAnswer, type ModelCall, ModelError, type ModelMessage, type ToolCall } from "../../ports/models.ts";
import type { ModelRunner } from "../compile/step-implementation.ts";
import type { Attempt } from "../execution/step-context.ts";
import { StepError } from "../step-error.ts";
import { readJsonAnswer } from "./json-answer.ts";
import type { CheckBySchema } from "./json-schema.ts";
import { totalUsage } from "./token-usage.ts";
import type { Tool } from "./tools.ts";

export interface Conversation {
  /** Prefix of the substep names: empty, or a word and a dot. */
  readonly prefix: string;
  readonly attempt: Attempt;
  readonly models: ModelRunner;
  readonly offered: readonly Tool[];
  readonly request: Omit<ModelCall, "messages" | "tools" | "signal" | "idempotencyKey">;
  /** Checks the JSON that `request` asks for by its schema. Null if there is none. */
  readonly checkJson: CheckBySchema | null;
  readonly messages: readonly ModelMessage[];
  readonly isStreamed: boolean;
  readonly iterations: number;
}

/** Maximum number of concurrent tool calls. A model may request dozens in one response. */
const MAX_CONCURRENT_CALLS = 8;

/** @returns The last response, its parsed JSON if requested, and the total token usage. */
export async function converse(conversation: Conversation): Promise<JsonObject> {
  const { request, iterations } = conversation;
  const messages = [...conversation.messages];
  const answers: ModelAnswer[] = [];
  const toolCalls: JsonObject[] = [];

  async function requestAnswer(name: string, mode: ModelCall["tools_mode"]): Promise<ModelAnswer> {
    const answer = await answerOf(`${conversation.prefix}${name}`, mode, messages, conversation);
    answers.push(answer);
    messages.push({ role: "answer", raw: answer.raw });
    return answer;
  }

  let answer = await requestAnswer("answer.1", request.tools_mode);
  while (answer.tool_calls.length > 0) {
    const iteration = answers.length;
    if (iteration >= iterations) throw iterationLimitError(iterations);
    const results = await callAll(answer.tool_calls, iteration, conversation);
    for (const { summary } of results) toolCalls.push(summary);
    messages.push({ role: "results", results: results.map(({ result }) => result) });
    // `required` applies to the first response only; otherwise the model could never finish.
    answer = await requestAnswer(
      `answer.${iteration + 1}`,
      request.tools_mode === "required" ? "auto" : request.tools_mode,
    );
  }

  if (request.json === null) return outputOf(answers, toolCalls);
  const { checkJson, attempt } = conversation;
  let read = await readJsonAnswer(answer.text, checkJson, attempt.signal);
  if (!read.ok) {
    messages.push({ role: "user", parts: [{ type: "text", text: correction(read.problem) }] });
    answer = await requestAnswer("correction", "none");
    read = await readJsonAnswer(answer.text, checkJson, attempt.signal);
  }
  if (!read.ok)
    throw new StepError("invalid_output", `The model's response does not match the requested JSON: ${read.problem}`);
  return { ...outputOf(answers, toolCalls), object: read.value };
}

function outputOf(answers: readonly ModelAnswer[], tool_calls: JsonObject[]): JsonObject {
  const { text = "", finish_reason = "other" } = answers.at(-1) ?? {};
  return { text, finish_reason, iterations: answers.length, tool_calls, usage: totalUsage(answers) };
}

function correction(problem: string): string {
  return `Your response does not match the requested JSON:\n${problem}\nRespond again with the corrected JSON and nothing else.`;
}

function iterationLimitError(iterations: number): StepError {
  const message = `The model still called tools after ${iterations} iterations, the limit that max_iterations sets.`;
  return new StepError("max_iterations", message);
}

/** Requests one response, with its own attempts. */
async function answerOf(
  name: string,
  tools_mode: ModelCall["tools_mode"],
  messages: readonly ModelMessage[],
  { attempt, models, offered, request, isStreamed }: Conversation,
): Promise<ModelAnswer> {
  let isRetry = false;
  const outcome = await attempt.runSubstep({
    name,
    kind: "effect",
    maxAttempts: 3,
    timeoutMs: models.timeoutMs,
    label: "The model",
    async run(_, one, { now }) {
      const { signal, idempotencyKey } = one;
      if (isRetry) one.log(["Retrying the model call."]);
      isRetry = true;
      const tools = offered.map((tool) => tool.offered);
      const streamed = isStreamed ? { onText: (text: string) => one.emitDelta(text) } : {};
      const call = { ...request, tools_mode, messages, tools, signal, idempotencyKey, ...streamed };
      // The port promises plain JSON.
      return { ...(await models.answer(call).catch((error) => fail(error, now()))) } as unknown as JsonObject;
    },
  });
  if (outcome.error !== null) throw new StepError(outcome.error.code, outcome.error.message);
  return outcome.output as unknown as ModelAnswer; // `run` above returned a ModelAnswer
}

function fail(error: unknown, now: number): never {
  if (!(error instanceof ModelError)) throw error;
  const { message, retryable } = error;
  throw new StepError("model_failed", message, { retryable, retryAfterMs: retryAfterMs(error.retry_after, now) });
}

/** Executes the calls of one response, concurrently or in sequence. Returns the results in the order of the calls. */
async function callAll(calls: readonly ToolCall[], iteration: number, conversation: Conversation) {
  const results: Awaited<ReturnType<typeof callOne>>[] = [];
  const rest = calls.entries();
  const worker = async () => {
    for (const [index, call] of rest) {
      results[index] = await callOne(call, `${conversation.prefix}call.${iteration}.${index + 1}`, conversation);
    }
  };
  const concurrency = conversation.request.tools_parallel ? MAX_CONCURRENT_CALLS : 1;
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}

/** Executes one tool call. Errors are returned to the model, which may be able to handle them. */
async function callOne({ id, name, input }: ToolCall, substepName: string, { attempt, offered }: Conversation) {
  const tool = offered.find((one) => one.offered.name === name);
  const { output, error } = await outcomeOf();
  const result = { id, name, output: error === null ? output : { ...error }, is_error: error !== null };
  return { result, summary: { name, input, error: error === null ? null : { ...error } } };

  async function outcomeOf() {
    if (tool === undefined)
      return toolError("unknown_tool", `There is no tool named ${JSON.stringify(name.slice(0, 100))}.`);
    if (!isRecord(input)) return toolError("invalid_input", "The arguments of a tool must be a JSON object.");
    const call = tool.call(input as JsonObject); // tool input is part of a JSON response
    return attempt.runSubstep({
      ...call,
      name: substepName,
      label: `The tool ${name}`,
      run(scope, within, effects) {
        within.log([`Calling the tool ${name}.`]); // shows progress to subscribers, because an agent may run for hours
        return call.run(scope, within, effects);
      },
    });
  }
}

const toolError = (code: string, message: string) => ({ output: null, error: { code, message } });
