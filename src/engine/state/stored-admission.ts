/** What a run must pass before it begins, as stored with it. */
import type { CONCURRENCY_STRATEGIES } from "../../workflows/run-limits.ts";

export interface RateLimit {
  /** Digest of the workflow and the value of the key. */
  readonly key: string;
  readonly limit: number;
  readonly period_ms: number;
}

/** What a run has not passed yet. */
export interface RunAdmission {
  /** Further calls with this key replace the input of the run, and postpone it up to a time (ISO 8601). */
  readonly debounce?: { readonly key: string; readonly until: string };
  /** The rate limit that it has not passed. */
  readonly rate_limit?: RateLimit & {
    /** Identifies its start, once that is decided. Milliseconds since 1970. */
    readonly planned?: number;
  };
}

/** How a run takes part in the concurrency limit of its workflow. */
export type RunConcurrency = ConcurrencyOfRun & (NotEntered | Entered);

interface ConcurrencyOfRun {
  /** Digest of the workflow and the value of the key. */
  readonly key: string;
  readonly limit: number;
  readonly strategy: (typeof CONCURRENCY_STRATEGIES)[number];
}

interface NotEntered {
  /** `undecided`: something else comes first. `exempt`: a run above it has the same key and counts. */
  readonly state: "undecided" | "exempt";
}

/** Counts for the limit, or waits for runs that do. */
interface Entered {
  readonly state: "queued" | "counted";
  /** When the limit was applied to it, ISO 8601. Later than its creation if it first waited for something else. */
  readonly entered_at: string;
}

/** A run that counts for the limit, or waits for those that do. */
export type EnteredConcurrency = ConcurrencyOfRun & Entered;

export const hasEntered = (concurrency: RunConcurrency): concurrency is EnteredConcurrency =>
  concurrency.state === "queued" || concurrency.state === "counted";

/** @param isKept Whether the run is stored in any case: another run needs it, or it first waits for something else. */
export function strategyOf(
  strategy: RunConcurrency["strategy"] = "queue",
  isKept: boolean,
): RunConcurrency["strategy"] {
  return isKept && (strategy === "reject" || strategy === "skip") ? "queue" : strategy;
}

/** How a retried run takes part. It was started before the others, so it cancels none of them. */
export function asUndecided({ key, limit }: RunConcurrency): RunConcurrency {
  return { key, limit, strategy: "queue", state: "undecided" };
}
