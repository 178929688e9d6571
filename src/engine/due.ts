/** What becomes of a run whose moment has come: its files have not, or it has taken too long. */
import type { Store } from "../ports/store.ts";
import type { RunError } from "../runs/run.ts";
import { runKey } from "../runs/run-rows.ts";
import { isOver, type RunDocument } from "./run-document.ts";
import { overTime } from "./run-time.ts";

export function createDue(parts: {
  store: Store;
  /** Looks at a run that waits for files. */
  look(runId: string): Promise<void>;
  fail(runId: string, error: RunError): Promise<void>;
}) {
  const { store, look, fail } = parts;
  const find = (runId: string) => store.get<RunDocument>(runKey(runId));
  return {
    dueOf: async (runId: string) => (await find(runId))?.document.due_at ?? null,

    async fell(runId: string): Promise<void> {
      const found = await find(runId);
      if (found === null || isOver(found.document)) return;
      const { awaiting, due_at } = found.document;
      if (awaiting !== undefined) await look(runId);
      else if (due_at !== undefined) await fail(runId, overTime(found.document, Date.parse(due_at)));
    },
  };
}
