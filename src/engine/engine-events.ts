/** The events that go up to the engine, each with the one handler that answers it. Types only. */
import type { StepwellError } from "../errors.ts";
import type { Run } from "../runs/run.ts";
import type { RunDocument } from "./state/run-document.ts";

export interface EngineHandlers {
  /** An outcome of a run is stored. */
  onOutcomeStored(runId: string): void;
  /** A run has left memory: called once for each execution, when nothing of it is left to do here. */
  onRunExit(runId: string, reason: ExitReason): void;
  /** A stored run has been admitted to its slot. */
  onSlotFree(document: RunDocument): void;
  /** The time has come at which a waiting run is due. */
  onRunDue(runId: string): Promise<void>;
}

/** Why a run has left memory. */
export type ExitReason =
  | { readonly kind: "ended"; readonly show: () => Run }
  /** Every open step waits. */
  | { readonly kind: "waiting"; readonly due: string | undefined }
  /** It needs a slot to continue. */
  | { readonly kind: "queued"; readonly document: RunDocument }
  /** The storage failed; what is stored is right. */
  | { readonly kind: "lost"; readonly error: StepwellError };
