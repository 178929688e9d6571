/** The name of a workflow in JSON that is to be imported: in an exported document, or in a definition. Pure. */
import { isRecord, type JsonObject } from "../../../../src/json.ts";

/** The name that an import gives its workflow; null for a document of several workflows, and for a definition without one. */
export function importedName(value: JsonObject): string | null {
  const workflow = "format" in value ? exportedWorkflow(value) : value;
  const name = workflow?.["name"];
  return typeof name === "string" ? name : null;
}

/** The same JSON with another name for its workflow. */
export function renamed(value: JsonObject, name: string): JsonObject {
  const workflow = exportedWorkflow(value);
  if (!("format" in value) || workflow === null) return { ...value, name };
  const { workflows } = value;
  if (!Array.isArray(workflows)) return value;
  return { ...value, workflows: workflows.map((one) => (one === workflow ? { ...workflow, name } : one)) };
}

/** The workflow that was exported, without those that it runs. */
export function exportedWorkflow({ workflows, root }: JsonObject): JsonObject | null {
  if (!Array.isArray(workflows)) return null;
  const found = workflows.length === 1 ? workflows[0] : workflows.find((one) => isRecord(one) && one["id"] === root);
  return found !== undefined && isRecord(found) ? found : null;
}

/** A name that none of the others is: with a number, if need be. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2, free = name; ; number++) {
    if (!taken.has(free)) return free;
    free = `${name} (${number})`;
  }
}
