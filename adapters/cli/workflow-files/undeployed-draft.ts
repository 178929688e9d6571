/** Drafts with changes that nobody has deployed: a file that is deployed would replace them. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Draft, Version } from "../../../src/index.ts";
import { type JsonObject, type JsonValue, parseObject, sortedJson } from "../../../src/json.ts";
import { DATA_FOLDER } from "../server/dev-file.ts";
import { isSameDefinition } from "./compare-file.ts";

/** Beside the data: storage drivers ignore names that start with a dot. */
const FOLDER = `${DATA_FOLDER}/.drafts`;

/** Whether a draft has something that neither the latest version nor the file has. */
export function isUndeployed(draft: Draft, latest: Version | null, file: JsonObject): boolean {
  const definition = jsonOf(draft);
  const isPinnedInFile = pinsOf(draft.pinned) === pinsOf(file["pinned"]);
  if (isSameDefinition(definition, file)) return !isPinnedInFile;
  return !isSameDefinition(definition, latest === null ? {} : jsonOf(latest)) || !isPinnedInFile;
}

const jsonOf = (given: Draft | Version): JsonObject => parseObject(JSON.stringify(definitionOf(given))) ?? {};

const FIELDS = ["input", "input_default", "input_options", "steps", "settings", "pinned"] as const;

/** The definition alone, as a workflow file has it. */
const definitionOf = (given: Draft | Version) =>
  Object.fromEntries(FIELDS.flatMap((field) => (given[field] === undefined ? [] : [[field, given[field]]])));

const pinsOf = (pinned: JsonValue | undefined) => sortedJson(pinned ?? {});

/**
 * Stores a draft as a workflow file.
 * @returns Its path below the folder.
 */
export async function keepDraft(cwd: string, workflow: { id: string; name: string }, draft: Draft): Promise<string> {
  const path = `${FOLDER}/${workflow.id}-${draft.revision}.json`;
  await mkdir(join(cwd, FOLDER), { recursive: true });
  await writeFile(join(cwd, path), `${JSON.stringify({ name: workflow.name, ...definitionOf(draft) }, null, 2)}\n`);
  return path;
}
