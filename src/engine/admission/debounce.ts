/** Combines calls that follow each other: a call replaces the input of a run that an earlier call has created. */
import { rowIds } from "../../documents/documents.ts";
import { isStepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Change, Store, Stored } from "../../ports/store.ts";
import { createSerialQueues } from "../../queues/serial-queues.ts";
import { debouncedRuns, runKey } from "../../runs/run-rows.ts";
import { instant } from "../../time/iso.ts";
import { putRun } from "../state/run-changes.ts";
import { isEnded, type RunDocument } from "../state/run-document.ts";

export interface Debounce {
  /**
   * Gives the run's input to a run that waits for further calls, or creates the run.
   * @param replace Returns further changes for the commit, and the result.
   * @param create Stores the run.
   */
  join<T>(
    run: RunDocument,
    replace: (next: RunDocument) => { readonly changes: readonly Change[]; readonly result: T },
    create: () => Promise<T>,
  ): Promise<T>;
}

export function createDebounce({ store, clock }: { store: Store; clock: Clock }): Debounce {
  const queues = createSerialQueues();

  async function find(workflowId: string, key: string): Promise<Stored<RunDocument> | null> {
    for await (const id of rowIds(store, debouncedRuns(workflowId), { marks: [[key]] })) {
      const found = await store.get<RunDocument>(runKey(id));
      // It may have begun since the row was read.
      if (found?.document.admission?.debounce?.key === key && !isEnded(found.document)) return found;
    }
    return null;
  }

  return {
    join(run, replace, create) {
      const key = run.admission?.debounce?.key;
      if (key === undefined) return create();
      return queues.run(key, async () => {
        for (;;) {
          const found = await find(run.workflow_id, key);
          if (found === null) return create();
          const next = withInputOf(found.document, run, clock.now());
          const { changes, result } = replace(next);
          const change = putRun(next, found.version, found.document);
          try {
            await store.commit([change, ...changes]);
            return result;
          } catch (error) {
            // The run began or was canceled meanwhile.
            if (!isStepwellError(error, "conflict") || error.key !== change.key) throw error;
          }
        }
      });
    },
  };
}

/** Returns the waiting run as if the later call had created it, postponed by a period. */
function withInputOf({ id, created_at, admission: before }: RunDocument, later: RunDocument, now: number): RunDocument {
  const { begins_at: wanted = instant(now), admission } = later;
  const until = before?.debounce?.until ?? wanted;
  const begins_at = wanted < until ? wanted : until;
  const debounce = { key: admission?.debounce?.key ?? "", until };
  const due_at = later.awaiting?.until ?? begins_at;
  const own = { id, created_at, begins_at, due_at, admission: { ...admission, debounce } };
  return { ...later, ...own, status: "waiting", started_at: null };
}
