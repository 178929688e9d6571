/**
 * Parts of steps: what a step does one after the other, such as the answers and the tool calls of a model, each tried
 * for itself and stored before anything builds on it. A step that runs again finds what it did before.
 */

import type { Attempt, RunSubstep, Substep } from "../compile/step-kind.ts";
import type { SubstepEntry, SubstepId } from "../state/journal.ts";
import type { Outcome } from "../state/step-state.ts";
import { type ExecutableParts, startWithRetries } from "./attempt.ts";

export interface Substeps {
  /** What carries out the parts of one repetition of a step. */
  of(place: SubstepParent, shared: SharedParts): RunSubstep;
  /** Lets go of the parts of a repetition that has settled: nobody asks for them any more. */
  forget(place: SubstepParent): void;
  /** Whether there are outcomes that nothing has stored yet. */
  hasNews(): boolean;
  /** Hands them over; `stored` is to be called when they are. */
  takeNews(): { readonly entries: readonly SubstepEntry[]; stored(): void };
}

/** A repetition of a step, `INDEX.ITERATION`, or a part of one that has parts itself. */
export type SubstepParent = `${number}.${number}` | SubstepId;

/** What the parts of a step have in common with it. */
export type SharedParts = Pick<ExecutableParts, "scope" | "place" | "effects" | "clock">;

interface UnstoredSubstep extends SubstepEntry {
  stored(): void;
}

/**
 * @param before What is stored already.
 * @param came Called when there is news, and when a step has nothing to do itself for a while.
 */
export function createSubsteps(before: ReadonlyMap<SubstepId, Outcome>, came: () => void): Substeps {
  const known = new Map(before);
  let news: UnstoredSubstep[] = [];

  function keep(part: SubstepId, outcome: Outcome): Promise<void> {
    return new Promise((stored) => {
      news.push({ part, outcome, stored });
      came();
    });
  }

  function of(place: SubstepParent, shared: SharedParts): RunSubstep {
    return (part, within) => {
      const id: SubstepId = `${place}.${part.name}`;
      const done = known.get(id);
      if (done === undefined) return carryOut(part, within, id, shared);
      within.log(done.logs ?? []);
      return Promise.resolve(done);
    };
  }

  /** Rejects when the step is to stop, and makes the part stop then. */
  function carryOut(part: Substep, within: Attempt, id: SubstepId, shared: SharedParts): Promise<Outcome> {
    const { signal } = within;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const stop = () => {
        running.stop(signal.reason);
        reject(signal.reason);
      };
      const place = { ...shared.place, idempotencyKey: `${within.idempotencyKey}/${part.name}` };
      const told = {
        logged: (lines: readonly string[]) => within.log(lines),
        wrote: (text: string) => within.wrote(text),
      };
      const attempt = { ...shared, ...told, executable: part, place, perform: of(id, shared) };
      const running = startWithRetries(attempt, async (outcome) => {
        await keep(id, outcome);
        signal.removeEventListener("abort", stop);
        resolve(outcome);
      });
      signal.addEventListener("abort", stop, { once: true });
      if (part.isElsewhere === true) came();
    });
  }

  return {
    of,
    forget(place) {
      for (const part of known.keys()) if (part.startsWith(`${place}.`)) known.delete(part);
    },
    hasNews: () => news.length > 0,
    takeNews() {
      const taken = news;
      news = [];
      return {
        entries: taken,
        stored() {
          for (const { part, outcome, stored } of taken) {
            known.set(part, outcome);
            stored();
          }
        },
      };
    },
  };
}
