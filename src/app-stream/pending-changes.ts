/** Changes that wait to be passed on: only the last one of each resource, and not more than a limit. */
import { type AppChange, subjectOf } from "./app-change.ts";

/** A change, with the version of the document that it has led to: it tells the order of changes by several processes. */
export interface NotedChange {
  readonly change: AppChange;
  readonly version: number;
}

export interface PendingChanges {
  /** Replaces an earlier change of the same resource. Beyond the limit, all are dropped, and the next one says so. */
  add(noted: NotedChange): void;
  /** Removes and returns the change that has waited longest; undefined if none waits. */
  shift(): NotedChange | undefined;
  /** Removes and returns all. */
  take(): readonly NotedChange[];
}

/** Maximum number of changes that wait: more than a page of any list, and about a megabyte at most. */
export const MAX_PENDING = 500;

const RESET = "stream.reset";

export const missingAt = (at: string): NotedChange => ({ change: { type: RESET, at }, version: 0 });

export function createPendingChanges(): PendingChanges {
  const bySubject = new Map<string, NotedChange>();

  function add(noted: NotedChange): void {
    const { change } = noted;
    const subject = subjectOf(change);
    const earlier = bySubject.get(subject);
    const isFull = earlier === undefined && bySubject.size >= MAX_PENDING;
    if (isFull || change.type === RESET) {
      bySubject.clear();
      bySubject.set(RESET, missingAt(change.at));
      return;
    }
    // The subject keeps its place, so that one that keeps changing is sent as soon as the others.
    bySubject.set(subject, { ...noted, change: merged(earlier?.change, change) });
  }

  function shift(): NotedChange | undefined {
    const [first] = bySubject;
    if (first === undefined) return undefined;
    bySubject.delete(first[0]);
    return first[1];
  }

  return {
    add,
    shift,
    take() {
      const all = [...bySubject.values()];
      bySubject.clear();
      return all;
    },
  };
}

/** Readers still learn that the resource is new. */
function merged(earlier: AppChange | undefined, later: AppChange): AppChange {
  const isNew = earlier?.type.endsWith(".created") === true && later.type.endsWith(".changed");
  return isNew ? ({ ...later, type: earlier.type } as AppChange) : later; // both are of the same resource
}
