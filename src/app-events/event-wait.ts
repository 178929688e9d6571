/** The steps of runs that wait for events, as they are stored and found. */
import { orderOfApp } from "../documents/rows-by-app.ts";
import type { Change, Key, RowChange } from "../ports/store.ts";
import { eventWaitsOf, markOfWait } from "./app-event.ts";

/** A wait, as the document of its run has it. */
export interface StoredWait {
  /** Index of the step. */
  readonly step: number;
  /** Number of the iteration, from 1. */
  readonly iteration: number;
  readonly name: string;
  /** Null for any. */
  readonly subject: string | null;
  /** Events from this time on count, ISO 8601. */
  readonly since: string;
}

/** What a run with waits has of {@link RunDocument}. */
interface WaitingRun {
  readonly id: string;
  readonly app_id: string;
  readonly retries?: number;
  readonly event_waits?: readonly StoredWait[];
}

/** A wait for which the events before it have not been read. */
export interface Lookback {
  readonly run_id: string;
  readonly step: number;
  readonly iteration: number;
}

/** Waits for which the events before them have not been read, by app. */
export const LOOKBACKS = "event-lookbacks";
export const lookbackKey = (id: string): Key => `event-lookback:${id}`;
/** The rows of {@link LOOKBACKS} for the waits of a run: in its app, they are ordered by ids that begin with its id and a dot. */
export const lookbacksOf = (appId: string, runId: string) => ({
  from: orderOfApp(appId, `${runId}.`),
  until: orderOfApp(appId, `${runId}/`),
});

const rowId = (runId: string, { step }: StoredWait) => `${runId}.${step}`;
/** The run of a row of {@link eventWaitsOf}. */
export const runOfWait = (id: string) => id.slice(0, id.indexOf("."));

export const isSameWait = (one: Pick<StoredWait, "step" | "iteration">, other: typeof one) =>
  one.step === other.step && one.iteration === other.iteration;

/** The rows by which events find the waits of a run. @param before The stored document. */
export function waitRows(run: WaitingRun, before: WaitingRun | undefined, hasEnded: boolean): RowChange[] {
  const { id, app_id, event_waits: waits = [] } = run;
  const list = eventWaitsOf(app_id);
  const open = hasEnded ? [] : waits;
  const kept = new Set(open.map((wait) => rowId(id, wait)));
  const known = [...waits, ...(before?.event_waits ?? [])].map((wait) => rowId(id, wait));
  return [
    ...open.map((wait): RowChange => {
      const { name, subject } = wait;
      return { list, put: { id: rowId(id, wait), marks: [markOfWait(name, subject)] } };
    }),
    ...[...new Set(known)].filter((row) => !kept.has(row)).map((row): RowChange => ({ list, delete: row })),
  ];
}

/**
 * The changes that note for new waits that the events before them are to be read. An event may have been delivered after a
 * wait began and before it was stored.
 */
export function lookbackChanges(run: WaitingRun, before: WaitingRun | undefined): Change[] {
  const known = before?.event_waits ?? [];
  const added = (run.event_waits ?? []).filter((wait) => !known.some((other) => isSameWait(wait, other)));
  return added.map(({ step, iteration }) => {
    const id = `${run.id}.${run.retries ?? 0}.${step}.${iteration}`;
    const document: Lookback = { run_id: run.id, step, iteration };
    return {
      key: lookbackKey(id),
      document,
      rows: [{ list: LOOKBACKS, put: { id, order: orderOfApp(run.app_id, id) } }],
    };
  });
}
