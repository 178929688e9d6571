/** The format of all stored JSON: a checksum, a space, JSON. Detects torn and modified items. */

import { concatBytes } from "../../encoding/bytes.ts";
import { encodeInParts, hashInParts, type Pause } from "../../encoding/long-text.ts";
import type { Hash } from "../../ports/hash.ts";

export const CHECKSUM_CHARS = 16;

export interface ChecksumCodec {
  encode(json: string): string;
  /** The same for long JSON, in UTF-8. @param before Put before the checksum. */
  encodeLong(json: string, before: string, pause: Pause): Promise<Uint8Array>;
  /** Returns the value, or undefined if the checksum doesn't match. */
  decode(text: string): unknown;
  /** Whether the checksum of a long text, in UTF-8, matches. */
  verify(bytes: Uint8Array, pause: Pause): Promise<boolean>;
}

export function createChecksumCodec(hash: Hash): ChecksumCodec {
  const checksum = (json: string) => hash.sha256(json).slice(0, CHECKSUM_CHARS);
  return {
    encode: (json) => `${checksum(json)} ${json}`,
    async encodeLong(json, before, pause) {
      const parts = await encodeInParts(json, pause);
      const digest = hash.stream();
      for (const part of parts) {
        digest.update(part);
        await pause();
      }
      const start = new TextEncoder().encode(`${before}${digest.digest().slice(0, CHECKSUM_CHARS)} `);
      return concatBytes([start, ...parts]);
    },
    decode(text) {
      const json = text.slice(CHECKSUM_CHARS + 1);
      return text.startsWith(`${checksum(json)} `) ? JSON.parse(json) : undefined;
    },
    async verify(bytes, pause) {
      const checksum = new TextDecoder().decode(bytes.subarray(0, CHECKSUM_CHARS));
      const digest = await hashInParts(hash.stream(), bytes.subarray(CHECKSUM_CHARS + 1), pause);
      return checksum === digest.slice(0, CHECKSUM_CHARS);
    },
  };
}
