/** The tools of an app: its workflows that are marked as tools and have a deployed version. */
import type { JsonObject } from "../../src/json.ts";
import type { McpAccess } from "../../src/mcp/mcp-server.ts";
import { inputSchema } from "../../src/workflows/input/json-schema.ts";
import { definitionAt, startOf } from "../../src/workflows/start-step.ts";
import type { Workflow } from "../../src/workflows/workflow.ts";

/** A workflow under the name that clients call. */
export interface NamedWorkflow {
  readonly name: string;
  readonly workflow: Workflow;
}

/** Names that this server has for itself. */
export const GET_RUN = "get_run";
export const WAIT_FOR_RUN = "wait_for_run";

const MAX_NAME_CHARS = 64;

/** The workflows of an app in the order of their creation, which decides who gets a name that several have. */
export async function namedWorkflows({ appId, api }: McpAccess): Promise<readonly NamedWorkflow[]> {
  const workflows: Workflow[] = [];
  for await (const one of api.workflows.listAll(appId, { tool: true }))
    if (one.latest_version !== null) workflows.push(one);
  workflows.sort((one, other) => (one.id < other.id ? -1 : 1));
  const taken = new Set([GET_RUN, WAIT_FOR_RUN]);
  return workflows.map((workflow) => {
    const name = freeName(workflow.tool?.name ?? nameOf(workflow.name), taken);
    taken.add(name);
    return { name, workflow };
  });
}

/** The input of a workflow as JSON Schema. */
export async function inputSchemaOf({ appId, api }: McpAccess, { id }: Workflow): Promise<JsonObject> {
  const version = await api.workflows.getVersion(appId, id, "latest");
  return inputSchema(definitionAt(version, startOf(version, undefined)));
}

/** The name of a workflow in snake_case, in the characters that all clients accept. */
function nameOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const safe = plain.replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "");
  return safe.slice(0, MAX_NAME_CHARS) || "workflow";
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) {
    const suffix = `_${number}`;
    name = `${wanted.slice(0, MAX_NAME_CHARS - suffix.length)}${suffix}`;
  }
  return name;
}
