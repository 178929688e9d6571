/** Stores events. event-deliveries.ts delivers them. */
import { type Caller, nestingOf } from "../calls/caller.ts";
import { deleteAllListed, listPage, marksOf, type PageQuery, updateDocument } from "../documents/documents.ts";
import { expiringRow, notExpiringRow } from "../documents/expiring-documents.ts";
import type { Page } from "../documents/pagination.ts";
import type { Receipt } from "../documents/receipt.ts";
import { cut, isStepwellError, notFound, StepwellError } from "../errors.ts";
import { type JsonValue, omitUndefined, sortedJson } from "../json.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Change, Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import {
  type AppEvent,
  type CheckedEventEmit,
  EVENT_RETENTION_MS,
  eventKey,
  eventsOf,
  marksOfEvent,
} from "./app-event.ts";
import { type AppEventDocument, deliveredRow, undeliveredRow } from "./stored-event.ts";

export interface AppEventsQuery extends PageQuery {
  readonly name?: string | undefined;
}

export interface AppEvents {
  /**
   * Stores an event, which is then delivered. Returns the event with this key if the same call emitted it.
   * @throws StepwellError `conflict` if the key's event has other content
   */
  emit(appId: string, input: CheckedEventEmit, caller: Caller, receipt: Receipt): Promise<AppEvent>;
  list(appId: string, query: AppEventsQuery): Promise<Page<AppEvent>>;
  /** @throws StepwellError `not_found` */
  get(appId: string, eventId: string): Promise<AppEvent>;
  /** Deletes all events of a deleted app. */
  deleteAll(appId: string, isStopped: () => boolean): Promise<void>;
}

/** Characters of a key in an error. */
const MAX_SHOWN_CHARS = 100;

/** The change that stores an event. */
export function putEvent(document: AppEventDocument, expected: number | null): Change {
  const { id, app_id, created_at, delivery } = document;
  const key = eventKey(id);
  const put = { id, order: created_at, marks: marksOfEvent(document) };
  const rows = [
    { list: eventsOf(app_id), put },
    expiringRow(key, document),
    delivery === undefined ? deliveredRow(id) : undeliveredRow(document),
  ];
  return { key, document, expected, rows };
}

/** Counts waits that an event has ended after its delivery. Does nothing if it has expired. */
export const countResumed = (store: Store, eventId: string, count: number) =>
  updateDocument<AppEventDocument, void>(store, eventKey(eventId), (found) => ({
    changes:
      found === null
        ? []
        : [putEvent({ ...found.document, runs_resumed: found.document.runs_resumed + count }, found.version)],
    result: undefined,
  }));

function deletion({ id, app_id }: AppEventDocument, version: number): Change {
  const key = eventKey(id);
  const rows = [{ list: eventsOf(app_id), delete: id }, notExpiringRow(key), deliveredRow(id)];
  return { key, document: null, expected: version, rows };
}

export function createAppEvents(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  hash: Hash;
  /** Called when an event of the app is stored. */
  onEmitted(appId: string): void;
}): AppEvents {
  const { store, clock, ids, hash, onEmitted } = parts;

  const isExpired = ({ expires_at }: AppEventDocument) => Date.parse(expires_at) <= clock.now();

  /** The event of a key, if the same call emitted it. */
  async function repeated(id: string, key: string, createdWith: string | undefined): Promise<AppEvent> {
    const found = await store.get<AppEventDocument>(eventKey(id));
    if (found === null) throw new StepwellError("unavailable", "The event is being deleted. Try again.");
    if (found.document.created_with === createdWith) return toEvent(found.document);
    const name = JSON.stringify(cut(key, MAX_SHOWN_CHARS));
    const message = `The key ${name} belongs to the event ${id}, which has other content. Use another key.`;
    throw new StepwellError("conflict", message, { errors: [{ pointer: "/key", message }] });
  }

  return {
    async emit(appId, { key, name, subject = null, payload = {} }, caller, receipt) {
      const now = clock.now();
      const digest = (content: JsonValue) => hash.sha256(sortedJson(content));
      const id = key === undefined ? ids.next("event") : `event_${digest([appId, key]).slice(0, 26)}`;
      const created_with = key === undefined ? undefined : digest([name, subject, payload]).slice(0, 40);
      const document: AppEventDocument = {
        ...{ id, app_id: appId, name, subject, payload, created_at: instant(now), delivered_at: null },
        ...{ runs_resumed: 0, runs_started: [], problems: [], nesting: nestingOf(caller), delivery: { to: "runs" } },
        ...{ expires_at: instant(now + EVENT_RETENTION_MS), listed_in: eventsOf(appId) },
        ...omitUndefined({ created_with }),
      };
      const event = toEvent(document);
      try {
        await store.commit([putEvent(document, null), ...receipt(event)]);
      } catch (error) {
        if (!isStepwellError(error, "conflict") || error.key !== eventKey(id) || key === undefined) throw error;
        return repeated(id, key, created_with);
      }
      onEmitted(appId);
      return event;
    },

    list: (appId, { name, ...query }) =>
      listPage<AppEventDocument, AppEvent>(
        store,
        eventsOf(appId),
        { ...query, marks: marksOf("name", name) },
        eventKey,
        (document) => (isExpired(document) ? null : toEvent(document)),
      ),

    async get(appId, eventId) {
      const found = EVENT_ID.test(eventId) ? await store.get<AppEventDocument>(eventKey(eventId)) : null;
      if (found === null || found.document.app_id !== appId || isExpired(found.document))
        throw notFound("event", eventId);
      return toEvent(found.document);
    },

    deleteAll: (appId, isStopped) =>
      deleteAllListed<AppEventDocument>(store, eventsOf(appId), eventKey, deletion, isStopped),
  };
}

/** The format of generated ids; callers may pass anything. */
const EVENT_ID = /^event_[0-9a-z]{26}$/;

function toEvent(document: AppEventDocument): AppEvent {
  const {
    nesting: _,
    delivery: _delivery,
    created_with: _digest,
    expires_at: _expiry,
    listed_in: _list,
    ...event
  } = document;
  return event;
}
