/** Turns a request into a run that can start: version, start step and input. */
import type { App } from "../apps/app.ts";
import { isStepwellError, type StepwellError } from "../errors.ts";
import { omitUndefined } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import { instant } from "../time/iso.ts";
import { DAY_MS } from "../time/units.ts";
import { definitionAt, startOf } from "../workflows/start-step.ts";
import type { Version } from "../workflows/version.ts";
import type { CompleteInput } from "./resolve-input.ts";
import type { CheckedRunCreate } from "./run.ts";
import type { NewRun } from "./run-executor.ts";
import type { RunTrigger } from "./run-labels.ts";

/**
 * @param given.version The version to run. @default the one that the request names
 * @param given.keepsNull Whether null for an optional field counts, instead of its default. @default true for what the page of
 * a form sends
 * @throws StepwellError `invalid` with every invalid field; `not_found`; `conflict` if no version was deployed
 */
export type PrepareRun = (
  appId: string,
  workflowId: string,
  create: CheckedRunCreate,
  trigger: RunTrigger,
  given?: { readonly version?: Version; readonly keepsNull?: boolean },
) => Promise<NewRun>;

const NOT_UPLOADED_ADVICE = "Start the run after the upload, or set wait_for_files to true.";

/** @throws StepwellError `invalid` if it is more than a year from now */
function instantOf(run_at: string | undefined, now: number): string | undefined {
  if (run_at === undefined) return undefined;
  const at = Date.parse(run_at);
  if (at > now + MAX_DELAY_MS) {
    throw invalid([{ pointer: "/run_at", message: `Must be at most ${MAX_DELAY_MS / DAY_MS} days from now.` }]);
  }
  return instant(at);
}

const MAX_DELAY_MS = 366 * DAY_MS;

/**
 * Whether starting a run again is pointless: its workflow was deleted or never deployed, or does not accept the input. A
 * conflict with a key is about a document that somebody else changed.
 */
export function isRefused(error: unknown): error is StepwellError {
  if (isStepwellError(error, "conflict")) return error.key === undefined;
  return isStepwellError(error, "invalid") || isStepwellError(error, "not_found");
}

export function createPrepareRun(parts: {
  ids: Ids;
  clock: Clock;
  getApp(appId: string): Promise<App>;
  versionForRun(appId: string, workflowId: string, version: string): Promise<Version>;
  completeInput: CompleteInput;
}): PrepareRun {
  const { ids, clock, getApp, versionForRun, completeInput } = parts;
  return async (appId, workflowId, create, trigger, given = {}) => {
    const { input = {}, version: wanted = "latest", step_key, wait_for_files, tags = [], metadata = {} } = create;
    const { keepsNull = trigger.type === "form" } = given;
    const more = omitUndefined({
      run_at: instantOf(create.run_at, clock.now()),
      priority: create.priority,
      keepsNull: keepsNull ? true : undefined,
    });
    const version = given.version ?? (await versionForRun(appId, workflowId, String(wanted)));
    const start = startOf(version, step_key);
    const { name } = await getApp(appId);
    const { values, awaiting } = await completeInput({
      appId,
      definition: definitionAt(version, start),
      given: input,
      defaults: version.input_default ?? {},
      advice: wait_for_files === true ? null : NOT_UPLOADED_ADVICE,
      keepsNull,
    });
    const id = ids.next("run");
    const app = { id: appId, name };
    return { id, app, version, input, values, awaiting, start, parent: null, trigger, tags, metadata, ...more };
  };
}
