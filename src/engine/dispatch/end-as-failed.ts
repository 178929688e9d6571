/** Ends a run that is not in memory as failed, because it cannot be executed or crashes the process. */

import type { Clock } from "../../ports/clock.ts";
import type { Store, Stored } from "../../ports/store.ts";
import type { RunError } from "../../runs/run.ts";
import { instant } from "../../time/iso.ts";
import type { EventBus } from "../events/event-bus.ts";
import { deleteJournal, type Journal } from "../state/journal.ts";
import { putEndedRun } from "../state/run-changes.ts";
import { asFailed, type RunDocument, withSequels } from "../state/run-document.ts";
import { showEnded } from "../state/run-view.ts";
import type { RunCompletion } from "./run-completion.ts";

export type EndAsFailed = (run: Stored<RunDocument>, journal: Journal, error: RunError) => Promise<void>;

export function createEndAsFailed(parts: {
  store: Store;
  clock: Clock;
  completion: RunCompletion;
  bus: Pick<EventBus, "refresh">;
}): EndAsFailed {
  const { store, clock, completion, bus } = parts;
  return async ({ document, version }, { records, largeValues }, error) => {
    const failed = withSequels(asFailed(document, error, instant(clock.now())));
    await store.commit([putEndedRun(failed, version), ...deleteJournal(document.id, records, largeValues)]);
    completion.resolve(failed, () => showEnded(failed, []));
    bus.refresh(document.id);
  };
}
