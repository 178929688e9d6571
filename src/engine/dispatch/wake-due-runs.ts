/** What becomes of a run that waits, and whose moment has come: for its files, or for what it waited for. */
import type { Store } from "../../ports/store.ts";
import { runKey } from "../../runs/run-rows.ts";
import type { RunDocument } from "../state/run-document.ts";

export function createDueRuns(parts: {
  store: Store;
  /** Looks at a run that waits for files. */
  look(runId: string): Promise<void>;
  /** Lets one that waits for a moment go on, or fail if it has taken too long. */
  wake(document: RunDocument): Promise<void>;
}) {
  const { store, look, wake } = parts;
  const find = (runId: string) => store.get<RunDocument>(runKey(runId));
  return {
    dueOf: async (runId: string) => (await find(runId))?.document.due_at ?? null,

    async onDue(runId: string): Promise<void> {
      const found = await find(runId);
      if (found === null || found.document.status !== "waiting") return;
      if (found.document.awaiting !== undefined) await look(runId);
      else await wake(found.document);
    },
  };
}
