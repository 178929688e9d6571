/** The one place where changes become events: a store that derives the events of each commit. */

import { withCommit } from "../documents/with-commit.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import { type Change, changesDocument, type DerivedChange, type Document, type Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { describeChange, isDescribed, kindOf, type OriginalEvent } from "./describe-changes.ts";
import type { EventOutbox } from "./event-outbox.ts";
import type { Listeners } from "./listeners.ts";

const isPurge = ({ key }: Change | DerivedChange) => kindOf(key) === "deleted-app";

/** The app of a change; none for a deletion, of which the document must be read first. */
const appOf = ({ document }: Change): string[] =>
  document !== null && "app_id" in document && typeof document.app_id === "string" ? [document.app_id] : [];

/**
 * A store that stores events for webhooks with the changes that cause them, and calls listeners afterwards. If an app has
 * neither webhooks nor listeners, this costs nothing. Otherwise, each document is read before a commit changes it.
 */
export function createEventStore(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  listeners: Listeners;
  outbox: EventOutbox;
  /** Called when a commit is stored after another one could not be. */
  onRecovered(): void;
}): Store {
  const { store, clock, ids, listeners, outbox, onRecovered } = parts;
  /** Apps whose data is being purged. A purge causes no events. */
  const purged = new Set<string>();

  /** The document before the change. If the change expects another version, the store rejects the commit. */
  async function documentBefore({ key, expected = null }: Change): Promise<Document | null> {
    return expected === null ? null : ((await store.get(key))?.document ?? null);
  }

  /** Webhooks that another process has stored before the commit begins get its events. */
  async function refresh(appIds: readonly string[], done: Set<string>): Promise<void> {
    if (outbox.refresh === undefined) return;
    for (const appId of appIds) {
      if (!done.has(appId)) await outbox.refresh(appId);
      done.add(appId);
    }
  }

  async function eventsOf(changes: readonly (Change | DerivedChange)[]): Promise<OriginalEvent[]> {
    const events: OriginalEvent[] = [];
    const described = changes.filter(changesDocument).filter(({ key }) => isDescribed(key));
    const refreshed = new Set<string>();
    await refresh(described.flatMap(appOf), refreshed);
    for (const change of described.filter(mayBeWanted)) {
      const drafts = describeChange(change.key, await documentBefore(change), change.document);
      await refresh(
        drafts.map(({ app_id }) => app_id),
        refreshed,
      );
      for (const draft of drafts) {
        const { resource, parent, ...rest } = draft;
        if (purged.has(rest.app_id) || !isWanted(rest.app_id, rest.type, parent)) continue;
        const event = { id: ids.next("evt"), created_at: instant(clock.now()), ...rest };
        events.push({ event, resource, parent });
      }
    }
    return events;
  }

  const isWanted = (appId: string, type: string, parent: string | null) =>
    listeners.has(type) || outbox.hasSubscribers(appId, type, parent);

  /** A deleted document must be read first to know its app. */
  function mayBeWanted(change: Change): boolean {
    const { key, document } = change;
    if (!isDescribed(key)) return false;
    if (!listeners.isEmpty || document === null) return true;
    const [appId] = appOf(change);
    return appId === undefined || outbox.hasWebhooks(appId);
  }

  async function commitWithEvents(changes: readonly (Change | DerivedChange)[]): Promise<void> {
    await outbox.load();
    const events = await eventsOf(changes);
    const stored = events.filter(({ event, parent }) => outbox.hasSubscribers(event.app_id, event.type, parent));
    await store.commit([...changes, ...stored.map(outbox.changeFor)]);
    if (stored.length > 0) outbox.wake();
    for (const { key } of changes.filter(isPurge)) purged.add(key.slice(key.indexOf(":") + 1));
    for (const { event } of events) listeners.publish(event);
  }

  function commit(changes: readonly (Change | DerivedChange)[]): Promise<void> {
    const isKnown = outbox.load() === undefined && outbox.refresh === undefined;
    const mayCauseEvents = isKnown ? mayBeWanted : ({ key }: Change) => isDescribed(key);
    const isPlain = !changes.some((change) => changesDocument(change) && mayCauseEvents(change));
    return isPlain && !changes.some(isPurge) ? store.commit(changes) : commitWithEvents(changes);
  }

  return withCommit(store, (changes) => (store.isFailing ? commit(changes).then(onRecovered) : commit(changes)));
}
