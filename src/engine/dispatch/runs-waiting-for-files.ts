/** Starts runs that wait for files. Checks them when a file arrives, when an upload URL expires, and at startup. */

import { rowIds } from "../../documents/documents.ts";
import { isStepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Store, Stored } from "../../ports/store.ts";
import type { CompleteInput, FindFiles } from "../../runs/resolve-input.ts";
import type { RunError } from "../../runs/run.ts";
import type { AwaitedFiles } from "../../runs/run-executor.ts";
import { RUNS_WAITING_FOR_FILES, runKey, runsWaitingFor } from "../../runs/run-rows.ts";
import type { Background } from "../../time/background.ts";
import type { DurableTimers } from "../../time/durable-timers.ts";
import { definitionAt } from "../../workflows/start-step.ts";
import type { Version } from "../../workflows/version.ts";
import { versionMissingError } from "../state/replay.ts";
import { putRun } from "../state/run-changes.ts";
import { type RunDocument, withInput } from "../state/run-document.ts";
import { asRunError } from "../step-error.ts";
import type { BeginRuns } from "./begin-runs.ts";
import type { RunRequests } from "./run-requests.ts";

export interface RunsWaitingForFiles {
  /** Checks the runs that wait for a received file. Never rejects. */
  checkRunsOf(fileId: string): Promise<void>;
  /** Checks one run: it begins, fails, or keeps waiting. Call it when the first of its upload URLs has expired. */
  check(runId: string): Promise<void>;
  /** Checks all waiting runs, because files may have arrived while no process was running. */
  checkAll(): Promise<void>;
}

/** The input with its files, or why it will never be complete. */
type InputOutcome =
  | { readonly ok: true; readonly input: Awaited<ReturnType<CompleteInput>> }
  | { readonly ok: false; readonly error: RunError };

/** The name of the task in logs. */
const TASK = "runs waiting for files";

export function createRunsWaitingForFiles(parts: {
  store: Store;
  clock: Clock;
  background: Background;
  findVersion(versionId: string): Promise<Version | null>;
  findFiles: FindFiles;
  completeInput: CompleteInput;
  begin: BeginRuns["begin"];
  requests: RunRequests;
  timers: Pick<DurableTimers, "set">;
}): RunsWaitingForFiles {
  const { store, clock, background, findVersion, findFiles, completeInput } = parts;
  const { begin, requests, timers } = parts;

  async function input(document: RunDocument): Promise<InputOutcome> {
    const version = await findVersion(document.workflow_version_id);
    if (version === null) return { ok: false, error: versionMissingError() };
    const definition = definitionAt(version, document.start);
    const request = {
      appId: document.app_id,
      definition,
      given: document.input,
      defaults: version.input_default ?? {},
      advice: null,
      keepsNull: document.keeps_null === true,
    };
    try {
      return { ok: true, input: await completeInput(request) };
    } catch (error) {
      if (!isStepwellError(error, "invalid")) throw error;
      const { file_ids = [], until = "" } = document.awaiting ?? {};
      const received = await findFiles(document.app_id, file_ids);
      const missing = file_ids.filter((_, index) => received[index] === null);
      // Files that arrived can still be invalid, and a connection may have been deleted meanwhile.
      if (missing.length === 0 || clock.now() < Date.parse(until)) {
        const message = `The input of the run is invalid: ${error.message}`;
        return { ok: false, error: { code: "invalid_input", message } };
      }
      const message = `No file was uploaded before the upload URL expired at ${until}: ${missing.join(", ")}.`;
      return { ok: false, error: asRunError({ code: "file_missing", message }) };
    }
  }

  async function check(runId: string): Promise<void> {
    const found = await store.get<RunDocument>(runKey(runId));
    if (found?.document.awaiting === undefined || found.document.status !== "waiting") return;
    const { document } = found;
    const outcome = await input(document);
    if (!outcome.ok) return requests.end(runId, outcome.error);
    const completed = outcome.input;
    if (completed.awaiting !== null) return waitOn(found, completed.awaiting);
    await begin(found, withInput(document, completed.values));
  }

  /** Stores that some files have arrived and that the next upload URL expires at a different time. */
  async function waitOn({ document, version }: Stored<RunDocument>, awaiting: AwaitedFiles): Promise<void> {
    if (awaiting.until === document.due_at) return;
    const next: RunDocument = { ...document, awaiting, due_at: awaiting.until };
    try {
      await store.commit([putRun(next, version, document)]);
    } catch (error) {
      if (!isStepwellError(error, "conflict")) throw error;
    }
    timers.set(awaiting.until);
  }

  async function checkList(list: string): Promise<void> {
    for await (const runId of rowIds(store, list)) await background.retryUntilDone(TASK, () => check(runId)).tried;
  }

  return {
    check,
    checkAll: () => checkList(RUNS_WAITING_FOR_FILES),
    checkRunsOf: (fileId) => background.retryUntilDone(TASK, () => checkList(runsWaitingFor(fileId))).tried,
  };
}
