/** Turns a request into a run that can start: version, start step and input. */
import type { App } from "../apps/app.ts";
import type { Ids } from "../ports/ids.ts";
import { definitionAt, startOf } from "../workflows/start-step.ts";
import type { Version } from "../workflows/version.ts";
import type { CompleteInput } from "./resolve-input.ts";
import type { RunCreate } from "./run.ts";
import type { NewRun } from "./run-executor.ts";
import type { RunTrigger } from "./run-labels.ts";

/** @throws StepwellError `invalid` with every invalid field; `not_found`; `conflict` if no version was deployed */
export type PrepareRun = (appId: string, workflowId: string, create: RunCreate, trigger: RunTrigger) => Promise<NewRun>;

const NOT_UPLOADED_ADVICE = "Start the run after the upload, or set wait_for_files to true.";

export function createPrepareRun(parts: {
  ids: Ids;
  getApp(appId: string): Promise<App>;
  versionForRun(appId: string, workflowId: string, version: string): Promise<Version>;
  completeInput: CompleteInput;
}): PrepareRun {
  const { ids, getApp, versionForRun, completeInput } = parts;
  return async (appId, workflowId, create, trigger) => {
    const { input = {}, version: wanted = "latest", step_key, wait_for_files, tags = [], metadata = {} } = create;
    const version = await versionForRun(appId, workflowId, String(wanted));
    const start = startOf(version, step_key);
    const { name } = await getApp(appId);
    const { values, awaiting } = await completeInput({
      appId,
      definition: definitionAt(version, start),
      given: input,
      defaults: version.input_default ?? {},
      advice: wait_for_files === true ? null : NOT_UPLOADED_ADVICE,
    });
    const id = ids.next("run");
    const app = { id: appId, name };
    return { id, app, version, input, values, awaiting, start, parent: null, trigger, tags, metadata };
  };
}
