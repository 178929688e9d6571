/**
 * Substeps: sequential units within a step, such as a model's responses and tool calls. Each has its own attempts and
 * is stored before later ones depend on it. When the step is executed again, it gets the stored outcomes.
 */

import { forgetSubsteps, type Outcome, type SubstepId, type SubstepParent } from "../../progress/step-state.ts";
import type { SubstepEntry } from "../../state/journal.ts";
import type { Attempt, Substep } from "../step-context.ts";
import { Attempts, type AttemptsOwner, type FailedAttempt } from "./attempts.ts";

/** What a step shares with its substeps. */
export interface SharedParts extends Pick<AttemptsOwner, "scope" | "stepKey" | "tools" | "openChild" | "closeChild"> {
  onSubstepRetrying(failed: FailedAttempt): void;
}

export interface UnstoredSubstep extends SubstepEntry {
  onStored(): void;
}

export class Substeps {
  /** Few steps have substeps. */
  private known: Map<SubstepId, Outcome> | undefined;
  private unstored: UnstoredSubstep[] = [];
  private readonly onChange: () => void;

  /**
   * @param before Outcomes that are stored already.
   * @param onChange Called when there are outcomes to store.
   */
  constructor(before: ReadonlyMap<SubstepId, Outcome>, onChange: () => void) {
    if (before.size > 0) this.known = new Map(before);
    this.onChange = onChange;
  }

  /** Executes a substep of one iteration of a step, or resolves with its stored outcome. */
  run(parent: SubstepParent, shared: SharedParts, substep: Substep, within: Attempt): Promise<Outcome> {
    const id: SubstepId = `${parent}.${substep.name}`;
    const done = this.known?.get(id);
    if (done === undefined) return this.execute(substep, within, id, shared);
    within.log(done.logs ?? []);
    return Promise.resolve(done);
  }

  /**
   * Drops the outcomes of a settled iteration, which are no longer needed, or which its next attempt must not get.
   * @param onlyFailed Keeps those that succeeded.
   */
  forget(index: number, iteration: number, onlyFailed: boolean): void {
    if (this.known !== undefined) forgetSubsteps(this.known, `${index}.${iteration}`, onlyFailed);
  }

  /** Whether there are outcomes that are not stored yet. */
  hasUnstored(): boolean {
    return this.unstored.length > 0;
  }

  /** Takes the outcomes to store. Call {@link markStored} with them once they are stored. */
  takeUnstored(): readonly UnstoredSubstep[] {
    const taken = this.unstored;
    if (taken.length > 0) this.unstored = [];
    return taken;
  }

  markStored(substeps: readonly UnstoredSubstep[]): void {
    if (substeps.length === 0) return;
    this.known ??= new Map();
    for (const { id, outcome, onStored } of substeps) {
      this.known.set(id, outcome);
      onStored();
    }
  }

  /** Stops the substep and rejects when the step must stop. */
  private execute(substep: Substep, within: Attempt, id: SubstepId, shared: SharedParts): Promise<Outcome> {
    const { signal } = within;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = () => {
        running.stop(signal.reason);
        reject(signal.reason);
      };
      const running = new Attempts({
        executable: substep,
        scope: shared.scope,
        stepKey: shared.stepKey,
        idempotencyKey: `${within.idempotencyKey}/${substep.name}`,
        tools: shared.tools,
        stored: undefined,
        runSubstep: (inner, attempt) => this.run(id, shared, inner, attempt),
        openChild: (runId) => shared.openChild(runId),
        closeChild: (runId) => shared.closeChild(runId),
        onLog: (lines) => within.log(lines),
        onDelta: (text) => within.emitDelta(text),
        onRetrying: (failed) => shared.onSubstepRetrying(failed),
        onAwaitChild: (child) => within.awaitChild(child),
        onSettled: async (outcome) => {
          await this.untilStored(id, outcome);
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

  private untilStored(id: SubstepId, outcome: Outcome): Promise<void> {
    return new Promise((onStored) => {
      this.unstored.push({ id, outcome, onStored });
      this.onChange();
    });
  }
}
