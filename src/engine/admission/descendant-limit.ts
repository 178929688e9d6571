/**
 * Limits the number of descendants of a run: child runs, and runs of rules for records that its steps wrote. A workflow
 * that runs itself twice would create 2¹⁶ runs before it reaches the nesting limit. Descendants are stored in a separate list,
 * so the count survives a restart.
 */
import { StepwellError } from "../../errors.ts";
import { groupedDigits } from "../../messages/grouped-digits.ts";
import type { Store } from "../../ports/store.ts";
import { DescendantLimitError } from "../../runs/run-executor.ts";
import { runKey, runsBelow } from "../../runs/run-rows.ts";

export interface DescendantLimit {
  /**
   * Stores a descendant of this root.
   * @param put Stores the run, with its row in {@link runsBelow}.
   * @throws DescendantLimitError
   * @throws StepwellError `conflict` if a run with this ID exists already; the limit doesn't matter then.
   */
  add(rootId: string, runId: string, put: () => Promise<void>): Promise<void>;
}

/** The count of one root, kept while its descendants are being stored. Nothing else stores any meanwhile. */
interface Count {
  /** Number stored before. */
  readonly before: Promise<number>;
  /** Number stored or being stored since. */
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
    // A step that is executed again finds the run that it started before.
    if ((await store.get(runKey(runId))) !== null) return new StepwellError("conflict", `Run ${runId} already exists.`);
    const maximum = groupedDigits(limit);
    const message = `Run ${rootId} has started ${maximum} descendant runs, the limit set by limits.descendantRuns.`;
    return new DescendantLimitError(message);
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
