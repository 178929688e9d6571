/** The interface of telemetry adapters. Types only. */
import type { Flush } from "../ports/store-adapter.ts";
import type { Run } from "./run.ts";

/** Receives what a service does, for traces and metrics. Stepwell logs errors that it throws. */
export interface Telemetry {
  /** Called each time a run ends, including child runs and retried runs, after the end is stored. */
  runEnded(run: Run): void;
  /**
   * Called once, when the service is created.
   * @param load Returns the load of the service at the moment of the call.
   */
  created?(load: () => ServiceLoad): void;
  /** Called after each commit to the storage. */
  committed?(commit: CommitTiming): void;
  /** Called after each flush, which writes the commits of one moment together. Not called by storages that write each alone. */
  flushed?(flush: Flush): void;
}

/** How many runs a service executes and queues. Runs that wait for a moment, an input or an event don't count. */
export interface ServiceLoad {
  /** Runs that execute. */
  readonly running: number;
  /** Runs that wait for a slot. */
  readonly queued: number;
  /** How long the first of them has waited, in milliseconds; 0 if none is queued. */
  readonly oldestQueuedMs: number;
  /** The cluster, as this process sees it. Undefined without the option `cluster`. */
  readonly cluster?: ClusterLoad | undefined;
}

/** All processes of a cluster together, as one of them saw them last, which is up to a few seconds ago. */
export interface ClusterLoad {
  /** Whether this process does what is needed once in the cluster. One at a time does, so its numbers can stand for all. */
  readonly isKeeper: boolean;
  /** Runs that no worker has taken. */
  readonly queued: number;
  /** How long the keeper has seen the first of them wait, in milliseconds; 0 if there is none. */
  readonly oldestQueuedMs: number;
  /** Processes that execute runs. */
  readonly workers: number;
  /** Processes that only serve requests. */
  readonly others: number;
  /** Processes that this one has found lost since it started: they did not respond, so others took over their runs. */
  readonly lost: number;
}

/** A commit to the storage. */
export interface CommitTiming {
  /** `conflict`: another request changed the same document; it is repeated. `failed`: the storage is unavailable. */
  readonly outcome: "stored" | "conflict" | "failed";
  /** From the call to its end, including the wait for others that are stored together. */
  readonly milliseconds: number;
}
