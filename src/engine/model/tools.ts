/** The tools of a model: actions of services, and workflows of the same app. */
import { copyOf, isRecord, type JsonObject, omitUndefined } from "../../json.ts";
import type { OfferedTool } from "../../ports/models.ts";
import { jsonSchemaOf } from "../../services/action-schema.ts";
import { isDelay, isEventWait } from "../../services/service.ts";
import { DAY_MS } from "../../time/units.ts";
import { inputSchema } from "../../workflows/input/json-schema.ts";
import { type Tool as ToolDefinition, workflowOfTool } from "../../workflows/model-provider.ts";
import type { Path, StepCompiler } from "../compile/step-implementation.ts";
import type { Effect, Effects } from "../execution/step-context.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { callOf, compileConnection } from "../steps/service.ts";

export interface Tool {
  readonly offered: OfferedTool;
  /** Returns the effect that executes a call with these arguments. */
  call(args: JsonObject): Effect;
}

/** Prepares a tool for a run. */
export type OpenTool = (scope: ExpressionScope, appId: string, effects: Effects) => Promise<Tool>;

export function compileTools(tools: readonly ToolDefinition[], stepKey: string, compiler: StepCompiler): OpenTool[] {
  const names = new Set<string>();
  return tools.flatMap((tool, index) => {
    const path = ["provider", "tools", index];
    const compiled = compileTool(tool, stepKey, path, compiler);
    if (compiled === null) return [];
    const { name, open } = compiled;
    if (!NAME.test(name)) {
      compiler.problem(path, `${JSON.stringify(name)} is not a valid tool name: ${NAME_RULE}.`);
    }
    if (names.has(name))
      compiler.problem(path, `Two tools have the name ${JSON.stringify(name)}. Set a different name for one of them.`);
    names.add(name);
    return [open];
  });
}

/** Accepted by every provider. */
const NAME = /^[\w-]{1,64}$/;
const NAME_RULE = 'it must be 1 to 64 letters, digits, "_" and "-"';

interface CompiledTool {
  readonly name: string;
  readonly open: OpenTool;
}

function compileTool(tool: ToolDefinition, stepKey: string, path: Path, compiler: StepCompiler): CompiledTool | null {
  if (typeof tool === "string" && workflowOfTool(tool) === null) {
    const [service = "", ...action] = tool.split(".");
    return actionTool({ type: "service", service, action: action.join(".") }, stepKey, path, compiler);
  }
  if (typeof tool === "string") return workflowTool({ workflow_id: tool, name: tool.slice(0, 64) });
  return tool.type === "service" ? actionTool(tool, stepKey, path, compiler) : workflowTool(tool);
}

type ServiceTool = Extract<Exclude<ToolDefinition, string>, { type: "service" }>;

function actionTool(tool: ServiceTool, stepKey: string, path: Path, compiler: StepCompiler): CompiledTool | null {
  const found = compiler.action(tool.service, tool.action);
  if (!found.isKnown) {
    compiler.problem(path, found.message);
    return null;
  }
  const { action } = found;
  if (isDelay(action) || isEventWait(action)) {
    compiler.problem(
      path,
      `${tool.service}.${tool.action} is not available as a model tool: tools run inside a step and cannot suspend the run.`,
    );
    return null;
  }
  const name = tool.name ?? `${tool.service}_${tool.action}`.slice(0, 64);
  const description = tool.description ?? action.description ?? action.title;
  const connection = compileConnection(tool.service, found, tool.connection_id, compiler, path);
  const fixed = compiler.template(tool.input ?? {}, [...path, "input"]);
  const open: OpenTool = async (scope) => {
    const value = fixed(scope);
    const fixedInput = isRecord(value) ? value : {};
    const input = withoutProperties(await jsonSchemaOf(action.input), Object.keys(fixedInput));
    return {
      offered: { name, description, input },
      call(args) {
        const called = {
          action,
          service: tool.service,
          name: tool.action,
          connection: connection && (() => connection(scope)),
          publicCredentials: found.publicCredentials,
        };
        return callOf(called, stepKey, () => copyOf({ ...args, ...fixedInput }));
      },
    };
  };
  return { name, open };
}

interface WorkflowToolDefinition {
  readonly workflow_id: string;
  readonly name: string;
  readonly description?: string;
}

function workflowTool({ workflow_id, name, description }: WorkflowToolDefinition): CompiledTool {
  const open: OpenTool = async (_, appId, { describeWorkflow }) => {
    const found = await describeWorkflow(appId, workflow_id);
    const described = description ?? found.description ?? found.name;
    return {
      offered: { name, description: described, input: inputSchema(found.input) },
      call: (input) => ({
        kind: "effect",
        maxAttempts: 1,
        timeoutMs: DAY_MS,
        isChildRun: true,
        run: (_, attempt, { runChild }) =>
          runChild({ attempt, workflow_id, version: "latest", input, step_key: undefined }),
      }),
    };
  };
  return { name, open };
}

/** Removes fixed properties from an object schema. Accepts any object if the tool has no schema. */
function withoutProperties(schema: JsonObject | null, names: readonly string[]): JsonObject {
  const { $schema: _, ...rest } = schema ?? { type: "object", additionalProperties: true };
  const { properties, required } = rest;
  return {
    ...rest,
    type: "object",
    // Part of a JSON Schema, which is JSON.
    properties: isRecord(properties) ? omit(properties as JsonObject, names) : {},
    ...omitUndefined({
      required: Array.isArray(required) ? required.filter((name) => !names.includes(String(name))) : undefined,
    }),
  };
}

function omit(properties: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
}
