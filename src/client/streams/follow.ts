/** Follows a stream of events by fetch, because an `EventSource` cannot send a key. Resumes after lost connections. */
import { StepwellError } from "../../errors.ts";
import { anySignal } from "../backoff.ts";
import { type Connection, type Outgoing, reasonOf } from "../connection.ts";
import { MAX_SILENCE_MS, readEvents } from "./event-stream.ts";

/** A stream may be silent for days, and proxies close idle streams: after so long, that is no failure. */
const MIN_LIFE_MS = 5_000;

/** How a stream is read. */
export interface Followed extends Pick<Outgoing, "method" | "signal"> {
  readonly path: string;
  /** Id of the last event that the caller has; undefined for a stream that sends nothing again. */
  readonly after?: number | undefined;
  /** Whether nothing follows an event. */
  readonly isLast: (event: { readonly type: string }) => boolean;
}

/** The data of each event, until the last one. Ends when the server has nothing more to send. */
export async function* eventsOf(
  connection: Connection,
  { method, path, after, isLast, signal }: Followed,
): AsyncGenerator<unknown, void> {
  const aborting = anySignal(connection.signal, signal);
  const headers: Record<string, string> = { accept: "text/event-stream" };
  if (after !== undefined) headers["last-event-id"] = String(after);
  let failures = 0;
  for (;;) {
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
          const { data, id } = next.value;
          hasEvents = true;
          hasEnded = isLast(data as { type: string }); // checked when it was read
          failures = 0;
          if (id !== null) headers["last-event-id"] = id;
          yield data;
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
