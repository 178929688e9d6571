/**
 * Where runs execute: in this process alone, or in one of the workers of a cluster. The rest of the engine asks this
 * interface and doesn't know which.
 */
import type { ReceivedEvent } from "../../app-events/app-event.ts";
import type { JsonValue } from "../../json.ts";
import type { Stored } from "../../ports/store.ts";
import type { RunError } from "../../runs/run.ts";
import type { InputWait } from "../../runs/run-executor.ts";
import type { RunDocument } from "../state/run-document.ts";

/** A request to a run in memory. */
export type RunRequest =
  | { readonly kind: "end"; readonly error: RunError | null }
  | { readonly kind: "resume" }
  | { readonly kind: "receive"; readonly events: readonly ReceivedEvent[] }
  | {
      readonly kind: "provide";
      readonly index: number;
      readonly value: JsonValue;
      readonly wait?: InputWait | undefined;
    };

/** What became of a request to another process. */
export type Asked =
  /** @param settled For `receive`: the number of steps that each event has settled. */
  | { readonly kind: "done"; readonly settled: readonly number[] }
  /** The run has left the other process, which has not carried out the request. */
  | { readonly kind: "moved" };

export interface Placement {
  /** `worker` of the runs that execute here. Undefined if this process has the store for itself. */
  readonly worker: string | undefined;
  /** Whether another process that lives executes the run. */
  isElsewhere(document: RunDocument): Promise<boolean>;
  /** Offers a stored run that has no slot here to all workers. Returns false if there are none, so that it is queued here. */
  offer(run: Stored<RunDocument>): boolean;
  /**
   * Sends a request to the process that executes the run.
   * @throws StepwellError what the run throws; `unavailable` if this process closes first
   */
  ask(document: RunDocument, request: RunRequest): Promise<Asked>;
  /** Call this when something here follows the events of a run. Returns a function that ends it. */
  follow(runId: string): () => void;
  /** Call this when an outcome of a run is stored here. */
  onOutcomeStored(runId: string): void;
  /** Call this when a run has ended here. */
  onEnded(runId: string): void;
}

/** A process that has the store for itself. */
export const ALONE: Placement = {
  worker: undefined,
  isElsewhere: async () => false,
  offer: () => false,
  ask: async () => ({ kind: "moved" }),
  follow: () => () => undefined,
  onOutcomeStored: () => undefined,
  onEnded: () => undefined,
};
