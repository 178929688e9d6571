/** Finds a workflow by what a person types: its id, its name, or the file that it was deployed from. */
import type { WorkflowsApi } from "../../../src/index.ts";
import { isRecord } from "../../../src/json.ts";
import { readJsonFile } from "../json/read-json.ts";
import { refused } from "../terminal/failure.ts";
import type { Shell } from "../terminal/shell.ts";
import { type CliClient, OWN_APP } from "./open-client.ts";

export type FoundWorkflow = Awaited<ReturnType<WorkflowsApi["get"]>>;

const ID = /^work_[0-9a-z]+$/;
/** Names in a message. */
const MAX_NAMES = 10;

/** @throws CommandError if there is none, or more than one of this name */
export async function findWorkflow(client: CliClient, typed: string, shell: Shell): Promise<FoundWorkflow> {
  if (ID.test(typed)) return client.workflows.get(OWN_APP, typed);
  const name = typed.endsWith(".json") ? await nameIn(typed, shell) : typed;
  const found = await findByName(client, name);
  if (found !== null) return found;
  const names: string[] = [];
  for await (const workflow of client.workflows.listAll(OWN_APP)) {
    if (names.push(JSON.stringify(workflow.name)) === MAX_NAMES) break;
  }
  const hint =
    names.length === 0
      ? "The app has no workflows. `stepwell deploy FILE` creates one."
      : `Type its name or id: ${names.join(", ")}.`;
  throw refused(`There is no workflow with the name ${JSON.stringify(name)}.`, hint);
}

/** @throws CommandError if several workflows have the name */
export async function findByName(client: CliClient, name: string): Promise<FoundWorkflow | null> {
  const found: FoundWorkflow[] = [];
  for await (const workflow of client.workflows.listAll(OWN_APP, { search: name })) {
    if (workflow.name === name) found.push(workflow);
  }
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(", ");
    throw refused(`${found.length} workflows have the name ${JSON.stringify(name)}.`, `Use an id: ${ids}.`);
  }
  return found[0] ?? null;
}

async function nameIn(path: string, shell: Shell): Promise<string> {
  const { value } = await readJsonFile(path, shell);
  if (isRecord(value) && typeof value["name"] === "string") return value["name"];
  throw refused(`${path}:1 has no "name", by which its workflow is found.`);
}
