/** Validates a definition for deployment: its graph, its expressions, and the resources that it names. Reports all problems at once. */

import { lookUp } from "../../documents/look-up.ts";
import { MEBIBYTE } from "../../encoding/bytes.ts";
import { type FieldError, firstErrors, MAX_ERRORS } from "../../errors.ts";
import { type JsonObject, pointer } from "../../json.ts";
import { didYouMean } from "../../messages/closest-name.ts";
import { errorsOfEach } from "../../messages/field-errors.ts";
import type { InputReferences } from "../input/check-input.ts";
import type { InputDefinition } from "../input/input-field.ts";
import { type Tool, workflowOfTool } from "../model-provider.ts";
import type { Step, StepOf } from "../step.ts";
import type { Definition, Version } from "../version.ts";
import { checkChildInput, checkChildStart } from "./check-child.ts";
import { checkFields, checkInputDefault } from "./check-defaults.ts";
import { checkGraph } from "./check-graph.ts";
import { checkInputLinks } from "./check-input-links.ts";
import { checkPolicies } from "./check-policies.ts";

/** @param onWarning Called for each mistake that prevents no deployment. */
export type CheckDefinition = (
  appId: string,
  definition: Definition,
  onWarning?: (warning: FieldError) => void,
) => Promise<readonly FieldError[]>;

export function createCheckDefinition(parts: {
  /** Compiles every expression of the steps, and reports those that are invalid. */
  compile(definition: Definition, onWarning?: (warning: FieldError) => void): Promise<readonly FieldError[]>;
  getWorkflow(appId: string, workflowId: string): Promise<unknown>;
  getVersion(appId: string, workflowId: string, version: string): Promise<Version>;
  getConnection(appId: string, connectionId: string): Promise<{ readonly service: string }>;
  /** Checks the files and connections that `input_default` names. */
  checkInputReferences(appId: string, references: InputReferences): Promise<readonly FieldError[]>;
}): CheckDefinition {
  /** Checks that the workflow exists in the app. An expression can only be checked in the run. */
  async function checkChild(appId: string, step: StepOf<"workflow">, index: number): Promise<FieldError[]> {
    const at = (field: string, message: string) => [...wrongInput, { pointer: `/steps/${index}/${field}`, message }];
    const wrongInput = [...checkChildInput(step, index)];
    const { workflow_id, workflow_version_id = "latest" } = step;
    if (workflow_id === undefined) return at("workflow_id", "Is required: the id of a workflow of this app.");
    if (isTemplate(workflow_id)) return wrongInput;
    const version = String(workflow_version_id);
    const workflow = await lookUp(parts.getWorkflow(appId, workflow_id));
    if (!workflow.ok) return at("workflow_id", workflow.message);
    if (version === "latest" || version === "draft" || isTemplate(version)) return wrongInput;
    const pinned = await lookUp(parts.getVersion(appId, workflow_id, version));
    if (!pinned.ok) return at("workflow_version_id", pinned.message);
    return wrongInput.length > 0 ? wrongInput : [...checkChildStart(step, index, pinned.value)];
  }

  /** Checks that the app has the failure workflow. */
  async function checkSettings(appId: string, { settings }: Definition): Promise<FieldError[]> {
    if (settings?.on_failure === undefined) return [];
    const workflow = await lookUp(parts.getWorkflow(appId, settings.on_failure.workflow_id));
    return workflow.ok ? [] : [{ pointer: "/settings/on_failure/workflow_id", message: workflow.message }];
  }

  /** Checks that the app has the connection, and that it belongs to the service. */
  async function checkConnection(
    appId: string,
    { service, connection_id }: Connected,
    at: string,
  ): Promise<FieldError[]> {
    if (connection_id === undefined || isTemplate(connection_id)) return [];
    const wrong = (message: string) => [{ pointer: `${at}/connection_id`, message }];
    const connection = await lookUp(parts.getConnection(appId, connection_id));
    if (!connection.ok) return wrong(connection.message);
    const actual = connection.value.service;
    return actual === service ? [] : wrong(`The connection belongs to the service ${actual}, not to ${service}.`);
  }

  /** Checks the workflow or connection of a model's tool. */
  async function checkTool(appId: string, tool: Tool, at: string): Promise<FieldError[]> {
    if (typeof tool !== "string" && tool.type === "service") return checkConnection(appId, tool, at);
    const workflowId = workflowOfTool(tool);
    if (workflowId === null) return [];
    const workflow = await lookUp(parts.getWorkflow(appId, workflowId));
    if (workflow.ok) return [];
    const message = `${workflow.message} A tool must be SERVICE.ACTION or the id of a workflow of this app.`;
    return [{ pointer: at, message }];
  }

  /** Checks the workflows and connections that a step names. */
  async function checkNamedResources(appId: string, step: Step, index: number): Promise<readonly FieldError[]> {
    if (step.type === "workflow") return checkChild(appId, step, index);
    if (step.type === "service") return checkConnection(appId, step.service, `/steps/${index}/service`);
    if (step.type !== "model") return [];
    const at = (tool: number) => `/steps/${index}/provider/tools/${tool}`;
    const tools = step.provider.tools ?? [];
    return errorsOfEach(tools, (tool, number) => checkTool(appId, tool, at(number)));
  }

  /** Checks `input_default` for every start step. */
  async function checkStartDefaults(appId: string, definition: Definition): Promise<FieldError[]> {
    const defaults = definition.input_default ?? {};
    const definitions = inputDefinitionsOf(definition);
    if (exceedsCheckLimit(definitions, defaults)) return [TOO_MANY_CHECKS];
    const found = definitions.map((input) => checkInputDefault(input, defaults));
    const named = await parts.checkInputReferences(appId, {
      files: found.flatMap(({ files }) => files),
      connections: found.flatMap(({ connections }) => connections),
    });
    const errors = [...found.flatMap((one) => one.errors), ...named];
    return [...new Map(errors.map((error) => [`${error.pointer} ${error.message}`, error])).values()];
  }

  return async (appId, definition, onWarning) => {
    const { steps } = definition;
    const own = firstErrors(ownErrors(definition));
    if (own.length > MAX_ERRORS) return own;
    const [texts, named, given, settings] = await Promise.all([
      parts.compile(definition, onWarning),
      errorsOfEach(steps, (step, index) => checkNamedResources(appId, step, index)),
      checkStartDefaults(appId, definition),
      checkSettings(appId, definition),
    ]);
    return [...own, ...given, ...texts, ...named, ...settings];
  };
}

/** Problems that need no lookups. */
function* ownErrors(definition: Definition): Generator<FieldError, void> {
  const { input, steps } = definition;
  yield* checkGraph(steps);
  yield* checkPolicies(steps);
  yield* checkInputLinks(steps);
  yield* unknownDefaults(definition);
  yield* checkFields(input, ["input"]);
  for (const [index, step] of steps.entries()) {
    if (step.type === "input") yield* checkFields(step.input, ["steps", index, "input"]);
  }
}

/** The input definitions of all start steps: the common fields with those of each step. */
function inputDefinitionsOf({ input, steps }: Definition): InputDefinition[] {
  const starts = steps.flatMap((step) => (step.type === "input" ? [step.input] : []));
  const replaced = new Map<string, number>();
  for (const name of starts.flatMap((own) => Object.keys(own))) replaced.set(name, (replaced.get(name) ?? 0) + 1);
  const isUsed = (name: string) => starts.length === 0 || (replaced.get(name) ?? 0) < starts.length;
  const shared = Object.entries(input).filter(([name]) => isUsed(name));
  return [Object.fromEntries(shared), ...starts];
}

/** Characters of defaults to check, counted once for each input that has the field. */
const MAX_CHECKED_CHARS = 16 * MEBIBYTE;
const TOO_MANY_CHECKS: FieldError = {
  pointer: "/input_default",
  message:
    "Too large for this number of input steps with the same fields. Declare the fields once, in the input of the workflow.",
};

function exceedsCheckLimit(definitions: readonly InputDefinition[], defaults: JsonObject): boolean {
  const sizes = new Map(Object.entries(defaults).map(([name, value]) => [name, JSON.stringify(value).length]));
  const names = definitions.flatMap((input) => Object.keys(input));
  return names.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0) > MAX_CHECKED_CHARS;
}

interface Connected {
  readonly service: string;
  readonly connection_id?: string;
}

/** Reports defaults without a field, which are most likely typos. */
function* unknownDefaults({ input, input_default, steps }: Definition): Generator<FieldError, void> {
  const names = new Set(Object.keys(input));
  for (const step of steps) {
    if (step.type === "input") for (const name of Object.keys(step.input)) names.add(name);
  }
  for (const name of Object.keys(input_default ?? {})) {
    if (names.has(name)) continue;
    const message = `Unknown input field.${didYouMean(name, names)}`;
    yield { pointer: pointer(["input_default", name]), message };
  }
}

const isTemplate = (text: string) => text.includes("{{");
