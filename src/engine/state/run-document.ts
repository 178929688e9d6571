/** A run as it is stored, and as it is shown. */

import type { JsonObject, JsonValue } from "../../json.ts";
import type { Change, Key, RowChange } from "../../ports/store.ts";
import { hasEnded, type Run, type RunError, type RunStatus, type RunStep, summaryOf } from "../../runs/run.ts";
import type { AwaitedFiles, NewRun } from "../../runs/run-executor.ts";
import { AWAITING, activeRow, awaitedIn, DUE, type ListedRun, runKey, runRows } from "../../runs/run-rows.ts";
import { dueRow } from "../../time/durable-timers.ts";
import { instant } from "../../time/iso.ts";
import type { Plan } from "../compile/compile.ts";
import { countEvents } from "../events/run-events.ts";
import { type InlineOrKey, inlineOrKey, putLargeValue, valueKey } from "./journal.ts";
import type { Progress } from "./progress.ts";
import type { StepState } from "./step-state.ts";

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

/** Where a run stands that waits: for files before it begins, or for a moment. */
function awaitingRows({ id, awaiting, due_at }: RunDocument, hasRunEnded: boolean): RowChange[] {
  const lists = awaiting === undefined ? [] : [...awaiting.file_ids.map(awaitedIn), AWAITING];
  return [
    ...lists.map((list): RowChange => (hasRunEnded ? { list, take: id } : { list, put: { id } })),
    ...(due_at === undefined ? [] : [dueRow(DUE, id, hasRunEnded ? null : due_at)]),
  ];
}

/** A run whose files have come. */
export function withInput(document: RunDocument, values: JsonObject, status: RunStatus, now: string): RunDocument {
  const { awaiting, due_at, ...rest } = document;
  return { ...rest, values, status, started_at: status === "running" ? now : null };
}

/** The rows that go when a run waits for files no longer. */
export function removeAwaitingRows(document: RunDocument): RowChange[] {
  return awaitingRows(document, true);
}

/**
 * The commit of a run that goes on: its document, its rows.
 * @param before As it is stored, where it is
 */
export function putRun(document: RunDocument, expected: number | undefined, before?: RunDocument): Change {
  const isDueNoMore = before?.due_at !== undefined && document.due_at === undefined;
  return {
    key: runKey(document.id),
    document,
    ...(expected === undefined ? {} : { expected }),
    rows: [
      ...runRows(document),
      activeRow(document.id, document.status !== "waiting"),
      ...awaitingRows(document, false),
      ...(isDueNoMore ? [dueRow(DUE, document.id, null)] : []),
    ],
  };
}

/**
 * What a run comes to at its end: one document instead of a journal.
 * @param values Documents that hold large outputs already.
 */
export function foldRun(
  document: RunDocument,
  plan: Plan,
  progress: Progress,
  end: { readonly status: RunStatus; readonly error: RunError | null; readonly at: string },
  values: ReadonlySet<Key>,
): { readonly document: RunDocument; readonly changes: readonly Change[]; readonly unused: readonly Key[] } {
  const changes: Change[] = [];
  const unused = new Set(values);
  const steps = plan.steps.map((_, index): StoredStep => {
    const shown = showStep(plan, progress, index, end.at);
    const output = inlineOrKey(shown.output, () => valueKey(document.id, index, progress.iteration(index)));
    if ("at" in output && !unused.delete(output.at))
      for (const change of putLargeValue(output, shown.output)) changes.push(change);
    return { ...shown, output };
  });
  const { status, error, at } = end;
  const last = { ...document, status, error, finished_at: at, steps, leaves: plan.leaves, order: [...progress.order] };
  return { document: last, changes, unused: [...unused] };
}

/** A run that ends because nobody can carry it out any more. */
export function asBrokenOff(document: RunDocument, error: RunError, at: string): RunDocument {
  return { ...document, status: "failed", error, finished_at: at, steps: [], leaves: [], order: [] };
}

/** The commit of a run that has ended. */
export function putEndedRun(document: RunDocument, expected: number | undefined): Change {
  const rows: RowChange[] = [...runRows(document), ...awaitingRows(document, true)];
  if (expected !== undefined) rows.push(activeRow(document.id, false));
  return { key: runKey(document.id), document, ...(expected === undefined ? {} : { expected }), rows };
}

/** A run that is to go on after its end: as it was before, but for its number of retries. */
export function asRetried(document: RunDocument, status: "running" | "queued", now: string): RunDocument {
  const { steps, leaves, order, due_at, reopened_at, ...rest } = document;
  const retries = (document.retries ?? 0) + 1;
  const events_before = eventsBeforeRetry(document) + countEvents(document.steps ?? [], document.order ?? []);
  const again = { ...rest, status, error: null, finished_at: null, retries, events_before };
  return status === "queued" ? again : { ...again, reopened_at: now };
}

/** How many events with numbers came before the last retry of a run. */
export const eventsBeforeRetry = ({ events_before = 0 }: RunDocument): number => events_before;

/** A run that has not ended, from how far it has come. */
export function showRunning(document: RunDocument, plan: Plan, progress: Progress): Run {
  return {
    ...summaryOf(document),
    input: document.input,
    output: null,
    steps: plan.steps.map((_, index) => showStep(plan, progress, index, null)),
  };
}

/** A run that has ended; `outputs` are those of its steps. */
export function showEnded(document: RunDocument, outputs: readonly JsonValue[]): Run {
  const { steps: stored = [], leaves = [], input, status } = document;
  const steps = stored.map((step, index): RunStep => ({ ...step, output: outputs[index] ?? null }));
  return { ...summaryOf(document), input, output: status === "succeeded" ? outputOf(steps, leaves) : null, steps };
}

/** Of the one step that leads nowhere; of several, by key, those that have succeeded. */
function outputOf(steps: readonly RunStep[], leaves: readonly number[]): JsonValue {
  const [only, ...others] = leaves;
  if (only === undefined) return null;
  if (others.length === 0) return steps[only]?.output ?? null;
  return Object.fromEntries(
    leaves.flatMap((index) => {
      const step = steps[index];
      return step?.status === "succeeded" ? [[step.key, step.output]] : [];
    }),
  );
}

/** @param endedAt When the run ended, ISO 8601; null before. Whatever has not settled by then is canceled. */
export function showStep(plan: Plan, progress: Progress, index: number, endedAt: string | null): RunStep {
  const { key = "", type = "" } = plan.steps[index]?.step ?? {};
  const state = progress.state(index);
  const hasRunEnded = endedAt !== null;
  if (state === undefined) return { key, type, ...NOT_STARTED, status: hasRunEnded ? "canceled" : "pending" };
  const isCut = hasRunEnded && (state.status === "running" || state.status === "waiting");
  const moment = hasRunEnded ? undefined : progress.moments.get(index);
  return {
    key,
    type,
    status: isCut ? "canceled" : state.status,
    output: state.output,
    error: state.error,
    attempts: state.attempts,
    ...(state.logs.length === 0 ? {} : { logs: [...state.logs] }),
    started_at: instantOrNull(state.started_at),
    finished_at: isCut ? endedAt : instantOrNull(state.finished_at),
    ...(moment === undefined ? {} : { waits_until: instant(moment.at) }),
  };
}

const NOT_STARTED = { output: null, error: null, attempts: 0, started_at: null, finished_at: null } as const;

const instantOrNull = (milliseconds: StepState["started_at"]) => (milliseconds === null ? null : instant(milliseconds));

export const isEnded = ({ status }: RunDocument) => hasEnded(status);
