/** An event as stored, with how far its delivery has come. */
import type { Expiring } from "../documents/expiring-documents.ts";
import { orderOfApp } from "../documents/rows-by-app.ts";
import type { RowChange } from "../ports/store.ts";
import type { Nesting } from "../runs/run-executor.ts";
import type { AppEvent } from "./app-event.ts";

/** How far the delivery of an event has come. */
export interface EventDelivery {
  /** Who is considered now: first the waiting runs, then the workflows. */
  readonly to: "runs" | "workflows";
  /** Position in the list of those; absent at its start. */
  readonly after?: string;
}

/** An event as stored. */
export interface AppEventDocument extends AppEvent, Expiring {
  /** Where the runs are nested that it starts. */
  readonly nesting: Nesting;
  /** Absent once it is delivered. */
  readonly delivery?: EventDelivery;
  /** Digest of its content. Absent without a key. */
  readonly created_with?: string;
}

/** Events that have not been delivered, by app, then by the time at which they were emitted. */
export const UNDELIVERED_EVENTS = "app-events.undelivered";

export const undeliveredRow = ({ id, app_id, created_at }: AppEventDocument): RowChange => ({
  list: UNDELIVERED_EVENTS,
  put: { id, order: orderOfApp(app_id, created_at) },
});
export const deliveredRow = (eventId: string): RowChange => ({ list: UNDELIVERED_EVENTS, delete: eventId });
