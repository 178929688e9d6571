/** The step type `model`: a language model that responds and may call tools. */
import { type JsonObject, type JsonValue, omitUndefined } from "../../json.ts";
import type { ModelCall } from "../../ports/models.ts";
import { DAY_MS } from "../../time/units.ts";
import type { StepCompiler, StepImplementation } from "../compile/step-implementation.ts";
import type { Attempt, Effects } from "../execution/step-context.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { converse } from "../model/conversation.ts";
import { compileMessages, withFiles } from "../model/messages.ts";
import { checkProvider, requireProvider } from "../model/provider.ts";
import { compileTools, type OpenTool, type Tool } from "../model/tools.ts";
import { problemsOfSchema } from "../model/validate-schema.ts";

/** Default maximum number of responses. */
const DEFAULT_MAX_ITERATIONS = 20;

export const model: StepImplementation<"model"> = {
  compile({ key, provider }, compiler) {
    const { models } = compiler;
    checkProvider(provider.provider, ["provider", "provider"], compiler);
    const named = compiler.text(provider.provider, ["provider", "provider"]);
    const modelId = compiler.text(provider.model, ["provider", "model"]);
    const messages = compileMessages(provider.messages, compiler);
    const tools = compileTools(provider.tools ?? [], key, compiler);
    const format = compileFormat(provider.response_format, compiler);
    const { temperature, max_tokens, tools_mode = "auto", tools_parallel = true, features = {} } = provider;
    const checkJson = format?.schema ? compiler.schemaCheck(format.schema) : null;
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
      maxAttempts: 1, // each response and tool call has its own attempts
      timeoutMs: DAY_MS,
      input: (scope) =>
        omitUndefined({
          provider: named(scope),
          model: modelId(scope),
          messages: messages(scope) as unknown as JsonValue, // interfaces of JSON values have no index signature
          temperature,
          max_tokens,
        }),
      async run(scope, attempt, effects) {
        const request = { ...settings, provider: named(scope), model: modelId(scope), json: format };
        requireProvider(request.provider, models);
        const offered = await openAll(tools, scope, attempt, effects);
        return converse({
          prefix: "",
          attempt,
          models,
          offered,
          request,
          checkJson,
          messages: await withFiles(messages(scope), attempt, effects),
          isStreamed: features.stream === true,
          iterations: provider.max_iterations ?? DEFAULT_MAX_ITERATIONS,
        });
      },
    };
  },
};

function openAll(
  tools: readonly OpenTool[],
  scope: ExpressionScope,
  { app_id }: Attempt,
  effects: Effects,
): Promise<Tool[]> {
  return Promise.all(tools.map((open) => open(scope, app_id, effects)));
}

function compileFormat(
  format: { readonly type: string; readonly schema?: JsonObject } | undefined,
  compiler: StepCompiler,
): ModelCall["json"] {
  const path = ["provider", "response_format", "schema"];
  if (format === undefined || format.type === "text") return null;
  const { schema } = format;
  if (format.type === "json_object") return { schema: null };
  if (schema === undefined) compiler.problem(path, "Is required: the JSON Schema of the output.");
  else compiler.whenDeployed(() => problemsOfSchema(schema, path));
  return { schema: schema ?? null };
}
