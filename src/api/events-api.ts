/** The functions of `stepwell.events`. */
import type { AppEvent, EventEmit } from "../app-events/app-event.ts";
import type { Page } from "../documents/pagination.ts";
import type { EventListOptions } from "./list-options.ts";

/** Events that runs wait for and workflows start on. */
export interface EventsApi {
  /**
   * Emits an event. Resolves when it is stored; it is delivered right after that: every run that waits for it goes on, once, and
   * every workflow that starts on it runs. Events are kept for seven days.
   * @throws StepwellError `conflict` for a `key` whose event has other content
   * @example `await stepwell.events.emit(app.id, { name: "order.paid", subject: order.id, payload: { total: 12 } })`
   */
  emit(appId: string, input: EventEmit): Promise<AppEvent>;
  /** Lists the events of an app of the last seven days. */
  list(appId: string, options?: EventListOptions): Promise<Page<AppEvent>>;
  /** Returns an event with what it has caused. */
  get(appId: string, eventId: string): Promise<AppEvent>;
}
