/** Recognizes the repeat of an answer that is stored, such as by a browser whose response was lost. */
import { isStepwellError } from "../errors.ts";
import { type JsonObject, sortedJson } from "../json.ts";
import type { CompleteInput } from "../runs/resolve-input.ts";
import type { Runs } from "../runs/runs.ts";
import type { LinkTarget } from "./input-links.ts";

/**
 * Whether the step of a link has got exactly these values, with the defaults that they get. What differs in anything was not
 * stored, and must not be acknowledged. False for a step with a loop, whose output may be the answer to a later wait.
 */
export type IsStored = (target: LinkTarget, values: JsonObject) => Promise<boolean>;

export function createIsStored(parts: { runs: Pick<Runs, "get">; completeInput: CompleteInput }): IsStored {
  const { runs, completeInput } = parts;
  return async ({ link, version, definition, retries }, given) => {
    const { app_id: appId, run_id, step_key, wait } = link;
    const isLooped = version.steps.some(({ key, loop }) => key === step_key && loop !== undefined);
    if (isLooped || retries !== wait.retries) return false;
    try {
      const defaults = version.input_default ?? {};
      const { values } = await completeInput({ appId, definition, given, defaults, advice: "", base: [] });
      const output = (await runs.get(appId, run_id)).steps.find(({ key }) => key === step_key)?.output ?? null;
      return sortedJson(values) === sortedJson(output);
    } catch (error) {
      if (isStepwellError(error, "invalid") || isStepwellError(error, "not_found")) return false;
      throw error;
    }
  };
}
