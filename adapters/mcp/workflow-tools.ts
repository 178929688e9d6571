/** The tools of an app: its workflows that are marked as tools and have a deployed version. */
import type { JsonObject } from "../../src/json.ts";
import type { McpAccess } from "../../src/mcp/mcp-server.ts";
import { inputSchema } from "../../src/workflows/input/json-schema.ts";
import { definitionAt, startOf } from "../../src/workflows/start-step.ts";
import { OWN_TOOLS, withSuffix } from "../../src/workflows/tools/tool-name.ts";
import type { Workflow } from "../../src/workflows/workflow.ts";

/** A workflow under the name that clients call. */
export interface NamedWorkflow {
  readonly name: string;
  readonly workflow: Workflow;
}

export const GET_RUN = "get_run";
export const WAIT_FOR_RUN = "wait_for_run";

/** The workflows that are tools, oldest first. Only an import or two changes at once can give several the same name. */
export async function namedWorkflows({ appId, api }: McpAccess): Promise<readonly NamedWorkflow[]> {
  const workflows: Workflow[] = [];
  for await (const one of api.workflows.listAll(appId, { tool: true })) {
    if (one.latest_version !== null) workflows.push(one);
  }
  workflows.sort((one, other) => (one.id < other.id ? -1 : 1));
  const taken = new Set(OWN_TOOLS);
  return workflows.map((workflow) => {
    const wanted = workflow.tool?.name ?? workflow.id;
    const name = taken.has(wanted) ? withSuffix(wanted, workflow.id) : wanted;
    taken.add(name);
    return { name, workflow };
  });
}

/** The input of a workflow as JSON Schema. */
export async function inputSchemaOf({ appId, api }: McpAccess, { id }: Workflow): Promise<JsonObject> {
  const version = await api.workflows.getVersion(appId, id, "latest");
  return inputSchema(definitionAt(version, startOf(version, undefined)));
}
