/** The rows by which limits find runs: those that count for a concurrency key, and those that wait. Pure. */
import type { RowChange } from "../../ports/store.ts";
import { concurrencyRuns, debouncedRuns, HELD_RUNS, rateLimitedRuns } from "../../runs/run-rows.ts";
import { MAX_PRIORITY } from "../../workflows/run-limits.ts";
import type { RunDocument } from "./run-document.ts";
import { hasEntered } from "./stored-admission.ts";

/** The mark of the runs that count for a concurrency key. */
export const countedMark = (key: string) => `counted:${key}`;
/** The mark of the runs that wait for others with their concurrency key. */
export const queuedMark = (key: string) => `queued:${key}`;

/** The rows by which limits find runs. @param before The stored document. */
export function limitRows(document: RunDocument, before: RunDocument | undefined): RowChange[] {
  const { id, workflow_id, priority = 0, concurrency } = document;
  const rows = waitRowChanges(id, limitWaits(document), before === undefined ? [] : limitWaits(before));
  if (concurrency === undefined || !hasEntered(concurrency)) return [...rows, ...enteredRowsOf(before)];
  const isQueued = concurrency.state === "queued";
  const mark = isQueued ? queuedMark(concurrency.key) : countedMark(concurrency.key);
  // Otherwise only time decides, because the oldest run is shown or canceled.
  const rank = isQueued && concurrency.strategy !== "cancel_oldest" ? FIRST_RANK + MAX_PRIORITY - priority : 0;
  const order = `${String(rank).padStart(RANK_DIGITS, "0")}.${concurrency.entered_at}`;
  rows.push({ list: concurrencyRuns(workflow_id), put: { id, order, marks: [mark] } });
  rows.push(isQueued ? { list: HELD_RUNS, put: { id } } : { list: HELD_RUNS, delete: id });
  return rows;
}

/** Removes the rows of an ended run. */
export function endedLimitRows(document: RunDocument): RowChange[] {
  return [...waitRowChanges(document.id, [], limitWaits(document)), ...enteredRowsOf(document)];
}

/** Removes the rows by which a run counts for a concurrency limit or is held back by it. */
function enteredRowsOf(document: RunDocument | undefined): RowChange[] {
  if (document?.concurrency === undefined || !hasEntered(document.concurrency)) return [];
  const { id, workflow_id } = document;
  return [
    { list: concurrencyRuns(workflow_id), delete: id },
    { list: HELD_RUNS, delete: id },
  ];
}

const RANK_DIGITS = 3;
/** The rank of a queued run with the highest priority. */
const FIRST_RANK = 1;

/** The end, in the order of {@link limitRows}, of the runs that a newer one can cancel: those that are not queued by priority. */
export const END_OF_CANCELABLE = String(FIRST_RANK).padStart(RANK_DIGITS, "0");

interface LimitWait {
  readonly list: string;
  readonly marks?: readonly string[];
}

/** The lists that contain a run while further calls may replace its input, and while it waits for its start. */
function limitWaits({ workflow_id, admission }: RunDocument): readonly LimitWait[] {
  const { debounce, rate_limit } = admission ?? {};
  const waits: LimitWait[] = [];
  if (debounce !== undefined) waits.push({ list: debouncedRuns(workflow_id), marks: [debounce.key] });
  if (rate_limit?.planned !== undefined) waits.push({ list: rateLimitedRuns(rate_limit.key) });
  return waits;
}

function waitRowChanges(id: string, now: readonly LimitWait[], before: readonly LimitWait[]): RowChange[] {
  const left = before.filter(({ list }) => !now.some((wait) => wait.list === list));
  return [
    ...now.map(({ list, marks }): RowChange => ({ list, put: { id, marks } })),
    ...left.map(({ list }): RowChange => ({ list, delete: id })),
  ];
}
