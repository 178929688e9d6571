/** Events as `text/event-stream` (the HTML standard's server-sent events). */
import { StepwellError } from "../errors.ts";
import type { RunEvent } from "./run-event.ts";

/** Milliseconds of silence after which a comment goes out, so that nobody on the way takes the line for dead. */
const KEEP_ALIVE_INTERVAL_MS = 15_000;

/** The number after `Last-Event-ID`, or in `?after=` for those who cannot send headers; else 0. */
export function lastEventId(request: Request): number {
  const given = request.headers.get("last-event-id") ?? new URL(request.url).searchParams.get("after") ?? "0";
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new StepwellError("malformed", "Last-Event-ID must be the id of an event, which is a whole number.");
}

/** @param follower Aborted once the stream has ended, or nobody reads it any more. */
export function eventStream(events: AsyncGenerator<RunEvent>, follower: AbortController): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(": follows a run\n\n"));
      const alive = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(":\n\n"));
      }, KEEP_ALIVE_INTERVAL_MS);
      follower.signal.addEventListener("abort", () => clearInterval(alive), { once: true });
    },
    async pull(controller) {
      try {
        const { done, value } = await events.next();
        if (done !== true) return controller.enqueue(encoder.encode(framed(value)));
      } catch (error) {
        follower.abort();
        throw error;
      }
      follower.abort();
      controller.close();
    },
    async cancel() {
      follower.abort();
      await events.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      // Some proxies hold answers back to send them in larger pieces.
      "x-accel-buffering": "no",
    },
  });
}

/** Events of which the first was taken out already. */
export async function* withFirst(first: RunEvent, others: AsyncGenerator<RunEvent>): AsyncGenerator<RunEvent> {
  try {
    yield first;
    yield* others;
  } finally {
    await others.return(undefined);
  }
}

function framed(event: RunEvent): string {
  const id = event.id === undefined ? "" : `id: ${event.id}\n`;
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
