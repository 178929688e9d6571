/** The one place where changes become events: a store that knows what each commit stands for. */
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Change, Document, Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { describeChange, isDescribed, kindOf, type Origin } from "./describe-changes.ts";
import type { StepwellEvent } from "./event.ts";
import type { Listeners } from "./listeners.ts";

/** An event with what decides who gets it. */
export interface OriginalEvent extends Origin {
  readonly event: StepwellEvent;
}

const isPurge = ({ key }: Change) => kindOf(key) === "deleted-app";

/**
 * A store that tells listeners what has happened once it is stored. Costs nothing while nobody listens: otherwise, it reads
 * each document that a commit changes, as it was before.
 */
export function createEventStore(parts: { store: Store; clock: Clock; ids: Ids; listeners: Listeners }): Store {
  const { store, clock, ids, listeners } = parts;
  /** Apps whose data is being deleted, which nobody is told. */
  const purged = new Set<string>();

  /** The document before the change. If the change expects another version, the store refuses it. */
  async function documentBefore({ key, expected = null }: Change): Promise<Document | null> {
    return expected === null ? null : ((await store.get(key))?.document ?? null);
  }

  async function eventsOf(changes: readonly Change[]): Promise<OriginalEvent[]> {
    const events: OriginalEvent[] = [];
    for (const change of changes) {
      if (!isDescribed(change.key)) continue;
      for (const draft of describeChange(change.key, await documentBefore(change), change.document)) {
        const { resource, parent, ...rest } = draft;
        if (purged.has(rest.app_id) || !listeners.hears(rest.type)) continue;
        const event = { id: ids.next("evt"), created_at: instant(clock.now()), ...rest };
        events.push({ event, resource, parent });
      }
    }
    return events;
  }

  async function commitWithEvents(changes: readonly Change[]): Promise<void> {
    const events = await eventsOf(changes);
    await store.commit(changes);
    notePurges(changes);
    for (const { event } of events) listeners.tell(event);
  }

  /** The purge of an app begins with a commit of its marker, also after a restart. */
  function notePurges(changes: readonly Change[]): void {
    for (const { key } of changes.filter(isPurge)) purged.add(key.slice(key.indexOf(":") + 1));
  }

  return {
    get isFailing() {
      return store.isFailing;
    },
    get: store.get,
    getMany: store.getMany,
    commit(changes) {
      const isTold = !listeners.isEmpty && changes.some(({ key }) => isDescribed(key));
      return isTold || changes.some(isPurge) ? commitWithEvents(changes) : store.commit(changes);
    },
    list: store.list,
    listDocuments: store.listDocuments,
    close: store.close,
  };
}
