/** Recognizes the repeat of an answer that is stored, such as by a browser whose response was lost. */
import { isStepwellError } from "../errors.ts";
import { isRecord, type JsonObject, sortedJson } from "../json.ts";
import type { Runs } from "../runs/runs.ts";
import { checkInput } from "../workflows/input/check-input.ts";
import type { InputDefinition } from "../workflows/input/input-field.ts";
import { contentsOf, mapFiles } from "./file-contents.ts";
import type { LinkTarget } from "./input-links.ts";
import type { Submission } from "./read-submission.ts";

/**
 * Whether the step of a link has got exactly these values, with the defaults that they get. What differs in anything was not
 * stored, and must not be acknowledged. Files are the same if their names and bytes are, in the same order. False for a step
 * with a loop, whose output may be the answer to a later wait.
 */
export type IsStored = (target: LinkTarget, submission: Submission) => Promise<boolean>;

export function createIsStored({ runs }: { runs: Pick<Runs, "get"> }): IsStored {
  return async ({ link, version, definition, retries }, submission) => {
    const { app_id: appId, run_id, step_key, wait } = link;
    const isLooped = version.steps.some(({ key, loop }) => key === step_key && loop !== undefined);
    if (isLooped || retries !== wait.retries || submission.errors.length > 0) return false;
    const defaults = version.input_default ?? {};
    const { values, errors } = checkInput(definition, submission.values, defaults, [], submission.isFromPage);
    if (errors.length > 0) return false;
    try {
      const output = (await runs.get(appId, run_id)).steps.find(({ key }) => key === step_key)?.output ?? null;
      return isRecord(output) && isSame(definition, { values, files: submission.files }, output);
    } catch (error) {
      if (isStepwellError(error, "not_found")) return false;
      throw error;
    }
  };
}

/** Compares values with files as ids and stored ones with their descriptions: by the contents of the files. */
function isSame(
  definition: InputDefinition,
  { values, files }: Pick<Submission, "values" | "files">,
  stored: JsonObject,
): boolean {
  const contents = new Map([...files].map(([id, file]) => [id, contentsOf(file)]));
  const storedContents = mapFiles(definition, stored, (file) => {
    if (!isRecord(file)) return file;
    const { id, name = null, size = null, sha256 = null } = file;
    if (typeof id === "string") contents.set(id, [name, size, sha256]);
    return [name, size, sha256];
  });
  const sentContents = mapFiles(definition, values, (id) => (typeof id === "string" ? (contents.get(id) ?? id) : id));
  return sortedJson(sentContents) === sortedJson(storedContents);
}
