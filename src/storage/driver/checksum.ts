/** The format of all stored JSON: a checksum, a space, JSON. Detects torn and modified items. */
import type { Hash } from "../../ports/hash.ts";

export const CHECKSUM_CHARS = 16;

export interface ChecksumCodec {
  encode(json: string): string;
  /** Returns the value, or undefined if the checksum doesn't match. */
  decode(text: string): unknown;
}

export function createChecksumCodec(hash: Hash): ChecksumCodec {
  const checksum = (json: string) => hash.sha256(json).slice(0, CHECKSUM_CHARS);
  return {
    encode: (json) => `${checksum(json)} ${json}`,
    decode(text) {
      const json = text.slice(CHECKSUM_CHARS + 1);
      return text.startsWith(`${checksum(json)} `) ? JSON.parse(json) : undefined;
    },
  };
}
