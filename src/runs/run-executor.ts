/** The interface of the engine for the runs slice. */
import type { ReceivedEvent } from "../app-events/app-event.ts";
import type { Receipt } from "../documents/receipt.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Version } from "../workflows/version.ts";
import type { RunInspector } from "./inspection/run-inspector.ts";
import type { Run } from "./run.ts";
import type { RunEvent } from "./run-event.ts";
import type { RunMetadata, RunTrigger } from "./run-labels.ts";

/** A run to start, completely validated. */
export interface NewRun {
  readonly id: string;
  readonly app: { readonly id: string; readonly name: string };
  readonly version: Version;
  /** Input of the caller. */
  readonly input: JsonObject;
  /** Input for the steps: with defaults, and files as objects. */
  readonly values: JsonObject;
  /** Whether null in `input` counts for an optional field, instead of its default. */
  readonly keepsNull?: boolean;
  /** Files to wait for before the start; null if all exist. */
  readonly awaiting: AwaitedFiles | null;
  /** Key of the input step to start at; null if the version has none. */
  readonly start: string | null;
  readonly parent: ParentRun | null;
  readonly trigger: RunTrigger;
  readonly tags: readonly string[];
  readonly metadata: RunMetadata;
  /** Whether the id is derived from what started the run, so that the run may exist already. */
  readonly hasDerivedId?: true;
  /** The run whose outcomes it keeps, and the step from which it executes everything itself. */
  readonly continues?: { readonly run_id: string; readonly from_step: string };
  /** When it begins at the earliest, ISO 8601. */
  readonly run_at?: string;
  /** Replaces the priority of the workflow's settings. */
  readonly priority?: number;
  /** Where it is nested, for a run without a parent that a step of another run has caused. */
  readonly nesting?: Nesting;
}

/** Where something is nested that a step has caused. */
export interface Nesting {
  /** Number of runs above; 0 outside a run. */
  readonly depth: number;
  /** The topmost run, whose descendants are limited; null outside a run. */
  readonly root_run_id: string | null;
}

/** The parent of a run. */
export interface ParentRun {
  readonly run_id: string;
  /** The topmost run. */
  readonly root_run_id: string;
  /** Number of runs above the new one. */
  readonly depth: number;
}

/** Files that a run waits for before it starts. */
export interface AwaitedFiles {
  readonly file_ids: readonly string[];
  /** When the first of their upload URLs expires, ISO 8601. */
  readonly until: string;
}

/** One wait of an input step: a loop, or a retry of the run, lets it wait again. */
export interface InputWait {
  readonly iteration: number;
  /** How often the run had been retried. */
  readonly retries: number;
}

export interface RetryOptions {
  /** What retries it. It retries the same run only once. */
  readonly by?: string | undefined;
  /** Another version, with the input for its steps. @default the version of the run */
  readonly on?: { readonly version: Version; readonly values: JsonObject } | undefined;
  /** Key of the step from which everything is executed again. @default the steps that have not succeeded */
  readonly from_step?: string | undefined;
}

/** The topmost run has started as many descendants as the limit allows. */
export class DescendantLimitError extends Error {
  override readonly name = "DescendantLimitError";
  readonly code = "descendant_limit";
}

export interface Executor {
  /** What callers can see of runs and their steps in depth. */
  readonly inspector: RunInspector;
  /**
   * Stores a run and starts it. Resolves as soon as it is stored.
   * @throws StepwellError `conflict` if a run with this id exists
   * @throws DescendantLimitError
   */
  start(run: NewRun, receipt: Receipt): Promise<Run>;
  /** Resumes an active run, unless it is in memory already. */
  resume(runId: string): Promise<void>;
  /** The current state of a run, as far as it is stored. @throws StepwellError `not_found` */
  get(runId: string): Promise<Run>;
  /**
   * The run when it has ended; null if the caller must read it. Rejects with the reason of the signal.
   * @throws StepwellError `not_found`
   */
  waitForEnd(runId: string, signal?: AbortSignal): Promise<Run | null>;
  /** Whether this run of this app is in memory. */
  isInMemory(appId: string, runId: string): boolean;
  /** Called when a file has arrived that runs may wait for. Never rejects. */
  onFileReceived(fileId: string): Promise<void>;
  /** Cancels a run. Does not change a run that has ended. Resolves when that is stored. */
  cancel(runId: string): Promise<void>;
  /** Cancels a child of a run. Does nothing if it has ended or does not exist. Resolves when that is stored. */
  cancelChild(runId: string, childId: string): Promise<void>;
  /**
   * The events of a run after the one with this number, past and future, until the run has ended.
   * @throws StepwellError `not_found`
   */
  events(runId: string, after: number, signal?: AbortSignal): AsyncGenerator<RunEvent>;
  /**
   * Retries a failed or canceled run from where it stopped. Completed steps are not executed again.
   * @throws StepwellError `conflict` for a run in another status, or if executed steps differ on the other version;
   * `too_many_requests`; `invalid` for an unknown step
   */
  retry(runId: string, options?: RetryOptions): Promise<void>;
  /**
   * Deletes an ended run.
   * @throws StepwellError `not_found`; `conflict` if it has not ended, or its parent has not
   */
  remove(runId: string): Promise<void>;
  /**
   * Provides an input step in the middle of a run with its values.
   * @param wait The wait that the values are for. @default the current one
   * @throws StepwellError `conflict` if no step with this key is waiting, or it is another wait
   */
  provide(runId: string, stepKey: string, values: JsonValue, wait?: InputWait): Promise<void>;
  /**
   * Gives events to a run. Returns for each how many steps waited for it and go on; 0 if the run has ended or been deleted.
   */
  receive(runId: string, events: readonly ReceivedEvent[]): Promise<readonly number[]>;
}
