/** Builds the commits of a run: its document, its rows, and the journal folded into the document at the end. Pure. */

import { waitRows } from "../../app-events/event-wait.ts";
import { type JsonValue, omitUndefined } from "../../json.ts";
import type { Change, Key, RowChange } from "../../ports/store.ts";
import { inputRows } from "../../runs/open-input.ts";
import type { RunError, RunStatus } from "../../runs/run.ts";
import {
  activeRow,
  DUE_RUNS,
  EXPIRING_RUNS,
  FAILED_RUNS,
  listsOf,
  PARENT_RUNS,
  RUNS_WAITING_FOR_FILES,
  runKey,
  runRows,
  runsWaitingFor,
} from "../../runs/run-rows.ts";
import { dueRow } from "../../time/durable-timers.ts";
import type { Plan } from "../compile/plan.ts";
import type { Progress } from "../progress/progress.ts";
import { runJson } from "./input-json.ts";
import { historyKey, inlineOrKey, isLargeValue, putLargeValue, valueKey } from "./large-values.ts";
import { endedLimitRows, limitRows } from "./limit-rows.ts";
import { isActive, namesChildren, type RunDocument, type StoredStep, withSequels } from "./run-document.ts";
import { resultOf, showStep, withBegin } from "./run-view.ts";

/**
 * Returns the change that stores a run that has not ended.
 * @param before The stored document, if there is one.
 */
export function putRun(document: RunDocument, expected: Change["expected"], before?: RunDocument): Change {
  return {
    key: runKey(document.id),
    document,
    json: runJson(document),
    expected,
    rows: [
      ...runRows(document),
      ...movedRows(document, before),
      activeRow(document, isActive(document)),
      ...awaitingRows(document.id, document, before),
      ...limitRows(document, before),
      ...parentRows(document, before),
      ...waitRows(document, before, false),
      ...inputRows(document, before, false),
      ...(before === undefined ? [] : sequelRows(document, before)),
    ],
  };
}

/** A debounced run whose input is replaced is below the run that started it last. */
function movedRows(document: RunDocument, before: RunDocument | undefined): RowChange[] {
  if (before === undefined || before.root_run_id === document.root_run_id) return [];
  const lists = listsOf(document);
  return listsOf(before).flatMap((list): RowChange[] => (lists.includes(list) ? [] : [{ list, delete: before.id }]));
}

/**
 * Folds the journal of an ended run into its document.
 * @param values Keys of documents that hold large outputs already.
 * @param children Child runs that may be open, besides those that the run awaits.
 */
export function foldRun(
  document: RunDocument,
  plan: Plan,
  progress: Progress,
  end: { readonly status: RunStatus; readonly error: RunError | null; readonly at: string },
  values: ReadonlySet<Key>,
  children: readonly string[] = document.unneeded ?? [],
): { readonly document: RunDocument; readonly changes: readonly Change[]; readonly unused: readonly Key[] } {
  const changes: Change[] = [];
  const unused = new Set(values);
  const steps = plan.steps.map((_, index): StoredStep => {
    const step = showStep(plan, progress, index, end.at);
    const state = progress.state(index);
    const shown = state?.status === "waiting" ? step : withBegin(step, document);
    const results = progress.itemResults(index);
    const value = resultOf(progress, index);
    const iteration = results === undefined ? progress.iteration({ index, item: null }) : RESULTS;
    const output = inlineOrKey(value, () => valueKey(document.id, index, iteration));
    const isStored = isLargeValue(output) && unused.delete(output.at) && results === undefined;
    if (!isStored) for (const change of putLargeValue(output, value)) changes.push(change);
    const history = foldedHistory(document.id, progress, index);
    const hasMore = results !== undefined || history !== undefined || state?.caughtBy !== undefined;
    if (!hasMore) return { ...shown, output };
    if (history !== undefined) for (const change of history.changes) changes.push(change);
    if (history !== undefined && isLargeValue(history.stored)) unused.delete(history.stored.at);
    const { items, errors, ...rest } = shown;
    const has_items = results === undefined ? undefined : (true as const);
    return { ...rest, output, ...omitUndefined({ caught_by: state?.caughtBy, has_items, history: history?.stored }) };
  });
  const { status, error, at } = end;
  const awaits = children.length === 0 ? document.awaits : [...new Set([...(document.awaits ?? []), ...children])];
  const outcome = {
    status,
    error,
    finished_at: at,
    steps,
    leaves: outputLeaves(plan, progress),
    order: [...progress.order],
  };
  const last: RunDocument = Object.assign(
    {},
    withoutOpenFields(document),
    omitUndefined({ awaits }),
    outcome,
    keyAttemptsOf(progress),
  );
  return { document: withSequels(last), changes, unused: [...unused] };
}

/** The run without what only a run has that has not ended. */
function withoutOpenFields(document: RunDocument): RunDocument {
  const { records, unneeded, worker } = document;
  if (records === undefined && unneeded === undefined && worker === undefined) return document;
  const { records: _, unneeded: _unneeded, worker: _worker, ...rest } = document;
  return rest;
}

/** A longer history is a document of its own, because documents of runs are read often. */
const MAX_INLINE_HISTORY_CHARS = 1_024;

function foldedHistory(runId: string, progress: Progress, index: number) {
  const history = progress.history(index);
  if (history === undefined) return undefined;
  const value = history as unknown as JsonValue; // an interface of JSON values has no index signature
  const stored = inlineOrKey(value, () => historyKey(runId, index), MAX_INLINE_HISTORY_CHARS);
  return { stored, changes: putLargeValue(stored, value) };
}

function keyAttemptsOf(progress: Progress): Pick<RunDocument, "key_attempts"> {
  const key_attempts = progress.keyAttempts();
  return Object.keys(key_attempts).length === 0 ? {} : { key_attempts };
}

/** In place of an iteration, for the results of a step with `for_each`. Items count from 1. */
const RESULTS = 0;

/** The leaves that the output of the run consists of. One that a catch route led to stands in for a leaf that failed. */
function outputLeaves({ leaves, caughtLeaves }: Plan, progress: Progress): readonly number[] {
  const hasSucceeded = (index: number) => progress.state(index)?.status === "succeeded";
  const caught = caughtLeaves.filter(hasSucceeded);
  if (caught.length === 0) return leaves;
  return [...(leaves.length > 1 ? leaves : leaves.filter(hasSucceeded)), ...caught];
}

/** Rows for what follows from the end of a run. @param before The stored document. */
export function sequelRows(document: RunDocument, before: RunDocument | undefined): RowChange[] {
  return [
    ...changedRow(FAILED_RUNS, document.id, document.handle_failure_at, before?.handle_failure_at),
    ...changedRow(EXPIRING_RUNS, document.id, document.delete_at, before?.delete_at),
  ];
}

/** The row of a run with open children, by which they are found after a crash. */
function parentRows(document: RunDocument, before: RunDocument | undefined): RowChange[] {
  const { id } = document;
  if (namesChildren(document)) return [{ list: PARENT_RUNS, put: { id } }];
  return before !== undefined && namesChildren(before) ? [{ list: PARENT_RUNS, delete: id }] : [];
}

function changedRow(list: string, id: string, now: string | undefined, before: string | undefined): RowChange[] {
  return now === undefined && before === undefined ? [] : [dueRow(list, id, now ?? null)];
}

/** What a run waits for before it begins or continues. */
type Awaited = Pick<RunDocument, "awaiting" | "due_at">;

/** Rows of a run that waits for files before it begins, or for a time. @param before The stored document. */
function awaitingRows(id: string, now: Awaited, before: Awaited | undefined): RowChange[] {
  const lists = fileLists(now);
  const left = fileLists(before ?? {}).filter((list) => !lists.includes(list));
  return [
    ...lists.map((list): RowChange => ({ list, put: { id } })),
    ...left.map((list): RowChange => ({ list, delete: id })),
    ...changedRow(DUE_RUNS, id, now.due_at, before?.due_at),
  ];
}

const fileLists = ({ awaiting }: Awaited): readonly string[] =>
  awaiting === undefined ? [] : [...awaiting.file_ids.map(runsWaitingFor), RUNS_WAITING_FOR_FILES];

/**
 * Returns the change that stores an ended run.
 * @param before The stored document, if it has ended before.
 */
export function putEndedRun(document: RunDocument, expected: Change["expected"], before?: RunDocument): Change {
  const rows: RowChange[] = [
    ...runRows(document),
    ...awaitingRows(document.id, {}, document),
    ...sequelRows(document, before),
    ...parentRows(document, before),
    ...waitRows(document, before, true),
    ...inputRows(document, before, true),
    ...(typeof expected === "number" ? [activeRow(document, false), ...endedLimitRows(document)] : []),
  ];
  return { key: runKey(document.id), document, json: runJson(document), expected, rows };
}
