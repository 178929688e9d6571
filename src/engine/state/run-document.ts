/** A run as it is stored, and what it becomes. Pure. */

import type { JsonObject } from "../../json.ts";
import { hasEnded, type RunError, type RunStatus, type RunStep } from "../../runs/run.ts";
import type { AwaitedFiles, NewRun } from "../../runs/run-executor.ts";
import type { ListedRun } from "../../runs/run-rows.ts";
import { countEvents } from "../events/run-events.ts";
import type { InlineOrKey } from "./large-values.ts";

export interface RunDocument extends ListedRun {
  readonly app_name: string;
  /** As given. */
  readonly input: JsonObject;
  /** As the steps see it. */
  readonly values: JsonObject;
  /** The key of the input step that it started at. */
  readonly start: string | null;
  /** How many runs stand above it. */
  readonly depth: number;
  /** Files that are to come before it begins. */
  readonly awaiting?: AwaitedFiles;
  /** When it is looked at if nothing else happens, ISO 8601. */
  readonly due_at?: string;
  /** Once it has ended: what its journal was folded into. */
  readonly steps?: readonly StoredStep[];
  /** Once it has ended: the places of the steps that its output is made of. */
  readonly leaves?: readonly number[];
  /** Once it has ended: the places of its steps in the order in which they settled. */
  readonly order?: readonly number[];
  /** How often it was taken up again after its end. */
  readonly retries?: number;
  /** How many events with numbers it had before it was for the last time: those that come then have higher ones. */
  readonly events_before?: number;
  /** When it was for the last time, ISO 8601; of a run that was queued then, when its turn came, and not before. */
  readonly reopened_at?: string;
}

export interface StoredStep extends Omit<RunStep, "output"> {
  readonly output: InlineOrKey;
}

export function newDocument(run: NewRun, now: string): RunDocument {
  return {
    id: run.id,
    app_id: run.app.id,
    app_name: run.app.name,
    workflow_id: run.version.workflow_id,
    workflow_version_id: run.version.id,
    version: run.version.version,
    status: "running",
    error: null,
    parent_run_id: run.parent?.run_id ?? null,
    created_at: now,
    started_at: now,
    finished_at: null,
    input: run.input,
    values: run.values,
    start: run.start,
    depth: run.parent?.depth ?? run.depth ?? 0,
    ...(run.parent === null ? {} : { root_run_id: run.parent.root_run_id }),
    ...(run.awaiting === null ? {} : { awaiting: run.awaiting, due_at: run.awaiting.until }),
  };
}

/** A run whose files have come. */
export function withInput(document: RunDocument, values: JsonObject, status: RunStatus, now: string): RunDocument {
  const { awaiting, due_at, ...rest } = document;
  return { ...rest, values, status, started_at: status === "running" ? now : null };
}

/** A run that ends because nobody can carry it out any more. */
export function asBrokenOff(document: RunDocument, error: RunError, at: string): RunDocument {
  return { ...document, status: "failed", error, finished_at: at, steps: [], leaves: [], order: [] };
}

/** A run that is to go on after its end: as it was before, but for its number of retries. */
export function asRetried(document: RunDocument, status: "running" | "queued", now: string): RunDocument {
  const { steps, leaves, order, due_at, reopened_at, ...rest } = document;
  const retries = (document.retries ?? 0) + 1;
  const events_before = countEventsBeforeRetry(document) + countEvents(document.steps ?? [], document.order ?? []);
  const again = { ...rest, status, error: null, finished_at: null, retries, events_before };
  return status === "queued" ? again : { ...again, reopened_at: now };
}

/** How many events with numbers came before the last retry of a run. */
export const countEventsBeforeRetry = ({ events_before = 0 }: RunDocument): number => events_before;

export const isEnded = ({ status }: RunDocument) => hasEnded(status);
