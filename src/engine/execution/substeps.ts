/**
 * Substeps: sequential units within a step, such as a model's responses and tool calls. Each has its own attempts and
 * is stored before later ones depend on it. When the step is executed again, it gets the stored outcomes.
 */

import { forgetSubsteps, type Outcome, type SubstepId, type SubstepParent } from "../progress/step-state.ts";
import type { SubstepEntry } from "../state/journal.ts";
import { type ExecutableParts, startWithRetries } from "./attempt.ts";
import type { Attempt, AwaitedChild, RunSubstep, Substep } from "./step-context.ts";

export interface Substeps {
  /** Returns the function that executes the substeps of one iteration of a step. */
  runnerOf(parent: SubstepParent, shared: SharedParts): RunSubstep;
  /**
   * Drops the outcomes of a settled iteration, which are no longer needed, or which its next attempt must not get.
   * @param onlyFailed Keeps those that succeeded.
   */
  forget(parent: SubstepParent, onlyFailed?: boolean): void;
  /** Whether there are outcomes that are not stored yet. */
  hasUnstored(): boolean;
  /** Takes the outcomes to store. Call `markStored` once they are stored. */
  drainUnstored(): { readonly entries: readonly SubstepEntry[]; markStored(): void };
}

/** What a step shares with its substeps. */
export type SharedParts = Pick<
  ExecutableParts,
  "scope" | "identity" | "effects" | "clock" | "logger" | "mayBegin" | "children"
>;

interface UnstoredSubstep extends SubstepEntry {
  onStored(): void;
}

/**
 * @param before Outcomes that are stored already.
 * @param onChange Called when there are outcomes to store.
 */
export function createSubsteps(before: ReadonlyMap<SubstepId, Outcome>, onChange: () => void): Substeps {
  const known = new Map(before);
  let unstored: UnstoredSubstep[] = [];

  function untilStored(id: SubstepId, outcome: Outcome): Promise<void> {
    return new Promise((onStored) => {
      unstored.push({ id, outcome, onStored });
      onChange();
    });
  }

  function runnerOf(parent: SubstepParent, shared: SharedParts): RunSubstep {
    return (substep, within) => {
      const id: SubstepId = `${parent}.${substep.name}`;
      const done = known.get(id);
      if (done === undefined) return execute(substep, within, id, shared);
      within.log(done.logs ?? []);
      return Promise.resolve(done);
    };
  }

  /** Stops the substep and rejects when the step must stop. */
  function execute(substep: Substep, within: Attempt, id: SubstepId, shared: SharedParts): Promise<Outcome> {
    const { signal } = within;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = () => {
        running.stop(signal.reason);
        reject(signal.reason);
      };
      const identity = { ...shared.identity, idempotencyKey: `${within.idempotencyKey}/${substep.name}` };
      const onLog = (lines: readonly string[]) => within.log(lines);
      const onDelta = (text: string) => within.emitDelta(text);
      const runSubstep = runnerOf(id, shared);
      const onAwaitChild = (child: AwaitedChild) => within.awaitChild(child);
      const parts = { ...shared, executable: substep, identity, onLog, onDelta, onAwaitChild, runSubstep };
      const running = startWithRetries(parts, async (outcome) => {
        await untilStored(id, outcome);
        signal.removeEventListener("abort", onAbort);
        resolve(outcome);
      });
      if (signal.aborted)
        onAbort(); // the run may have ended as the substep was about to begin
      else signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  return {
    runnerOf,
    forget: (parent, onlyFailed) => forgetSubsteps(known, parent, onlyFailed),
    hasUnstored: () => unstored.length > 0,
    drainUnstored() {
      const taken = unstored;
      unstored = [];
      return {
        entries: taken,
        markStored() {
          for (const { id, outcome, onStored } of taken) {
            known.set(id, outcome);
            onStored();
          }
        },
      };
    },
  };
}
