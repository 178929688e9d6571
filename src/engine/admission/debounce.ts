/** Combines calls that follow each other: a call replaces the input of a run that an earlier call has created. */
import { rowIds } from "../../documents/documents.ts";
import { isStepwellError } from "../../errors.ts";
import type { Change, Store, Stored } from "../../ports/store.ts";
import { createSerialQueues } from "../../queues/serial-queues.ts";
import { debouncedRuns, runKey } from "../../runs/run-rows.ts";
import { asNotBegun, isEnded, type RunDocument } from "../state/run-document.ts";
import type { RunAdmission } from "../state/stored-admission.ts";
import type { DecisionLock } from "./decision-lock.ts";

export interface Debounce {
  /**
   * Gives the run's input to a run that waits for further calls, or creates the run.
   * @param replace Stores the waiting run with its next input.
   * @param create Stores the run, with these changes.
   */
  join<T>(
    run: RunDocument,
    replace: (next: RunDocument, before: Stored<RunDocument>) => Promise<T>,
    create: (changes: readonly Change[]) => Promise<T>,
  ): Promise<T>;
}

/** A run that waits for further calls. */
interface Debounced extends Stored<RunDocument> {
  /** When it begins at the latest, ISO 8601. */
  readonly until: string;
}

export function createDebounce({ store, lock }: { store: Store; lock: DecisionLock }): Debounce {
  const queues = createSerialQueues();

  async function find(workflowId: string, key: string): Promise<Debounced | null> {
    for await (const id of rowIds(store, debouncedRuns(workflowId), { marks: [[key]] })) {
      const found = await store.get<RunDocument>(runKey(id));
      const debounce = found?.document.admission?.debounce;
      // It may have begun since the row was read.
      if (found !== null && debounce?.key === key && !isEnded(found.document))
        return { ...found, until: debounce.until };
    }
    return null;
  }

  return {
    join(run, replace, create) {
      const { begins_at, admission } = run;
      const key = admission?.debounce?.key;
      if (key === undefined || begins_at === undefined) return create([]);
      const decide = async () => {
        for (;;) {
          const locking = await lock.take(key, run.app_id);
          const found = await find(run.workflow_id, key);
          if (found === null) return create(locking);
          const { document, until } = found;
          const postponed = { begins_at: begins_at < until ? begins_at : until, debounce: { key, until } };
          try {
            return await replace(withInputOf(document, run, postponed), found);
          } catch (error) {
            // The run began or was canceled meanwhile.
            if (!isStepwellError(error, "conflict") || error.key !== runKey(document.id)) throw error;
          }
        }
      };
      return queues.run(key, () => lock.run(key, decide));
    },
  };
}

/** Returns the waiting run as if the later call had created it. */
function withInputOf(
  { id, created_at }: RunDocument,
  later: RunDocument,
  { begins_at, debounce }: { readonly begins_at: string; readonly debounce: NonNullable<RunAdmission["debounce"]> },
): RunDocument {
  const due_at = later.awaiting?.until ?? begins_at;
  const own = { id, created_at, begins_at, admission: { ...later.admission, debounce } };
  return asNotBegun({ ...later, ...own }, "waiting", due_at);
}
