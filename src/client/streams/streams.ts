/** Streams of events as iterations: of a run, and of what changes in an app. */
import type { AppsApi, RunsApi } from "../../api/api.ts";
import type { AppChange } from "../../app-stream/app-change.ts";
import type { RunEvent } from "../../runs/run-event.ts";
import { anySignal } from "../backoff.ts";
import type { Connection } from "../connection.ts";
import { ROUTES } from "../routes.ts";
import { fillPath, rowOf } from "../table-row.ts";
import { ENDED } from "../wait-until-ended.ts";
import type { Followed } from "./follow.ts";

export function createRunEvents(connection: Connection): RunsApi["events"] {
  const { method, path } = rowOf(ROUTES.runs, "events");
  return (appId, runId, { after = 0, signal } = {}) =>
    iterate<RunEvent>(connection, signal, () => ({
      ...{ method, path: fillPath(path, [appId, runId]), after },
      isLast: ({ type }) => ENDED.test(type),
    }));
}

export function createAppStream(connection: Connection): AppsApi["stream"] {
  const { method, path } = rowOf(ROUTES.apps, "stream");
  return (appId, { signal } = {}) =>
    iterate<AppChange>(connection, signal, () => ({ method, path: fillPath(path, [appId]), isLast: () => false }));
}

/** @param given Ends the iteration. @param follow Called with the first step of the iteration. */
function iterate<Event>(
  connection: Connection,
  given: AbortSignal | undefined,
  follow: () => Followed,
): AsyncGenerator<Event, void> {
  const stopped = new AbortController();
  const signal = anySignal(given, stopped.signal);
  const iterator = events();
  const { return: end } = iterator;
  // A generator alone waits for the next event.
  iterator.return = (value) => {
    stopped.abort();
    return end.call(iterator, value);
  };
  return iterator;

  async function* events(): AsyncGenerator<Event, void> {
    try {
      // Loaded by the first call: a page that follows nothing need not load it.
      const { eventsOf } = await import("./follow.ts");
      yield* eventsOf(connection, { ...follow(), signal }) as AsyncGenerator<Event, void>; // by the route
    } catch (error) {
      // This signal ends the iteration. That of the client is an error, as for other calls.
      if (signal?.aborted !== true || connection.signal?.aborted === true) throw error;
    } finally {
      stopped.abort();
    }
  }
}
