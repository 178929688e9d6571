/** A language model: asked until it calls no more tools, each answer and each call stored as it comes. DESIGN 5.5. */
import type { JsonObject, JsonValue } from "../../json.ts";
import { isRecord } from "../../json.ts";
import { type ModelAnswer, type ModelCall, ModelError, type ModelMessage, type ToolCall } from "../../ports/models.ts";
import { problemsOfSchema, readJsonAnswer } from "../model/json-answer.ts";
import { compileMessages, withFiles } from "../model/messages.ts";
import { compileTools, type OpenTool, type Tool } from "../model/tools.ts";
import { totalUsage } from "../model/usage.ts";
import { retryAfter } from "../retry-after.ts";
import type { Scope } from "../scope.ts";
import { asStepError, StepError } from "../step-error.ts";
import { type Attempt, type Compiler, DAY, type Effects, type ModelRunner, type StepKind } from "../step-kind.ts";
import { hasTemplate } from "../template.ts";

/** Answers at the most where the step does not say. */
const ITERATIONS = 20;

export const model: StepKind<"model"> = {
  compile({ key, provider }, compiler) {
    const { models } = compiler;
    checkProvider(provider.provider, compiler);
    const named = compiler.text(provider.provider, ["provider", "provider"]);
    const modelId = compiler.text(provider.model, ["provider", "model"]);
    const messages = compileMessages(provider.messages, compiler);
    const tools = compileTools(provider.tools ?? [], key, compiler);
    const format = compileFormat(provider.response_format, compiler);
    const { temperature, max_tokens, tools_mode = "auto", tools_parallel = true, features = {} } = provider;
    const settings = {
      tools_mode,
      tools_parallel,
      temperature,
      max_tokens: max_tokens === 0 ? undefined : max_tokens,
      reasoning: features.reasoning,
      cache: features.cache === true,
    };
    return {
      kind: "effect",
      tries: 1, // each answer and each call has its own
      timeout: DAY,
      async run(scope, attempt, effects) {
        const asked = { ...settings, provider: named(scope), model: modelId(scope), json: format };
        requireProvider(asked.provider, models);
        const offered = await openAll(tools, scope, attempt, effects);
        return converse({
          attempt,
          models,
          offered,
          asked,
          messages: await withFiles(messages(scope), attempt, effects),
          isStreamed: features.stream === true,
          iterations: provider.max_iterations ?? ITERATIONS,
        });
      },
    };
  },
};

interface Conversation {
  readonly attempt: Attempt;
  readonly models: ModelRunner;
  readonly offered: readonly Tool[];
  readonly asked: Omit<ModelCall, "messages" | "tools" | "signal">;
  readonly messages: readonly ModelMessage[];
  readonly isStreamed: boolean;
  readonly iterations: number;
}

async function converse(conversation: Conversation): Promise<JsonValue> {
  const { asked, iterations } = conversation;
  const messages = [...conversation.messages];
  const answers: ModelAnswer[] = [];
  const called: JsonObject[] = [];

  async function ask(name: string, mode: ModelCall["tools_mode"]): Promise<ModelAnswer> {
    const answer = await answerOf(name, mode, messages, conversation);
    answers.push(answer);
    messages.push({ role: "answer", said: answer.said });
    return answer;
  }

  let answer = await ask("answer.1", asked.tools_mode);
  while (answer.tool_calls.length > 0) {
    const iteration = answers.length;
    if (iteration >= iterations) throw tooMany(iterations);
    const results = await callAll(answer.tool_calls, iteration, conversation);
    called.push(...results.map(({ shown }) => shown));
    messages.push({ role: "results", results: results.map(({ result }) => result) });
    // One who had to call a tool has done so.
    answer = await ask(`answer.${iteration + 1}`, asked.tools_mode === "required" ? "auto" : asked.tools_mode);
  }

  if (asked.json === null) return outputOf(answers, called);
  const { schema } = asked.json;
  let read = await readJsonAnswer(answer.text, schema);
  if ("wrong" in read) {
    messages.push({ role: "user", parts: [{ type: "text", text: correction(read.wrong) }] });
    answer = await ask("correction", "none");
    read = await readJsonAnswer(answer.text, schema);
  }
  if ("wrong" in read)
    throw new StepError("invalid_output", `The answer is not the JSON that was asked for: ${read.wrong}`);
  return { ...outputOf(answers, called), object: read.value };
}

function outputOf(answers: readonly ModelAnswer[], tool_calls: JsonObject[]): JsonObject {
  const { text = "", finish_reason = "other" } = answers.at(-1) ?? {};
  return { text, finish_reason, iterations: answers.length, tool_calls, usage: totalUsage(answers) };
}

function correction(wrong: string): string {
  return `That is not the JSON that was asked for:\n${wrong}\nAnswer again, with the corrected JSON and nothing else.`;
}

function tooMany(iterations: number): StepError {
  const message = `The model still called tools in its answer number ${iterations}, and max_iterations allows no more.`;
  return new StepError("max_iterations", message);
}

/** One answer, with tries of its own. */
async function answerOf(
  name: string,
  tools_mode: ModelCall["tools_mode"],
  messages: readonly ModelMessage[],
  { attempt, models, offered, asked, isStreamed }: Conversation,
): Promise<ModelAnswer> {
  let isAgain = false;
  const outcome = await attempt.perform({
    name,
    kind: "effect",
    tries: 3,
    timeout: models.time,
    async run(_, { signal, log, wrote }) {
      if (isAgain) log("Asking the model again.");
      isAgain = true;
      const tools = offered.map((tool) => tool.offered);
      const call = { ...asked, tools_mode, messages, tools, signal, ...(isStreamed ? { wrote } : {}) };
      return { ...(await models.answer(call).catch(fail)) } as unknown as JsonObject; // the port promises plain JSON
    },
  });
  if (outcome.error !== null) throw new StepError(outcome.error.code, outcome.error.message);
  return outcome.output as unknown as ModelAnswer; // what was put in above
}

function fail(error: unknown): never {
  if (!(error instanceof ModelError)) throw error;
  const { message, retryable } = error;
  throw new StepError("model_failed", message, { retryable, ...retryAfter(error.retry_after) });
}

/** The calls of one answer, together or one after the other. */
async function callAll(calls: readonly ToolCall[], iteration: number, conversation: Conversation) {
  const run = (call: ToolCall, index: number) => callOne(call, `call.${iteration}.${index + 1}`, conversation);
  if (conversation.asked.tools_parallel) return Promise.all(calls.map(run));
  const results: Awaited<ReturnType<typeof run>>[] = [];
  for (const [index, call] of calls.entries()) results.push(await run(call, index));
  return results;
}

/** What goes wrong is told to the model: it may know what to do about it. */
async function callOne({ id, name, input }: ToolCall, part: string, { attempt, offered }: Conversation) {
  const tool = offered.find((one) => one.offered.name === name);
  const { output, error } = await outcomeOf();
  const result = { id, name, output: error === null ? output : { ...error }, is_error: error !== null };
  return { result, shown: { name, input, error: error === null ? null : { ...error } } };

  async function outcomeOf() {
    if (tool === undefined)
      return refused("unknown_tool", `There is no tool named ${JSON.stringify(name.slice(0, 100))}.`);
    if (!isRecord(input)) return refused("invalid_input", "The arguments of a tool must be a JSON object.");
    return attempt.perform({ ...tool.call(input as JsonObject), name: part }); // a part of JSON
  }
}

const refused = (code: string, message: string) => ({ output: null, error: { code, message } });

function openAll(tools: readonly OpenTool[], scope: Scope, { app_id }: Attempt, effects: Effects): Promise<Tool[]> {
  return Promise.all(tools.map((open) => open(scope, app_id, effects)));
}

function compileFormat(
  format: { readonly type: string; readonly schema?: JsonObject } | undefined,
  compiler: Compiler,
): ModelCall["json"] {
  const path = ["provider", "response_format", "schema"];
  if (format === undefined || format.type === "text") return null;
  const { schema } = format;
  if (format.type === "json_object") return { schema: null };
  if (schema === undefined) compiler.problem(path, "Is required: the JSON Schema of the answer.");
  else compiler.whenDeployed(() => problemsOfSchema(schema, path));
  return { schema: schema ?? null };
}

function checkProvider(name: string, { models, problem, whenDeployed }: Compiler): void {
  const path = ["provider", "provider"];
  if (!hasTemplate(name) && !models.providers.includes(name)) problem(path, unknown(name, models));
  else
    whenDeployed(() => models.check().then(none, (error: unknown) => [{ path, message: asStepError(error).message }]));
}

const none = () => [];

function requireProvider(name: string, models: ModelRunner): void {
  if (!models.providers.includes(name)) throw new StepError("invalid", unknown(name, models));
}

function unknown(name: string, { providers }: ModelRunner): string {
  const known = providers.map((one) => JSON.stringify(one)).join(", ");
  const rest = known === "" ? "none was given at construction, in the option models" : `there is ${known}`;
  return `There is no model provider named ${JSON.stringify(name.slice(0, 100))}; ${rest}.`;
}
