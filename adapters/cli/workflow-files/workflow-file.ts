/** Files that define a workflow: what `workflows.create` takes, as JSON. */
import type { WorkflowCreate } from "../../../src/index.ts";
import { isRecord, type JsonObject } from "../../../src/json.ts";
import { lineOfPointer } from "../json/json-place.ts";
import { readJsonFile } from "../json/read-json.ts";
import { type Problem, problemOf, refused } from "../terminal/failure.ts";
import type { Shell } from "../terminal/shell.ts";

/** The folder that `stepwell dev` watches, and that `stepwell deploy` deploys without arguments. */
export const WORKFLOWS_FOLDER = "workflows";

export interface WorkflowFile {
  /** As it was typed. */
  readonly path: string;
  readonly text: string;
  readonly name: string;
  /** The whole document, without `$schema`. The server checks it. */
  readonly content: JsonObject;
}

/** @throws CommandError for a file that does not contain a workflow */
export async function readWorkflowFile(path: string, shell: Shell): Promise<WorkflowFile> {
  const { value, text } = await readJsonFile(path, shell);
  if (!isRecord(value)) throw refused(`${path}:1: must be a JSON object with "name" and "steps".`);
  const { $schema: _, ...content } = value;
  if (content["format"] === "stepwell") {
    throw refused(`${path}:1: is an export of workflows.`, `Import it: stepwell import ${path}`);
  }
  const { name } = content;
  if (typeof name !== "string" || name === "") {
    const line = lineOfPointer(text, "/name");
    throw refused(`${path}:${line}: /name: must be the name of the workflow, such as "Expense check".`);
  }
  return { path, text, name, content };
}

/** Fields of a workflow. All others belong to its definition. */
const ABOUT = ["name", "description", "visibility"] as const;

/** The definition in a file, as a draft has it. */
export function definitionIn({ content }: WorkflowFile): JsonObject {
  return Object.fromEntries(Object.entries(content).filter(([name]) => !ABOUT.some((one) => one === name)));
}

export function aboutIn({ content, name }: WorkflowFile): Pick<WorkflowCreate, "name" | "description" | "visibility"> {
  const { description, visibility } = content;
  const about: ReturnType<typeof aboutIn> = { name };
  if (typeof description === "string" || description === null) about.description = description;
  if (visibility === "PUBLIC" || visibility === "PRIVATE") about.visibility = visibility;
  return about;
}

/** Problems with the lines of the file. */
export function problemsIn(
  { path, text }: WorkflowFile,
  errors: readonly { readonly pointer: string; readonly message: string }[],
): Problem[] {
  return errors.map((error) => {
    const line = lineOfPointer(text, error.pointer);
    const { place, ...problem } = problemOf(error);
    return { place: `${path}:${line}: ${place}`, ...problem, file: path, line };
  });
}
