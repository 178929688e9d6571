/**
 * Connects the processes that share a store: carries jobs to workers, and messages to everyone. Nothing it carries is the
 * only record of anything. A lost job is added again from the store, and a lost message only delays what waits for it.
 */
import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";

/** Work for one worker. */
export interface Job {
  /**
   * Of a job that waits, is delayed or is being handled, no second one with this ID is added, whatever its kind. Free again
   * shortly after the handler has settled: what becomes due until then needs another ID. Letters, digits, `_`, `-` and `.`
   * only.
   */
  readonly id: string;
  /** What to do. The name of the job on dashboards. */
  readonly kind: JobKind;
  /** IDs of runs, separated by spaces, or name of the list of timers. */
  readonly subject: string;
  /** Milliseconds until a worker may take it, by the clocks of two machines: it may be early, too. @default 0 */
  readonly delayMs?: number | undefined;
  /** Lower numbers are taken first, from 0 to 2,000,000; equal ones in the order in which they were added. @default 0 */
  readonly priority?: number | undefined;
}

/** `run`: executes runs. `timers`: handles the due timers of a list. */
export type JobKind = "run" | "timers";

/** What a connection gets from the service. */
export interface ClusterPorts {
  /** The clock of the service. */
  readonly clock: Clock;
  /** Receives log messages. */
  readonly logger: Logger;
}

/** `later`: this process has no room for the job at the moment. Soon, any worker gets it again. */
export type JobOutcome = "done" | "later";

/** How this process works, as `work` of the connection is called. */
export interface WorkOptions {
  /** Maximum number of jobs that this process handles at the same time. */
  readonly concurrency: number;
  /**
   * Handles a job. The job ends when this resolves with `done`, or rejects.
   * @param signal Aborts when another worker may have been given the job: because this one did not respond for too long, or
   * the connection closes.
   */
  handle(job: Pick<Job, "id" | "kind" | "subject">, signal: AbortSignal): Promise<JobOutcome>;
}

/** A connection of one process. */
export interface ClusterConnection {
  /**
   * Adds jobs.
   * @throws StepwellError `unavailable` if the queue does not respond in time. Some of the jobs may have been added.
   */
  add(jobs: readonly Job[]): Promise<void>;
  /** Starts to take jobs. Called at most once. Keeps trying if the queue does not respond. */
  work(options: WorkOptions): void;
  /** Takes no more jobs, not even if `work` is called later. Jobs that are being handled go on. */
  stopTaking(): Promise<void>;
  /** Sends a message to all processes, this one included. Never throws; messages may be lost. At most 8 KiB. */
  publish(message: string): void;
  /** Calls the listener for each message. Called once. */
  subscribe(listener: (message: string) => void): void;
  /** Why only other settings let this process add and take jobs; null if they may be right, also during an outage. */
  problem(): string | null;
  /**
   * Ends the connection. Jobs that are still being handled are given back to the queue.
   * @param timeUp When it resolves, nothing waits for the queue any longer.
   */
  close(timeUp: Promise<void>): Promise<void>;
}

/** What the option `cluster` takes, such as `bullmq()` of `stepwell/cluster`. */
export interface ClusterAdapter {
  /** Name in messages, such as `bullmq`. */
  readonly name: string;
  /** Host and number of this process, such as `web-1:4242`, for operators. */
  readonly processName: string;
  /** Whether this process executes runs. If not, it only serves requests. */
  readonly work: boolean;
  /** Maximum number of runs that this process executes at the same time. @default `limits.concurrentRuns` */
  readonly concurrency?: number | undefined;
  /** Connects. Called once. */
  connect(ports: ClusterPorts): ClusterConnection;
}
