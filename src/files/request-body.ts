/** The bytes of a request as they come. */
import { StepwellError } from "../errors.ts";

/**
 * Not cancelled when it is left early: the host decides how to get rid of the rest without cutting off the answer. Only
 * the signal cancels it, also while nothing comes, and is what is thrown then.
 * @throws StepwellError `malformed` when the body breaks off
 */
export async function* bytesOf({ body }: Request, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  signal?.throwIfAborted();
  const reader = body.getReader();
  const cancel = () => void reader.cancel(signal?.reason).catch(() => undefined);
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new StepwellError("malformed", "The body broke off before its end.", { cause });
      });
      signal?.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}
