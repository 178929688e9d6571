/** The functions of `stepwell.events`. */
import type { AppEvent, EventEmit } from "../app-events/app-event.ts";
import type { Page } from "../documents/pagination.ts";
import type { AllOptions, EventListOptions } from "./list-options.ts";

/** Events that resume waiting runs and start workflows. */
export interface EventsApi {
  /**
   * Emits an event. Resolves when the event is stored. Stepwell then resumes every run that waits for it, once, and
   * starts every workflow that it triggers. Events are kept for seven days.
   * @throws StepwellError `conflict` if the `key` belongs to an event with other content
   * @example `await stepwell.events.emit(app.id, { name: "order.paid", subject: order.id, payload: { total: 12 } })`
   */
  emit(appId: string, input: EventEmit): Promise<AppEvent>;
  /** Lists the events of an app from the last seven days, newest first. */
  list(appId: string, options?: EventListOptions): Promise<Page<AppEvent>>;
  /** Iterates over all events, as {@link list} lists them, page by page. */
  listAll(appId: string, options?: AllOptions<EventListOptions>): AsyncIterable<AppEvent>;
  /** Returns an event with the runs that it started and the number of runs that it resumed. */
  get(appId: string, eventId: string): Promise<AppEvent>;
}
