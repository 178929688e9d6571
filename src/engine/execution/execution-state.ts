/** The states of a run in memory, and decisions that depend only on the run's progress. Pure. */
import type { RunError, RunStatus } from "../../runs/run.ts";
import type { Progress } from "../progress/progress.ts";

export type ExecutionState =
  /** No step has been started. */
  | "loaded"
  /** Steps are executing, and memory matches the storage. */
  | "executing"
  /** Outcomes or a status are being stored. The same writer stores whatever arrives meanwhile. */
  | "storing"
  /** The process no longer waits for a commit, which may still finish. */
  | "detached"
  /** The process is closing. Nothing of the run continues here. */
  | "suspended"
  /** The run has ended, only waits, is queued, or was evicted because the storage failed. */
  | "exited";

const NEXT: Readonly<Record<ExecutionState, readonly ExecutionState[]>> = {
  loaded: ["executing", "storing", "suspended", "exited"],
  executing: ["storing", "suspended", "exited"],
  storing: ["executing", "detached", "suspended", "exited"],
  detached: ["suspended", "exited"],
  suspended: [],
  exited: [],
};

/** @throws Error if the table doesn't allow the transition. */
export function transition(from: ExecutionState, to: ExecutionState): ExecutionState {
  if (!NEXT[from].includes(to)) throw new Error(`An execution that is ${from} cannot become ${to}.`);
  return to;
}

/** Returns the state after a commit has finished. */
export function afterStoring(state: ExecutionState): ExecutionState {
  if (state === "storing") return transition(state, "executing");
  return state === "detached" ? transition(state, "suspended") : state;
}

/** Whether a commit is awaited. There is one at a time. */
export const isStoring = (state: ExecutionState) => state === "storing";

/** Whether incoming outcomes and requests are ignored. */
export const isOver = (state: ExecutionState) => state === "detached" || state === "suspended" || state === "exited";

/** Whether incoming outcomes can be stored immediately. */
export const canStore = (state: ExecutionState) => state === "loaded" || state === "executing";

/** How a run ends. */
export interface RunEnd {
  readonly status: RunStatus;
  readonly error: RunError | null;
}

const SUCCEEDED: RunEnd = { status: "succeeded", error: null };

/**
 * Returns how the run ends once all outcomes have settled, or null if it continues.
 * @param requested End that a caller or a deadline requested.
 */
export function endOf(requested: RunEnd | null, progress: Progress): RunEnd | null {
  if (requested !== null) return requested;
  const error = progress.failure();
  if (error !== null) return { status: "failed", error };
  return progress.open() === 0 ? SUCCEEDED : null;
}

/** Whether every open step is waiting. Such a run needs no slot and can be evicted. */
export const onlyWaits = (progress: Progress) => progress.waiting() === progress.open();
