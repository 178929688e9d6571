/**
 * How many runs there may be below one: a workflow that runs itself twice has 2¹⁶ of them before it is nested too deep.
 * The runs stand in a list of their own, so that the number is known after a restart as well.
 */
import { StepwellError } from "../../errors.ts";
import type { Store } from "../../ports/store.ts";
import { runKey, runsBelow } from "../../runs/run-rows.ts";
import { StepError } from "../step-error.ts";

export interface DescendantLimit {
  /**
   * Stores a run below this root.
   * @param put Stores the run, with its row in {@link runsBelow}.
   * @throws StepError `descendant_limit`
   * @throws StepwellError `conflict` when a run with this id is there already: then the limit does not matter.
   */
  add(rootId: string, runId: string, put: () => Promise<void>): Promise<void>;
}

/** Of a root while runs below it are being stored: nobody else stores any. */
interface Count {
  /** Stored before. */
  readonly before: Promise<number>;
  /** Stored, or being stored, since. */
  added: number;
  users: number;
}

export function createDescendantLimit(store: Store, limit: number): DescendantLimit {
  const counts = new Map<string, Count>();

  function countOf(rootId: string): Count {
    const known = counts.get(rootId);
    if (known !== undefined) return known;
    const before = store.list(runsBelow(rootId), { limit: 1 }).then(({ total = 0 }) => total);
    const count: Count = { before, added: 0, users: 0 };
    counts.set(rootId, count);
    return count;
  }

  async function refusal(rootId: string, runId: string): Promise<Error> {
    // A step that runs again finds the run that it started.
    if ((await store.get(runKey(runId))) !== null) return new StepwellError("conflict", `Run ${runId} already exists.`);
    const most = limit.toLocaleString("en");
    const message = `Run ${rootId} has started ${most} descendant runs, the limit that limits.descendantRuns sets.`;
    return new StepError("descendant_limit", message);
  }

  return {
    async add(rootId, runId, put) {
      const count = countOf(rootId);
      count.users++;
      try {
        const before = await count.before;
        if (before + count.added >= limit) throw await refusal(rootId, runId);
        count.added++;
        try {
          await put();
        } catch (error) {
          count.added--;
          throw error;
        }
      } finally {
        count.users--;
        if (count.users === 0) counts.delete(rootId);
      }
    },
  };
}
