/** Everything that stands against deploying a definition, all at once: the graph, its texts, what it names. DESIGN 5.1. */
import { didYouMean } from "../closest-name.ts";
import { type FieldError, isStepwellError } from "../errors.ts";
import { pointer } from "../json.ts";
import { errorsOfEach } from "../schema.ts";
import { checkFields, checkInputDefault } from "./check-defaults.ts";
import { checkGraph } from "./check-graph.ts";
import type { NamedInInput } from "./check-input.ts";
import { type Tool, workflowOfTool } from "./model-provider.ts";
import { definitionAt } from "./start.ts";
import type { Step, StepOf } from "./step.ts";
import type { Definition, Version } from "./version.ts";

export type CheckDefinition = (appId: string, definition: Definition) => Promise<readonly FieldError[]>;

export function createCheckDefinition(parts: {
  /** Compiles every text of the steps, and tells what cannot be. */
  compile(definition: Definition): Promise<readonly FieldError[]>;
  getWorkflow(appId: string, workflowId: string): Promise<unknown>;
  getVersion(appId: string, workflowId: string, version: string): Promise<Version>;
  getConnection(appId: string, connectionId: string): Promise<{ readonly service: string }>;
  /** What is wrong with the files and connections that `input_default` names. */
  namedErrors(appId: string, named: NamedInInput): Promise<readonly FieldError[]>;
}): CheckDefinition {
  /** A workflow step must name a workflow of the app; what a template will name is only known in the run. */
  async function checkChild(appId: string, step: StepOf<"workflow">, index: number): Promise<FieldError[]> {
    const at = (field: string, message: string) => [{ pointer: `/steps/${index}/${field}`, message }];
    const { workflow_id, workflow_version_id = "latest" } = step;
    if (workflow_id === undefined) return at("workflow_id", "Is required: the id of a workflow of this app.");
    if (isTemplate(workflow_id)) return [];
    const version = String(workflow_version_id);
    try {
      await parts.getWorkflow(appId, workflow_id);
    } catch (error) {
      if (!isStepwellError(error, "not_found")) throw error;
      return at("workflow_id", error.message);
    }
    if (version === "latest" || version === "draft" || isTemplate(version)) return [];
    try {
      await parts.getVersion(appId, workflow_id, version);
      return [];
    } catch (error) {
      if (!isStepwellError(error, "not_found")) throw error;
      return at("workflow_version_id", error.message);
    }
  }

  /** A connection must be one of the app, and of the service. */
  async function checkConnection(
    appId: string,
    { service, connection_id }: Connected,
    at: string,
  ): Promise<FieldError[]> {
    if (connection_id === undefined || isTemplate(connection_id)) return [];
    const wrong = (message: string) => [{ pointer: `${at}/connection_id`, message }];
    try {
      const found = await parts.getConnection(appId, connection_id);
      return found.service === service ? [] : wrong(`Is a connection of ${found.service}, not of ${service}.`);
    } catch (error) {
      if (!isStepwellError(error, "not_found")) throw error;
      return wrong(error.message);
    }
  }

  /** What the tools of a model name, too. */
  async function checkTool(appId: string, tool: Tool, at: string): Promise<FieldError[]> {
    if (typeof tool !== "string" && tool.type === "service") return checkConnection(appId, tool, at);
    const workflowId = workflowOfTool(tool);
    if (workflowId === null) return [];
    try {
      await parts.getWorkflow(appId, workflowId);
      return [];
    } catch (error) {
      if (!isStepwellError(error, "not_found")) throw error;
      return [{ pointer: at, message: `${error.message} A tool is SERVICE.ACTION, or a workflow of this app.` }];
    }
  }

  async function checkNamed(appId: string, step: Step, index: number): Promise<readonly FieldError[]> {
    if (step.type === "workflow") return checkChild(appId, step, index);
    if (step.type === "service") return checkConnection(appId, step.service, `/steps/${index}/service`);
    if (step.type !== "model") return [];
    const at = (tool: number) => `/steps/${index}/provider/tools/${tool}`;
    const tools = step.provider.tools ?? [];
    return errorsOfEach(tools, (tool, number) => checkTool(appId, tool, at(number)));
  }

  /** `input_default` as each input step would be given it. */
  async function checkGiven(appId: string, definition: Definition): Promise<FieldError[]> {
    const inputs = definition.steps.filter(({ type }) => type === "input").map(({ key }) => key);
    const found = (inputs.length === 0 ? [null] : inputs).map((start) =>
      checkInputDefault(definitionAt(definition, start), definition.input_default ?? {}),
    );
    const named = await parts.namedErrors(appId, {
      files: found.flatMap(({ files }) => files),
      connections: found.flatMap(({ connections }) => connections),
    });
    const errors = [...found.flatMap((one) => one.errors), ...named];
    return [...new Map(errors.map((error) => [`${error.pointer} ${error.message}`, error])).values()];
  }

  return async (appId, definition) => {
    const { steps } = definition;
    const [texts, named, given] = await Promise.all([
      parts.compile(definition),
      errorsOfEach(steps, (step, index) => checkNamed(appId, step, index)),
      checkGiven(appId, definition),
    ]);
    return [
      ...checkGraph(steps),
      ...unknownDefaults(definition),
      ...fieldErrors(definition),
      ...given,
      ...texts,
      ...named,
    ];
  };
}

interface Connected {
  readonly service: string;
  readonly connection_id?: string;
}

function fieldErrors({ input, steps }: Definition): FieldError[] {
  return [
    ...checkFields(input, ["input"]),
    ...steps.flatMap((step, index) =>
      step.type === "input" ? checkFields(step.input, ["steps", index, "input"]) : [],
    ),
  ];
}

/** A default for a field that nobody asks for is a typing error. */
function unknownDefaults({ input, input_default, steps }: Definition): FieldError[] {
  const names = new Set(Object.keys(input));
  for (const step of steps) {
    if (step.type === "input") for (const name of Object.keys(step.input)) names.add(name);
  }
  return Object.keys(input_default ?? {})
    .filter((name) => !names.has(name))
    .map((name) => ({
      pointer: pointer(["input_default", name]),
      message: `No input field has this name.${didYouMean(name, names)}`,
    }));
}

const isTemplate = (text: string) => text.includes("{{");
