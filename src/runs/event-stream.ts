/** Streams events as `text/event-stream` (server-sent events, HTML standard). */
import * as v from "valibot";
import { wholeNumber } from "../documents/pagination.ts";
import { StepwellError } from "../errors.ts";
import { check, strictObject } from "../schema.ts";

/** Milliseconds without an event after which a comment is sent, so that no proxy closes the connection as idle. */
const KEEP_ALIVE_INTERVAL_MS = 15_000;

const MAX_ID = 999_999_999_999_999;

export const AfterQuery = strictObject({
  /** Like the header `Last-Event-ID`, for clients that cannot send it. */
  after: v.exactOptional(wholeNumber(0, MAX_ID)),
});

/** What the format needs of an event. */
interface Streamed {
  /** With a number, a reader can resume after this event. */
  readonly id?: number | string | undefined;
  readonly type: string;
}

/** The id in `Last-Event-ID`, or in `?after=` for clients that cannot send headers; else 0. */
export function lastEventId(request: Request): number {
  const given = request.headers.get("last-event-id");
  if (given === null) {
    const after = new URL(request.url).searchParams.get("after");
    return check(AfterQuery, after === null ? {} : { after }, "query").after ?? 0;
  }
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new StepwellError("malformed", "Last-Event-ID must be the id of an event, which is a whole number.");
}

/**
 * @param abortController Aborted when the stream has ended or the reader has gone.
 * @param opening Comment that is sent at once, so that the reader knows that the stream is open.
 */
export function eventStream(
  events: AsyncGenerator<Streamed>,
  abortController: AbortController,
  opening = "follows a run",
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(`: ${opening}\n\n`));
      // The reader has gone already: nothing would stop the timer.
      if (abortController.signal.aborted) return;
      const keepAlive = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(":\n\n"));
      }, KEEP_ALIVE_INTERVAL_MS);
      abortController.signal.addEventListener("abort", () => clearInterval(keepAlive), { once: true });
    },
    async pull(controller) {
      try {
        const { done, value } = await events.next();
        if (done !== true) return controller.enqueue(encoder.encode(formatEvent(value)));
      } catch (error) {
        abortController.abort();
        throw error;
      }
      abortController.abort();
      controller.close();
    },
    async cancel() {
      abortController.abort();
      await events.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      // Prevents proxies from buffering the stream.
      "x-accel-buffering": "no",
    },
  });
}

/**
 * Opens a stream. The controller that `open` gets is aborted when the client disconnects, also before the response, and when
 * opening fails: what it watches does not outlast the request.
 */
export async function openStream(
  disconnected: AbortSignal | undefined,
  open: (controller: AbortController) => Promise<Response>,
): Promise<Response> {
  const controller = new AbortController();
  if (disconnected?.aborted === true) controller.abort();
  else disconnected?.addEventListener("abort", () => controller.abort(), { once: true });
  try {
    return await open(controller);
  } catch (error) {
    controller.abort();
    throw error;
  }
}

/**
 * Like {@link eventStream}, for a reader that may resume. An `EventSource` reconnects after the end, until it gets 204 (HTML
 * §9.2.3).
 * @param mayBeOver Whether the reader may have seen all events.
 */
export async function resumedStream(
  events: AsyncGenerator<Streamed>,
  abortController: AbortController,
  mayBeOver: boolean,
): Promise<Response> {
  const first = mayBeOver ? await events.next() : null;
  if (first?.done !== true) return eventStream(first === null ? events : prepend(first.value, events), abortController);
  abortController.abort();
  return new Response(null, { status: 204 });
}

/** Puts an event back in front of the events that follow it. */
async function* prepend<Event>(first: Event, others: AsyncGenerator<Event>): AsyncGenerator<Event> {
  try {
    yield first;
    yield* others;
  } finally {
    await others.return(undefined);
  }
}

/**
 * The texts of events, by the object that all followers share. Each encodes its own bytes: who reads a stream may take the
 * memory of a chunk for itself.
 */
const texts = new WeakMap<Streamed, string>();

function formatEvent(event: Streamed): string {
  const text = texts.get(event) ?? textOf(event);
  texts.set(event, text);
  return text;
}

function textOf(event: Streamed): string {
  const id = typeof event.id === "number" ? `id: ${event.id}\n` : "";
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
