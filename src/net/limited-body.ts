/** A response body that fails if it exceeds a limit or arrives too slowly. */
import { isStepwellError, StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import { createIdleTimer, MIN_PROGRESS_BYTES } from "../time/idle-timer.ts";

export interface BodyLimits {
  readonly maxBytes: number;
  /** Milliseconds in which {@link MIN_PROGRESS_BYTES} bytes or the end must arrive. */
  readonly idleMs: number;
  /** Name of the server in messages. */
  readonly name: string;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
}

/** The same bytes, on demand. */
export function limitBody(source: ReadableStream<Uint8Array>, limits: BodyLimits): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let size = 0;
  let slow: StepwellError | undefined;
  const idleTimer = createIdleTimer(limits.clock, limits.idleMs, () => {
    slow = tooSlow(limits);
    reader.cancel(slow).catch(() => undefined); // ends a pending read
  });

  async function next(): Promise<Uint8Array | undefined> {
    idleTimer.startWaiting();
    const { value } = await reader.read();
    if (slow !== undefined) throw slow;
    if (value === undefined) return undefined;
    idleTimer.receive(value.byteLength);
    size += value.byteLength;
    if (size > limits.maxBytes) throw tooLarge(limits);
    return value;
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const bytes = await next();
          if (bytes !== undefined) return controller.enqueue(bytes);
          idleTimer.stop();
          controller.close();
        } catch (error) {
          idleTimer.stop();
          reader.cancel(error).catch(() => undefined); // the error is already known
          limits.signal?.throwIfAborted();
          throw isStepwellError(error) ? error : broken(limits, error);
        }
      },
      cancel(reason) {
        idleTimer.stop();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

export function tooLarge({ name, maxBytes }: Pick<BodyLimits, "name" | "maxBytes">): StepwellError {
  return new StepwellError("too_large", `The response of ${name} exceeds the limit of ${maxBytes} bytes.`);
}

function tooSlow({ name, idleMs }: BodyLimits): StepwellError {
  return new StepwellError("fetch_failed", `${name} sent less than ${MIN_PROGRESS_BYTES} bytes within ${idleMs} ms.`);
}

function broken({ name }: BodyLimits, cause: unknown): StepwellError {
  return new StepwellError("fetch_failed", `The response of ${name} was cut off or does not match its headers.`, {
    cause,
  });
}
