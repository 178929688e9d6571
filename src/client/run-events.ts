/** Follows the events of a run by fetch, because an `EventSource` cannot send a key. Resumes after lost connections. */
import type { FollowOptions, RunsApi } from "../api/api.ts";
import { StepwellError } from "../errors.ts";
import type { RunEvent } from "../runs/run-event.ts";
import { anySignal } from "./backoff.ts";
import { type Connection, reasonOf } from "./connection.ts";
import { MAX_SILENCE_MS, readEvents } from "./event-stream.ts";
import { ROUTES } from "./routes.ts";
import { fillPath, rowOf } from "./table-row.ts";
import { ENDED } from "./wait-until-ended.ts";

export function createRunEvents(connection: Connection): RunsApi["events"] {
  return async function* events(appId, runId, options = {}) {
    try {
      yield* follow(connection, appId, runId, options);
    } catch (error) {
      // This signal ends the iteration. That of the client is an error, as for other calls.
      if (options.signal?.aborted !== true || connection.signal?.aborted === true) throw error;
    }
  };
}

async function* follow(
  connection: Connection,
  appId: string,
  runId: string,
  { after = 0, signal }: FollowOptions,
): AsyncGenerator<RunEvent, void> {
  const { method, path: template } = rowOf(ROUTES.runs, "events");
  const path = fillPath(template, [appId, runId]);
  const stopped = new AbortController();
  const aborting = anySignal(connection.signal, signal);
  let last = String(after);
  let failures = 0;
  try {
    for (;;) {
      const headers = { accept: "text/event-stream", "last-event-id": last };
      const outgoing = { method, path, headers, timeoutMs: MAX_SILENCE_MS, signal: anySignal(signal, stopped.signal) };
      const opened = await connection.attempt(outgoing, (response) => response);
      let error = opened instanceof StepwellError ? opened : null;
      if (!(opened instanceof StepwellError)) {
        // The run has ended, and no event follows.
        if (opened.status === 204) return;
        const stream = readEvents(opened, connection.maxResponseBytes);
        let hasEnded = false;
        try {
          for (;;) {
            const next = await stream.next().catch(lost);
            aborting?.throwIfAborted();
            if (next instanceof StepwellError) error = next;
            if (next instanceof StepwellError || next.done === true) break;
            const event = next.value.data as RunEvent; // by the route
            hasEnded = ENDED.test(event.type);
            failures = 0;
            last = next.value.id ?? last;
            yield event;
          }
        } finally {
          await stream.return();
        }
        if (hasEnded) return;
      }
      // Without an error, a proxy has closed the stream, perhaps of a run that waits for days. Or the key has lost access,
      // which the next attempt shows.
      failures = error === null ? 0 : failures + 1;
      await connection.pause(failures, error ?? CLOSED, signal);
    }
  } finally {
    stopped.abort();
  }
}

const CLOSED = new StepwellError("unavailable", "The server closed the stream.", { headers: { "retry-after": "1" } });

/** A broken stream is resumed. What Stepwell would not send is an error. */
function lost(cause: unknown): StepwellError {
  if (cause instanceof StepwellError) throw cause;
  return new StepwellError("unavailable", `The stream of events broke: ${reasonOf(cause)}.`, { cause });
}
