/** Ends a run that is not in memory as failed: it cannot be carried out, or it kills the process. */

import type { Clock } from "../../ports/clock.ts";
import type { Store } from "../../ports/store.ts";
import type { RunError } from "../../runs/run.ts";
import { instant } from "../../time/iso.ts";
import { deleteJournal, type Journal } from "../state/journal.ts";
import { asBrokenOff, putEndedRun, type RunDocument, showEnded } from "../state/run-document.ts";
import type { RunCompletion } from "./run-completion.ts";

export function createEndAsFailed({ store, clock, waiters }: { store: Store; clock: Clock; waiters: RunCompletion }) {
  return async (
    document: RunDocument,
    version: number,
    { records, values }: Journal,
    error: RunError,
  ): Promise<null> => {
    const last = asBrokenOff(document, error, instant(clock.now()));
    await store.commit([putEndedRun(last, version), ...deleteJournal(document.id, records, values)]);
    waiters.tell(document.id, () => showEnded(last, []));
    return null;
  };
}
