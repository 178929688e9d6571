/** Hashes and decodes long texts in parts. Between them, others get their turn of the event loop. */
import type { HashStream } from "../ports/hash.ts";

/** Called after each part. */
export type Pause = () => Promise<void> | null;

/** Bytes of a part: less than a millisecond. */
const PART_BYTES = 256 * 1024;

export async function hashInParts(digest: HashStream, bytes: Uint8Array, pause: Pause): Promise<string> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    digest.update(bytes.subarray(at, at + PART_BYTES));
    await pause();
  }
  return digest.digest();
}

export async function decodeInParts(bytes: Uint8Array, pause: Pause): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    parts.push(decoder.decode(bytes.subarray(at, at + PART_BYTES), { stream: true }));
    await pause();
  }
  return parts.join("") + decoder.decode();
}
