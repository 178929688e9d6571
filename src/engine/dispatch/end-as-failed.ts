/** Ends a run that is not in memory as failed, because it cannot be executed or crashes the process. */
import type { Clock } from "../../ports/clock.ts";
import type { Change, Key, Store, Stored } from "../../ports/store.ts";
import type { Run, RunError } from "../../runs/run.ts";
import { instant } from "../../time/iso.ts";
import type { EventBus } from "../events/event-bus.ts";
import { deleteJournal, type Journal } from "../state/journal.ts";
import type { Replayed } from "../state/replay.ts";
import { foldRun, putEndedRun } from "../state/run-changes.ts";
import { asFailed, type RunDocument, withSequels } from "../state/run-document.ts";
import { showEnded, showEndedFrom } from "../state/run-view.ts";
import type { RunCompletion } from "./run-completion.ts";

/** @param replayed The progress of the run, which it keeps. A run that cannot be replayed has no steps afterwards. */
export type EndAsFailed = (
  run: Stored<RunDocument>,
  journal: Journal,
  error: RunError,
  replayed?: Replayed,
) => Promise<void>;

interface Failed {
  readonly document: RunDocument;
  readonly changes: readonly Change[];
  /** Large values that the journal names and the run no longer needs. */
  readonly unused: Iterable<Key>;
  readonly show: () => Run;
}

export function createEndAsFailed(parts: {
  store: Store;
  clock: Clock;
  completion: RunCompletion;
  bus: Pick<EventBus, "refresh">;
}): EndAsFailed {
  const { store, clock, completion, bus } = parts;

  return async ({ document, version }, journal, error, replayed) => {
    const at = instant(clock.now());
    const failed =
      replayed === undefined
        ? withoutSteps(document, journal, error, at)
        : withSteps(document, journal, error, at, replayed);
    const { changes, unused, show } = failed;
    await store.commit([
      ...changes,
      putEndedRun(failed.document, version, document),
      ...deleteJournal(document.id, journal.records, unused),
    ]);
    completion.resolve(failed.document, show);
    bus.refresh(document.id);
  };
}

function withoutSteps(before: RunDocument, { largeValues }: Journal, error: RunError, at: string): Failed {
  const document = withSequels(asFailed(before, error, at));
  return { document, changes: [], unused: largeValues, show: () => showEnded(document, []) };
}

function withSteps(
  before: RunDocument,
  { largeValues }: Journal,
  error: RunError,
  at: string,
  { plan, progress }: Replayed,
): Failed {
  const folded = foldRun(before, plan, progress, { status: "failed", error, at }, largeValues);
  return { ...folded, show: () => showEndedFrom(folded.document, plan, progress) };
}
