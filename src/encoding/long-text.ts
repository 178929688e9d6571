/** Hashes and decodes long texts in parts. Between them, others get their turn of the event loop. */
import type { HashStream } from "../ports/hash.ts";

/** Called after each part. */
export type Pause = () => Promise<void> | null;

/** Bytes, or characters, of a part: less than a millisecond. */
export const PART_BYTES = 256 * 1024;

export async function hashInParts(digest: HashStream, bytes: Uint8Array, pause: Pause): Promise<string> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    digest.update(bytes.subarray(at, at + PART_BYTES));
    await pause();
  }
  return digest.digest();
}

const encoder = new TextEncoder();

/** Encodes a text. @returns consecutive pieces */
export async function encodeInParts(text: string, pause: Pause): Promise<readonly Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + PART_BYTES;
    // A pair of surrogates is one character.
    const next = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    parts.push(encoder.encode(text.slice(at, next)));
    at = next;
    await pause();
  }
  return parts;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00;

export async function decodeInParts(bytes: Uint8Array, pause: Pause): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    parts.push(decoder.decode(bytes.subarray(at, at + PART_BYTES), { stream: true }));
    await pause();
  }
  return parts.join("") + decoder.decode();
}
