/** The protocol's server for one client: what it offers, and what its requests do. */
import type { CallToolResult, ClientCapabilities, Server, ServerContext, Tool } from "@modelcontextprotocol/server";
import { isStepwellError } from "../../src/errors.ts";
import { isRecord, type JsonObject } from "../../src/json.ts";
import type { McpAccess } from "../../src/mcp/mcp-server.ts";
import { inputRequests } from "./elicitation.ts";
import { FILE_TEMPLATE, readFile } from "./file-resources.ts";
import { errorResult, missingRunId, notOfTool, OUTPUT_SCHEMA, runResult, unknownTool } from "./run-result.ts";
import type { Sdk } from "./sdk.ts";
import { answer, type CallEnd, type CalledRun, follow, NO_ANSWERS } from "./tool-call.ts";
import { GET_RUN, inputSchemaOf, namedWorkflows, WAIT_FOR_RUN } from "./workflow-tools.ts";

export interface ProtocolOptions {
  readonly name: string;
  readonly version: string;
  readonly waitMs: number;
  /** Calls in progress are added, and removed when they have ended. */
  readonly calls?: Set<Promise<unknown>>;
}

const RUN_ID: Tool["inputSchema"] = {
  type: "object",
  properties: { run_id: { type: "string", description: "Id of the run." } },
  required: ["run_id"],
  additionalProperties: false,
};

const RUN_TOOLS: Tool[] = [
  {
    name: GET_RUN,
    description: "Returns the status of a run that a tool has started, and its output once it has succeeded.",
    inputSchema: RUN_ID,
    outputSchema: OUTPUT_SCHEMA,
    annotations: { readOnlyHint: true },
  },
  {
    name: WAIT_FOR_RUN,
    description: "Waits until a run that a tool has started has ended or needs a person, for less than a minute.",
    inputSchema: RUN_ID,
    outputSchema: OUTPUT_SCHEMA,
    annotations: { readOnlyHint: true },
  },
];

const INSTRUCTIONS =
  "Each tool runs a workflow. A run that takes longer than a call goes on: wait_for_run waits for it, get_run shows it.";

export function createProtocolServer(sdk: Sdk, access: McpAccess, options: ProtocolOptions): Server {
  const { name, version, waitMs, calls = new Set() } = options;
  const { appId, api } = access;
  const server = new sdk.Server(
    { name, version },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );

  async function listTools() {
    const named = await namedWorkflows(access);
    const tools = named.map(
      async ({ name, workflow }): Promise<Tool> => ({
        name,
        title: workflow.name,
        description: workflow.tool?.description ?? workflow.description ?? workflow.name,
        inputSchema: { ...(await inputSchemaOf(access, workflow)), type: "object" },
        outputSchema: OUTPUT_SCHEMA,
      }),
    );
    return { tools: [...(await Promise.all(tools)), ...RUN_TOOLS] };
  }

  /** The run of a call: a new one, or that of an earlier round, whose questions have been answered. */
  async function runOf(tool: string, args: JsonObject, { mcpReq }: ServerContext): Promise<CalledRun> {
    const named = await namedWorkflows(access);
    const state = mcpReq.requestState<unknown>();
    const isWait = tool === GET_RUN || tool === WAIT_FOR_RUN;
    const earlier = isWait ? args["run_id"] : state;
    if (isWait || typeof state === "string") {
      if (typeof earlier !== "string" || earlier === "") throw missingRunId();
      const { workflow_id } = await api.runs.get(appId, earlier);
      const found = named.find(({ workflow }) => workflow.id === workflow_id);
      if (found === undefined || (!isWait && found.name !== tool)) throw notOfTool();
      const isAnswered = state === earlier && tool !== GET_RUN;
      const answers = isAnswered
        ? await answer(access, earlier, (mcpReq.inputResponses ?? {}) as JsonObject)
        : NO_ANSWERS; // parsed JSON
      return { runId: earlier, isOwn: !isWait, answers };
    }
    const found = named.find(({ name }) => name === tool);
    if (found === undefined) throw unknownTool(tool);
    const { id } = await api.runs.create(appId, found.workflow.id, { input: args });
    return { runId: id, isOwn: true, answers: NO_ANSWERS };
  }

  async function callTool(tool: string, args: JsonObject, context: ServerContext) {
    const called = await runOf(tool, args, context);
    const { isDeclined, isLate } = called.answers;
    const end = await follow(access, called, tool === GET_RUN ? 0 : waitMs, context);
    if (end.inputs.length > 0 && !isDeclined && tool !== GET_RUN) {
      const asked = await questions(end, called.answers.refused, context);
      if (asked !== null) return asked;
    }
    return runResult(access, end, isLate);
  }

  /** Null if the client can't ask its person. */
  async function questions({ run, inputs }: CallEnd, refused: ReadonlyMap<string, string>, context: ServerContext) {
    const { name: workflowName } = await api.workflows.get(appId, run.workflow_id);
    const wait = { runId: run.id, workflowName, inputs, refused };
    const requests = await inputRequests(sdk, access, capabilitiesOf(context), wait);
    return requests === null ? null : sdk.inputRequired({ inputRequests: requests, requestState: run.id });
  }

  function capabilitiesOf({ mcpReq }: ServerContext): ClientCapabilities {
    const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
    const declared = envelope[sdk.CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined; // the SDK has parsed it
    return declared ?? server.getClientCapabilities() ?? {};
  }

  server.setRequestHandler("tools/list", listTools);
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const args = isRecord(params.arguments) ? (params.arguments as JsonObject) : {}; // parsed JSON
    const call = callTool(params.name, args, context).catch(errorResult);
    calls.add(call);
    const result = await call.finally(() => calls.delete(call));
    return "content" in result ? server.projectCallToolResult(result as CallToolResult, OUTPUT_SCHEMA) : result;
  });
  server.setRequestHandler("resources/list", () => ({ resources: [] }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ name: "file", uriTemplate: FILE_TEMPLATE, description: "A file of the app, by its id." }],
  }));
  server.setRequestHandler("resources/read", async ({ params }) => {
    try {
      return await readFile(access, params.uri);
    } catch (error) {
      if (!isStepwellError(error) || error.code === "internal") throw error;
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, error.message);
    }
  });
  return server;
}
