/**
 * Substeps: sequential units within a step, such as a model's responses and tool calls. Each has its own attempts and
 * is stored before later ones depend on it. When the step is executed again, it gets the stored outcomes.
 */

import { forgetSubsteps, type Outcome, type SubstepId, type SubstepParent } from "../progress/step-state.ts";
import type { SubstepEntry } from "../state/journal.ts";
import { Attempts, type AttemptsOwner } from "./attempts.ts";
import type { Attempt, RunSubstep, Substep } from "./step-context.ts";

export interface Substeps {
  /** Executes a substep of one iteration of a step, or resolves with its stored outcome. */
  run(parent: SubstepParent, shared: SharedParts, ...substep: Parameters<RunSubstep>): Promise<Outcome>;
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
export type SharedParts = Pick<AttemptsOwner, "scope" | "stepKey" | "tools" | "children">;

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

  const run: Substeps["run"] = (parent, shared, substep, within) => {
    const id: SubstepId = `${parent}.${substep.name}`;
    const done = known.get(id);
    if (done === undefined) return execute(substep, within, id, shared);
    within.log(done.logs ?? []);
    return Promise.resolve(done);
  };

  /** Stops the substep and rejects when the step must stop. */
  function execute(substep: Substep, within: Attempt, id: SubstepId, shared: SharedParts): Promise<Outcome> {
    const { scope, stepKey, tools, children } = shared;
    const { signal } = within;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = () => {
        running.stop(signal.reason);
        reject(signal.reason);
      };
      const running = new Attempts({
        ...{ scope, stepKey, tools, children },
        executable: substep,
        idempotencyKey: `${within.idempotencyKey}/${substep.name}`,
        stored: undefined,
        runSubstep: (inner, attempt) => run(id, shared, inner, attempt),
        onLog: (lines) => within.log(lines),
        onDelta: (text) => within.emitDelta(text),
        onAwaitChild: (child) => within.awaitChild(child),
        async onSettled(outcome) {
          await untilStored(id, outcome);
          signal.removeEventListener("abort", onAbort);
          resolve(outcome);
        },
      });
      running.start();
      // The run may have ended as the substep was about to begin.
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  return {
    run,
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
