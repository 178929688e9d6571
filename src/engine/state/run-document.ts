/** The stored document of a run, and its transitions. Pure. */
import type { StoredWait } from "../../app-events/event-wait.ts";
import { type JsonObject, omitUndefined } from "../../json.ts";
import type { OpenInput } from "../../runs/open-input.ts";
import { hasEnded, type RunError } from "../../runs/run.ts";
import type { AwaitedFiles, NewRun } from "../../runs/run-executor.ts";
import type { RunTrigger } from "../../runs/run-labels.ts";
import type { ListedRun } from "../../runs/run-rows.ts";
import type { RunStep } from "../../runs/run-step.ts";
import { instant } from "../../time/iso.ts";
import { SECOND_MS } from "../../time/units.ts";
import type { Settings } from "../../workflows/settings.ts";
import { MAX_STEPS, type Version } from "../../workflows/version.ts";
import { countEvents } from "../events/run-events.ts";
import type { InlineOrKey } from "./large-values.ts";
import { asUndecided, type RateLimit, type RunAdmission, type RunConcurrency } from "./stored-admission.ts";

export interface RunDocument extends ListedRun {
  readonly trigger: RunTrigger;
  readonly app_name: string;
  /** The input as the caller provided it. */
  readonly input: JsonObject;
  /** Whether null in it counts for an optional field, instead of its default. */
  readonly keeps_null?: boolean;
  /** The input as steps see it. */
  readonly values: JsonObject;
  /** Key of the input step that the run started at. */
  readonly start: string | null;
  /** Number of ancestors. */
  readonly depth: number;
  /** Files that must arrive before the run begins. */
  readonly awaiting?: AwaitedFiles;
  /** What else must happen before the run begins. Absent if nothing must. */
  readonly admission?: RunAdmission;
  readonly concurrency?: RunConcurrency;
  /** The rate limit that it has passed, until it gets its first slot: others may get theirs at the same time. */
  readonly rate_limit?: RateLimit;
  /** When a run that did not begin at once began, ISO 8601. */
  readonly begun_at?: string;
  /**
   * Child runs that a waiting run waits for, without being in memory. In an ended run: children that have not been canceled
   * yet.
   */
  readonly awaits?: readonly string[];
  /** In a run that has not ended: child runs that no step waits for any more and that may not have been canceled yet. */
  readonly unneeded?: readonly string[];
  /** The steps that wait for events. In an ended run: those that waited at its end. */
  readonly event_waits?: readonly StoredWait[];
  /** The steps that wait for input. In an ended run: those that waited at its end. */
  readonly inputs?: readonly OpenInput[];
  /** When the run must be checked if nothing else happens before, ISO 8601. */
  readonly due_at?: string;
  /** Number of journal records when this document was stored. The journal of an active run has at least as many. */
  readonly records?: number;
  /** The steps of an ended run, folded from its journal. */
  readonly steps?: readonly StoredStep[];
  /** Only in an ended run: indexes of the steps that its output consists of. */
  readonly leaves?: readonly number[];
  /** Only in an ended run: indexes of its steps in the order in which they settled. */
  readonly order?: readonly number[];
  /** How often the run was retried after its end. */
  readonly retries?: number;
  /** Number of the last event before the last retry, or before the run failed without its steps. Later events have higher numbers. */
  readonly events_before?: number;
  /**
   * For steps that keep their idempotency key, by index, and for their items that don't, by `INDEX.ITEM`: the number of
   * retries that is part of the key.
   */
  readonly key_retries?: Readonly<Record<string, number>>;
  /** Milliseconds from the start to the end of the run, if its version limits them. */
  readonly time_limit_ms?: number;
  /** The failure workflow of its version. */
  readonly on_failure?: NonNullable<Settings["on_failure"]>;
  /** Only in a failed run whose failure workflow has not been started: when it failed, ISO 8601. */
  readonly handle_failure_at?: string;
  /** Milliseconds to keep the run after its end, if its version limits them. */
  readonly keep_ms?: number;
  /** Only in an ended run with {@link keep_ms}: when it is to be deleted, ISO 8601. */
  readonly delete_at?: string;
  /** What the keys of interrupted attempts carried, by task: those that {@link key_retries} lets keep their key carry it again. */
  readonly key_attempts?: Readonly<Record<string, number>>;
  /** The job that retried the run last. */
  readonly retried_by?: string;
  /** The run whose outcomes this one keeps. */
  readonly kept_from?: string;
  /**
   * Only in an active run of a cluster: ID of the worker that executes it, or null if any worker may take it. Each change
   * of it increments the version of the document, which every commit of a run checks: so a worker that has lost a run stores
   * nothing more of it.
   */
  readonly worker?: string | null;
  /** When the last retry was requested, ISO 8601: waits have their whole time limit from then. */
  readonly retried_at?: string;
  /** When the last retry started, ISO 8601. Not set while the retried run is queued. */
  readonly reopened_at?: string;
}

export interface StoredStep extends Omit<RunStep, "output" | "items" | "errors"> {
  /** The output, or the {@link file://../progress/for-each.ts ItemResults} of a step with `for_each`. */
  readonly output: InlineOrKey;
  /** Index of the catch route that caught its error, or null if none did. Only in a failed step that didn't fail the run. */
  readonly caught_by?: number | null;
  /** The {@link file://../progress/step-history.ts StepHistory} of a step that has one. */
  readonly history?: InlineOrKey;
  /** Whether `output` has the results of items. */
  readonly has_items?: true;
}

/** The values of a step that may be documents of their own. */
export const valuesOf = ({ output, history }: StoredStep): readonly InlineOrKey[] =>
  history === undefined ? [output] : [output, history];

/** The topmost run above a new one; null if there is none. */
export const rootOf = ({ parent, nesting }: Pick<NewRun, "parent" | "nesting">): string | null =>
  parent?.root_run_id ?? nesting?.root_run_id ?? null;

/** The version on which a run continues, with its input for it. */
export interface NewVersion {
  readonly version: Version;
  readonly values: JsonObject;
}

/** Returns the run on another version. */
export function onVersion(document: RunDocument, { version, values }: NewVersion): RunDocument {
  const { time_limit_ms, on_failure, keep_ms, ...rest } = document;
  return {
    ...rest,
    ...{ workflow_version_id: version.id, version: version.version, values },
    ...settingsOf(version),
  };
}

/** The settings of a version that a run carries. */
function settingsOf({ settings = {} }: Version): Pick<RunDocument, "time_limit_ms" | "on_failure" | "keep_ms"> {
  const { timeout, on_failure, keep_runs } = settings;
  return omitUndefined({
    on_failure,
    time_limit_ms: timeout === undefined ? undefined : timeout * SECOND_MS,
    keep_ms: keep_runs === undefined ? undefined : keep_runs * SECOND_MS,
  });
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
    trigger: run.trigger,
    tags: [...run.tags],
    metadata: run.metadata,
    created_at: now,
    started_at: now,
    finished_at: null,
    input: run.input,
    values: run.values,
    start: run.start,
    depth: run.parent?.depth ?? run.nesting?.depth ?? 0,
    ...settingsOf(run.version),
    ...omitUndefined({
      keeps_null: run.keepsNull,
      root_run_id: rootOf(run) ?? undefined,
      awaiting: run.awaiting ?? undefined,
      due_at: run.awaiting?.until,
    }),
  };
}

/** Returns a run that begins, or continues after a retry, with its slot or its place in the queue. */
export function asBegun(document: RunDocument, status: "running" | "queued", now: string): RunDocument {
  const { begins_at, admission, due_at, ...rest } = document;
  const next = status === "running" ? withoutRateLimit(rest) : rest;
  if (rest.retries === undefined)
    return { ...next, status, begun_at: now, started_at: status === "running" ? now : null };
  return status === "running" ? { ...next, status, reopened_at: now } : { ...next, status };
}

/** Returns a run that has got its first slot, or needs none. */
export function withoutRateLimit(document: RunDocument): RunDocument {
  if (document.rate_limit === undefined) return document;
  const { rate_limit, ...rest } = document;
  return rest;
}

/**
 * Returns a run that does not begin yet, or a retried one that does not continue yet.
 * @param due_at When it is checked again; absent if other runs let it begin.
 */
export function asNotBegun(document: RunDocument, status: "waiting" | "queued", due_at?: string): RunDocument {
  const { due_at: _, ...rest } = document;
  const started_at = rest.retries === undefined ? null : rest.started_at;
  return { ...rest, status, started_at, ...omitUndefined({ due_at }) };
}

/** Returns the run without the time at which it begins, if that has come. */
export function withoutPastTime(document: RunDocument, now: number): RunDocument {
  const { begins_at, ...due } = document;
  return begins_at === undefined || Date.parse(begins_at) > now ? document : due;
}

/** Returns the run after its files have arrived. */
export function withInput(document: RunDocument, values: JsonObject): RunDocument {
  const { awaiting, due_at, ...rest } = document;
  return { ...rest, values };
}

/** Returns the run failed because it can no longer be executed. */
export function asFailed(document: RunDocument, error: RunError, at: string): RunDocument {
  const { records, worker, ...rest } = document;
  // The numbers of the steps that settled stay taken, although how many there were is unknown.
  const events_before = countEventsBeforeRetry(document) + MAX_STEPS;
  return { ...rest, status: "failed", error, finished_at: at, steps: [], leaves: [], order: [], events_before };
}

/** Returns the run as it was before its end, queued, with one more retry. Its journal has one record: what is kept. */
export function asRetried(
  document: RunDocument,
  now: string,
  keys: Pick<RunDocument, "key_retries" | "key_attempts">,
  by?: string,
): RunDocument {
  const { steps, leaves, order, due_at, reopened_at, key_retries, key_attempts, ...reopened } = document;
  const {
    handle_failure_at,
    delete_at,
    awaits,
    event_waits,
    inputs,
    begins_at,
    admission,
    concurrency,
    rate_limit,
    ...others
  } = reopened;
  const { retried_by, ...rest } = others;
  const retries = (document.retries ?? 0) + 1;
  const events_before = countEventsBeforeRetry(document) + countEvents(document.steps ?? [], document.order ?? []);
  return {
    ...rest,
    ...{ status: "queued", error: null, finished_at: null, retries, events_before, records: 1, retried_at: now },
    ...omitUndefined({
      retried_by: by,
      begun_at: document.started_at === null ? now : document.begun_at,
      concurrency: concurrency === undefined ? undefined : asUndecided(concurrency),
    }),
    ...keys,
  };
}

/** Returns an ended run with what follows from its end: its failure workflow, and its deletion. */
export function withSequels(document: RunDocument): RunDocument {
  const { status, on_failure, keep_ms, finished_at } = document;
  const end = finished_at ?? document.created_at;
  if (keep_ms === undefined && on_failure === undefined) return document;
  return {
    ...document,
    ...omitUndefined({
      handle_failure_at: status === "failed" && on_failure !== undefined ? end : undefined,
      delete_at: keep_ms === undefined ? undefined : instant(Date.parse(end) + keep_ms),
    }),
  };
}

/** Returns the number of numbered events before the run's last retry. */
export const countEventsBeforeRetry = ({ events_before = 0 }: RunDocument): number => events_before;

/** Whether it names child runs: those that it waits for while it is not in memory, or that are to be canceled. */
export const namesChildren = ({ awaits, unneeded }: RunDocument) => awaits !== undefined || unneeded !== undefined;

export const isEnded = ({ status }: RunDocument) => hasEnded(status);

/** Whether the run is executed, or needs only a slot. */
export const isActive = (document: RunDocument): boolean =>
  (document.status === "running" || document.status === "queued") && isAdmitted(document);

/**
 * Returns the run with the worker that its status needs.
 * @param worker ID of this process, undefined if it has the store for itself.
 */
export function placedAt(document: RunDocument, worker: string | undefined): RunDocument {
  const next = worker === undefined || !isActive(document) ? undefined : document.status === "running" ? worker : null;
  if (document.worker === next) return document;
  const { worker: _, ...rest } = document;
  return next === undefined ? rest : { ...rest, worker: next };
}

/** Whether the run has begun, or needs only a slot to begin. */
export function isAdmitted({ awaiting, begins_at, concurrency }: RunDocument): boolean {
  return awaiting === undefined && begins_at === undefined && concurrency?.state !== "queued";
}

/** Whether no step of the run can have been executed. A retried run has begun before. */
export const hasNeverBegun = (document: RunDocument): boolean =>
  document.retries === undefined && !isAdmitted(document);
