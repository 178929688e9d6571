/** Events that lower parts of the engine report to it. Types only. */
import type { StepwellError } from "../errors.ts";
import type { Stored } from "../ports/store.ts";
import type { Run } from "../runs/run.ts";
import type { RunDocument } from "./state/run-document.ts";

export interface EngineHandlers {
  /** Called when an outcome of a run is stored. */
  onOutcomeStored(runId: string): void;
  /** Called when it is stored that steps of a run wait for events. */
  onEventWaitsStored(appId: string, runId: string): void;
  /** Called once per execution, when it leaves the run loop. Evicts the run and, unless it is queued, releases its slot. */
  onRunExit(runId: string, reason: ExitReason): void;
  /** Called when a stored run has got a slot. */
  onRunSlot(document: RunDocument): void;
  /** Called when a waiting run is due. */
  onRunDue(runId: string): Promise<void>;
  /** Called when the end of a run is stored. Starts its failure workflow, and runs that it held back. */
  onRunEnded(document: RunDocument): void;
  /** Called for a run that a newer one with its concurrency key overtakes. Cancels it. */
  onRunOvertaken(runId: string): void;
}

/** Why a run was evicted. */
export type ExitReason =
  | { readonly kind: "ended"; readonly document: RunDocument; readonly show: () => Run }
  /** Every open step is waiting. */
  | { readonly kind: "waiting"; readonly stored: Stored<RunDocument> }
  /** The run needs a slot to continue. */
  | { readonly kind: "queued"; readonly stored: Stored<RunDocument> }
  /** Another operation changed the stored run. Its state is correct. */
  | { readonly kind: "changed" }
  /** The storage failed. The stored state is correct. */
  | { readonly kind: "storage_failed"; readonly error: StepwellError };
