/** The beginning of a text in any encoding, as the server reads texts that it imports. Pure. */
import { toUtf8 } from "../../../../src/collections/transfer/read-charset.ts";
import { concatBytes } from "../../../../src/encoding/bytes.ts";
import { isStepwellError } from "../../../../src/errors.ts";

/** Bytes that are read: one more than decide on the encoding, which so are known to be cut. */
export const HEAD_BYTES = 65_537;

/**
 * The beginning of a text in UTF-8.
 * @param bytes The first {@link HEAD_BYTES}.
 * @param charset Encoding that its sender declared, if any.
 */
export async function headInUtf8(bytes: Uint8Array, charset?: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of toUtf8(only(bytes), charset)) pieces.push(piece);
  } catch (error) {
    // The last character may be cut.
    if (!isStepwellError(error)) throw error;
  }
  return concatBytes(pieces);
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
