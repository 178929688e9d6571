/**
 * The names of tools. A name is decided when a workflow becomes a tool and stays when other tools come and go: an agent
 * may call a tool that it has read about an hour ago.
 */
import { StepwellError } from "../../errors.ts";
import type { Key, Store } from "../../ports/store.ts";
import type { WorkflowTool } from "./workflow-tool.ts";

/** Tools of every MCP server, beside the workflows. */
export const OWN_TOOLS: ReadonlySet<string> = new Set(["get_run", "wait_for_run"]);

export const MAX_TOOL_NAME_CHARS = 64;
/** Characters of an id that keep names apart. */
const SUFFIX_CHARS = 6;
/** Tools of an app whose names are compared. */
const MAX_TOOLS = 1_000;

/** Gives a tool its name. @throws StepwellError `conflict` if another workflow of the app has the wanted one */
export type NameTool = (of: ToolWorkflow, tool: WorkflowTool) => Promise<WorkflowTool>;

interface ToolWorkflow {
  readonly id: string;
  readonly app_id: string;
  readonly name: string;
  readonly tool: WorkflowTool | null;
}

export function createNameTool(parts: {
  store: Pick<Store, "listDocuments">;
  /** The list of an app's workflows. */
  listOf(appId: string): string;
  keyOf(workflowId: string): Key;
}): NameTool {
  const { store, listOf, keyOf } = parts;
  return async ({ id, app_id, name }, tool) => {
    const query = { limit: MAX_TOOLS, marks: [["tool:true"]], withoutTotal: true };
    const { documents } = await store.listDocuments<ToolWorkflow>(listOf(app_id), query, keyOf);
    const others = documents.map(({ document }) => document).filter((other) => other.id !== id);
    const wanted = tool.name ?? derivedName(name);
    const owner = others.find((other) => other.tool?.name === wanted);
    if (owner === undefined && !OWN_TOOLS.has(wanted)) return { ...tool, name: wanted };
    if (tool.name === undefined) return { ...tool, name: withSuffix(wanted, id) };
    const by = owner === undefined ? "every MCP server" : `the workflow ${owner.id}`;
    throw new StepwellError("conflict", `The name ${wanted} is taken by a tool of ${by}. Choose another tool.name.`);
  };
}

/** The name of a workflow in snake_case, in the characters that all clients accept. */
function derivedName(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const safe = plain.replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "");
  return safe.slice(0, MAX_TOOL_NAME_CHARS) || "workflow";
}

/** Adds the end of an id, which is random. */
export function withSuffix(name: string, id: string): string {
  return `${name.slice(0, MAX_TOOL_NAME_CHARS - SUFFIX_CHARS - 1)}_${id.slice(-SUFFIX_CHARS)}`;
}
