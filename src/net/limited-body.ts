/** A body that fails when it grows past a limit or comes too slowly. */
import { isStepwellError, StepwellError } from "../errors.ts";

export interface BodyLimits {
  readonly maxBytes: number;
  /** Milliseconds of waiting in which {@link PROGRESS} bytes or the end must come. */
  readonly idle: number;
  /** How the address is called in messages. */
  readonly name: string;
  readonly signal: AbortSignal | undefined;
}

/** Fewer bytes than these are no progress: a server that sends one byte every so often would hold us for days. */
const PROGRESS = 1_024;

/** The same bytes, as they are asked for; only the time spent waiting for the source counts. */
export function limitedBody(source: ReadableStream<Uint8Array>, limits: BodyLimits): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let size = 0;
  let waited = 0;
  let progress = 0;

  async function next(): Promise<Uint8Array | undefined> {
    const start = performance.now();
    const { value } = await within(reader.read(), limits.idle - waited, () => tooSlow(limits));
    if (value === undefined) return undefined;
    size += value.byteLength;
    if (size > limits.maxBytes) throw tooLarge(limits);
    progress += value.byteLength;
    waited += performance.now() - start;
    if (progress >= PROGRESS) waited = progress = 0;
    return value;
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const bytes = await next();
          if (bytes === undefined) controller.close();
          else controller.enqueue(bytes);
        } catch (error) {
          reader.cancel(error).catch(() => undefined); // what matters is already known
          limits.signal?.throwIfAborted();
          throw isStepwellError(error) ? error : broken(limits, error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

export function tooLarge({ name, maxBytes }: Pick<BodyLimits, "name" | "maxBytes">): StepwellError {
  return new StepwellError("too_large", `What ${name} answers is larger than the ${maxBytes} bytes that are allowed.`);
}

function tooSlow({ name, idle }: BodyLimits): StepwellError {
  return new StepwellError("fetch_failed", `${name} sent less than ${PROGRESS} bytes within ${idle} ms.`);
}

function broken({ name }: BodyLimits, cause: unknown): StepwellError {
  return new StepwellError("fetch_failed", `The answer of ${name} broke off, or is not what its headers say.`, {
    cause,
  });
}

async function within<T>(work: Promise<T>, milliseconds: number, error: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(error()), Math.max(0, milliseconds));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
