/** The states of a run in memory, and what follows from how far it has come. Pure. */
import type { RunError, RunStatus } from "../../runs/run.ts";
import type { Progress } from "../state/progress.ts";

export type ExecutionState =
  /** Nothing has been started. */
  | "loaded"
  /** Steps are executed, and memory says what the storage says. */
  | "executing"
  /** Outcomes or a status are being stored: what arrives meanwhile is stored next, by the writer that is storing now. */
  | "storing"
  /** The process has stopped waiting for a commit, which may still finish. */
  | "detached"
  /** The process closes: nothing of the run continues here. */
  | "suspended"
  /** It has ended, only waits, is queued, or the storage failed. */
  | "exited";

const NEXT: Readonly<Record<ExecutionState, readonly ExecutionState[]>> = {
  loaded: ["executing", "storing", "suspended", "exited"],
  executing: ["storing", "suspended", "exited"],
  storing: ["executing", "detached", "suspended", "exited"],
  detached: ["suspended", "exited"],
  suspended: [],
  exited: [],
};

/** @throws Error for a transition that the table does not have. */
export function transition(from: ExecutionState, to: ExecutionState): ExecutionState {
  if (!NEXT[from].includes(to)) throw new Error(`An execution that is ${from} cannot become ${to}.`);
  return to;
}

/** Where an execution is once its commit has finished. */
export function afterStoring(state: ExecutionState): ExecutionState {
  if (state === "storing") return transition(state, "executing");
  return state === "detached" ? transition(state, "suspended") : state;
}

/** Whether a commit is awaited: there is one at a time. */
export const isStoring = (state: ExecutionState) => state === "storing" || state === "detached";

/** Whether nothing that comes in counts any more. */
export const isOver = (state: ExecutionState) => state === "detached" || state === "suspended" || state === "exited";

/** Whether what comes in can be stored right away. */
export const canStore = (state: ExecutionState) => state === "loaded" || state === "executing";

/** How a run ends. */
export interface RunEnd {
  readonly status: RunStatus;
  readonly error: RunError | null;
}

const SUCCEEDED: RunEnd = { status: "succeeded", error: null };

/** How the run ends now that all outcomes have settled; null when it continues. @param requested By a caller or a deadline. */
export function endOf(requested: RunEnd | null, progress: Progress): RunEnd | null {
  if (requested !== null) return requested;
  const error = progress.failure();
  if (error !== null) return { status: "failed", error };
  return progress.open() === 0 ? SUCCEEDED : null;
}

/** Whether every open step waits: such a run needs no slot, and can leave memory. */
export const onlyWaits = (progress: Progress) => progress.waiting() === progress.open();
