/** The interface between jobs and the slices that execute them: one kind for each sort of work. */
import * as v from "valibot";
import { omitUndefined } from "../json.ts";
import type { Change, DerivedChange, Stored } from "../ports/store.ts";
import { type JobDocument, type JobKindName, type JobProblem, MAX_PROBLEMS, type WrittenRecords } from "./job.ts";
import { jobKey } from "./job-rows.ts";

/** One batch of a job. It is committed with the position: either both are stored, or the batch is executed again. */
export interface Batch<Position extends object> {
  /** Where the next batch begins. */
  readonly position: Position;
  /** Items of the batch. */
  readonly done: number;
  readonly problems: readonly JobProblem[];
  /** What an import has written in this batch. */
  readonly written?: WrittenRecords;
  readonly isLast: boolean;
  /** Changes to commit with the position. */
  readonly changes?: readonly Change[];
  /**
   * Why items are left. The batch is executed again if its error is one that is retried. What it has done is only stored if
   * the job ends before.
   */
  readonly failure?: { readonly error: unknown } | undefined;
}

/** What a batch has done, and the version of the job that it began with. */
export interface ExecutedBatch {
  readonly batch: Batch<object>;
  readonly version: number;
}

/** A kind of job. `task` and `position` validate stored values, which another version may have written. */
export interface JobKind<Task extends object, Position extends object> {
  readonly name: JobKindName;
  readonly task: v.GenericSchema<unknown, Task>;
  readonly position: v.GenericSchema<unknown, Position>;
  /**
   * Executes the next batch, which must be small enough to be repeated after a crash. `unavailable`, `too_many_requests` and
   * `conflict` are retried; any other error fails the job.
   * @param signal Aborts when the job is canceled or the process closes. The batch may then end early, with what it has done.
   * When it ends, nothing of it may be in progress: the job is shown as canceled then.
   */
  execute(job: {
    readonly appId: string;
    readonly task: Task;
    /** Null for the first batch. */
    readonly position: Position | null;
    /** Commits with it fail if the batch was executed elsewhere meanwhile, or the job has ended. */
    readonly guard: DerivedChange;
    readonly signal: AbortSignal;
  }): Promise<Batch<Position>>;
  /** For a task that has data of its own, which is deleted when the job ends. */
  readonly release?: {
    /** The changes to commit with the end, or with the deletion, of a running job. */
    changes(task: Task): readonly Change[];
    /** Called after that commit. Must not reject. */
    afterwards(task: Task): Promise<void>;
  };
}

/** Executes the stored jobs of one kind. */
export interface JobExecutor {
  /** Executes the next batch. */
  execute(job: Stored<JobDocument>, signal: AbortSignal): Promise<Batch<object>>;
  /** The changes to commit with the end, or with the deletion, of a running job. */
  releaseChanges(job: JobDocument): readonly Change[];
  /** To be called after that commit. */
  released(job: JobDocument): Promise<void>;
}

export function executorOf<Task extends object, Position extends object>(kind: JobKind<Task, Position>): JobExecutor {
  const { release } = kind;
  return {
    execute: ({ document: { id, app_id, task, position }, version }, signal) =>
      kind.execute({
        appId: app_id,
        guard: { key: jobKey(id), expected: version, rows: [] },
        task: v.parse(kind.task, task),
        position: position === null ? null : v.parse(kind.position, position),
        signal,
      }),
    releaseChanges: ({ task }) => release?.changes(v.parse(kind.task, task)) ?? [],
    released: async ({ task }) => release?.afterwards(v.parse(kind.task, task)),
  };
}

/** Handles the items of a batch at the same time. Ends when none is in progress, also if it was aborted or some have failed. */
export async function handleItems(
  ids: readonly string[],
  signal: AbortSignal,
  handle: (id: string) => Promise<JobProblem | null>,
): Promise<Pick<Batch<object>, "done" | "problems" | "failure">> {
  const problems: JobProblem[] = [];
  let done = 0;
  let failure: Batch<object>["failure"];
  const handleOne = async (id: string) => {
    try {
      signal.throwIfAborted();
      const problem = await handle(id);
      done++;
      if (problem !== null) problems.push(problem);
    } catch (error) {
      failure ??= { error };
    }
  };
  await Promise.all(ids.map(handleOne));
  return { done, problems, failure };
}

/** The job after a batch. */
export function withBatch(job: JobDocument, batch: Batch<object>): JobDocument {
  const { position, done, problems, isLast, failure } = batch;
  const { failed, problems: known } = job.report;
  const report = {
    failed: failed + problems.length,
    problems: [...known, ...problems.slice(0, MAX_PROBLEMS - known.length)],
    ...omitUndefined({ written: sumOf(job.report.written, batch.written) }),
  };
  // A batch that is repeated after a crash no longer finds the items that it had completed.
  const all = isLast && failure === undefined ? (job.total ?? 0) : 0;
  return { ...job, position, done: Math.max(job.done + done, all), report };
}

function sumOf(before: WrittenRecords | undefined, more: WrittenRecords | undefined): WrittenRecords | undefined {
  if (before === undefined || more === undefined) return before ?? more;
  const { created, updated, unchanged } = before;
  return {
    created: created + more.created,
    updated: updated + more.updated,
    unchanged: unchanged + more.unchanged,
  };
}
