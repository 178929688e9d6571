/** Streams of bytes that programs pass, which may not be type-checked. */
import type { StepwellError } from "../errors.ts";
import { invalid } from "../messages/field-errors.ts";

export function isStream(body: unknown): body is AsyncIterable<unknown> {
  return (
    typeof body === "object" &&
    body !== null &&
    Symbol.asyncIterator in body &&
    typeof body[Symbol.asyncIterator] === "function"
  );
}

/** The same pieces. @throws StepwellError `invalid` for a piece that is no Uint8Array */
export async function* bytesOnly(body: AsyncIterable<unknown>): AsyncGenerator<Uint8Array, void> {
  for await (const bytes of body) {
    if (!(bytes instanceof Uint8Array)) throw notBytesError(bytes);
    yield bytes;
  }
}

export const BYTES_EXPECTED = "Must be a Uint8Array or a stream of Uint8Arrays such as blob.stream()";

export function notBytesError(value: unknown): StepwellError {
  const kind = typeof value === "object" ? (value?.constructor?.name ?? "null") : typeof value;
  return invalid([{ pointer: "/body", message: `${BYTES_EXPECTED}, not ${kind}.` }]);
}
