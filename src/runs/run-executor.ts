/** What the runs slice asks of whatever carries runs out. Types only. */
import type { Receipt } from "../documents/receipt.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Version } from "../workflows/version.ts";
import type { Run } from "./run.ts";
import type { RunEvent } from "./run-event.ts";

/** A run that is to be: everything is decided and checked. */
export interface NewRun {
  readonly id: string;
  readonly app: { readonly id: string; readonly name: string };
  readonly version: Version;
  /** As given. */
  readonly input: JsonObject;
  /** As the steps see it: with defaults, files as objects. */
  readonly values: JsonObject;
  /** Files that are to come first; null when all are there. */
  readonly awaiting: AwaitedFiles | null;
  /** The input step to start at; null where the version has none. */
  readonly start: string | null;
  readonly parent: ParentRun | null;
  /** Runs within runs that led to it, where it is part of none; left out, it came from outside. */
  readonly depth?: number;
}

/** What a run is part of. */
export interface ParentRun {
  readonly run_id: string;
  /** The run furthest above. */
  readonly root_run_id: string;
  /** How many runs stand above the one that is to be. */
  readonly depth: number;
}

/** Files that a run waits for before it begins. */
export interface AwaitedFiles {
  readonly file_ids: readonly string[];
  /** When the first of their addresses closes, ISO 8601. */
  readonly until: string;
}

export interface Executor {
  /**
   * Stores a run and starts it. Settles as soon as it is stored.
   * @throws StepwellError `conflict` when a run with this id is there already.
   */
  start(run: NewRun, receipt: Receipt): Promise<Run>;
  /** Carries on with a run that is stored as under way, unless that is being done already. */
  takeUp(runId: string): Promise<void>;
  /** A run as it stands; nothing that is not stored is told. @throws StepwellError `not_found` */
  get(runId: string): Promise<Run>;
  /**
   * The run when it has ended, or null when it has to be read. Rejects with the reason of the signal.
   * @throws StepwellError `not_found`
   */
  ended(runId: string, signal?: AbortSignal): Promise<Run | null>;
  /** Whether this run of this app is in memory just now. */
  isUnderWay(appId: string, runId: string): boolean;
  /** A file has come that runs may wait for. Never rejects. */
  fileCame(fileId: string): Promise<void>;
  /** Stops a run; one that has ended stays as it is. Settles when that is stored. */
  cancel(runId: string): Promise<void>;
  /**
   * What has happened in a run since the event with this number, and what happens from now on, until it has ended.
   * @throws StepwellError `not_found`
   */
  events(runId: string, after: number, signal?: AbortSignal): AsyncGenerator<RunEvent>;
  /**
   * Lets a run that failed or was canceled go on from there; what has succeeded is not done again.
   * @throws StepwellError `conflict` for any other run, `too_many_requests`
   */
  retry(runId: string): Promise<void>;
  /**
   * Gives an input step in the middle of a run what it waits for.
   * @throws StepwellError `conflict` when no step of this key waits.
   */
  provide(runId: string, stepKey: string, values: JsonValue): Promise<void>;
}
