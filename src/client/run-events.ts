/** Follows the events of a run by fetch, because an `EventSource` cannot send a key. Resumes after lost connections. */
import type { FollowOptions, RunsApi } from "../api/api.ts";
import { StepwellError } from "../errors.ts";
import type { RunEvent } from "../runs/run-event.ts";
import { anySignal } from "./backoff.ts";
import { type Connection, type Outgoing, reasonOf } from "./connection.ts";
import { MAX_SILENCE_MS, readEvents } from "./event-stream.ts";
import { ROUTES } from "./routes.ts";
import { fillPath, rowOf } from "./table-row.ts";
import { ENDED } from "./wait-until-ended.ts";

/** A run may be silent for days, and proxies close idle streams: after so long, that is no failure. */
const MIN_LIFE_MS = 5_000;

export function createRunEvents(connection: Connection): RunsApi["events"] {
  return (appId, runId, options = {}) => {
    const stopped = new AbortController();
    const signal = anySignal(options.signal, stopped.signal);
    const iterator = events();
    const { return: end } = iterator;
    // A generator alone waits for the next event.
    iterator.return = (value) => {
      stopped.abort();
      return end.call(iterator, value);
    };
    return iterator;

    async function* events(): AsyncGenerator<RunEvent, void> {
      try {
        yield* follow(connection, appId, runId, { ...options, signal });
      } catch (error) {
        // This signal ends the iteration. That of the client is an error, as for other calls.
        if (signal?.aborted !== true || connection.signal?.aborted === true) throw error;
      } finally {
        stopped.abort();
      }
    }
  };
}

async function* follow(
  connection: Connection,
  appId: string,
  runId: string,
  { after = 0, signal }: Omit<FollowOptions, "signal"> & Pick<Outgoing, "signal">,
): AsyncGenerator<RunEvent, void> {
  const { method, path: template } = rowOf(ROUTES.runs, "events");
  const path = fillPath(template, [appId, runId]);
  const aborting = anySignal(connection.signal, signal);
  let last = String(after);
  let failures = 0;
  for (;;) {
    const headers = { accept: "text/event-stream", "last-event-id": last };
    const outgoing = { method, path, headers, timeoutMs: MAX_SILENCE_MS, signal };
    const opened = await connection.attempt(outgoing, (response) => response);
    let error = CLOSED;
    if (opened instanceof StepwellError) error = opened;
    else {
      // The run has ended, and no event follows.
      if (opened.status === 204) return;
      const stream = readEvents(opened, connection.maxResponseBytes);
      const openedAt = performance.now();
      let hasEvents = false;
      let hasEnded = false;
      try {
        for (;;) {
          const next = await stream.next().catch(lost);
          aborting?.throwIfAborted();
          if (next instanceof StepwellError) error = next;
          if (next instanceof StepwellError || next.done === true) break;
          const event = next.value.data as RunEvent; // by the route
          hasEvents = true;
          hasEnded = ENDED.test(event.type);
          failures = 0;
          last = next.value.id ?? last;
          yield event;
        }
      } finally {
        await stream.return();
      }
      if (hasEnded) return;
      // A proxy has closed the stream. Or the key has lost access, which the next attempt shows.
      if (error === CLOSED && (hasEvents || performance.now() - openedAt >= MIN_LIFE_MS)) failures = -1;
    }
    await connection.pause(++failures, error, signal);
  }
}

const CLOSED = new StepwellError("unavailable", "The stream of events ends at once.", {
  headers: { "retry-after": "1" },
});

/** A broken stream is resumed. What Stepwell would not send is an error. */
function lost(cause: unknown): StepwellError {
  if (cause instanceof StepwellError) throw cause;
  return new StepwellError("unavailable", `The stream of events broke: ${reasonOf(cause)}.`, { cause });
}
