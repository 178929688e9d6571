/** Streams of bytes that callers pass. */
import { wrongField } from "./connection.ts";

/** The pieces of a stream. Not every browser can iterate over a ReadableStream. */
export async function* bytesOf(body: unknown): AsyncGenerator<Uint8Array, void> {
  if (body instanceof ReadableStream) {
    const reader = body.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield checked(next.value);
    } finally {
      await reader.cancel();
    }
  } else if (isIterable(body)) {
    for await (const bytes of body) yield checked(bytes);
  } else checked(body);
}

const isIterable = (body: unknown): body is AsyncIterable<unknown> =>
  typeof body === "object" && body !== null && Symbol.asyncIterator in body;

function checked(bytes: unknown): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes;
  throw wrongField("/body", "Must be a Uint8Array, a Blob, or a stream of Uint8Arrays.");
}
