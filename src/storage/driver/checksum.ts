/** The format of all stored JSON: a checksum, a space, JSON. Detects torn and modified items. */
import type { Hash } from "../../ports/hash.ts";

export const CHECKSUM_CHARS = 16;

export interface ChecksumCodec {
  encode(json: string): string;
  /** Returns the value, or undefined if the checksum doesn't match. */
  decode(text: string): unknown;
  /** Whether the checksum matches. Calls back between the parts of a long text. */
  verify(text: string, pause: () => Promise<void> | null): Promise<boolean>;
}

/** Characters that are hashed at once: about a millisecond. */
const PART_CHARS = 256 * 1024;

export function createChecksumCodec(hash: Hash): ChecksumCodec {
  const checksum = (json: string) => hash.sha256(json).slice(0, CHECKSUM_CHARS);
  return {
    encode: (json) => `${checksum(json)} ${json}`,
    decode(text) {
      const json = text.slice(CHECKSUM_CHARS + 1);
      return text.startsWith(`${checksum(json)} `) ? JSON.parse(json) : undefined;
    },
    async verify(text, pause) {
      const digest = hash.stream();
      const encoder = new TextEncoder();
      for (let start = CHECKSUM_CHARS + 1; start < text.length; ) {
        const end = start + PART_CHARS - (isHalfPair(text, start + PART_CHARS) ? 1 : 0);
        digest.update(encoder.encode(text.slice(start, end)));
        start = end;
        await pause();
      }
      return text.startsWith(`${digest.digest().slice(0, CHECKSUM_CHARS)} `);
    },
  };
}

/** Whether a text that ends here would end within a character. */
const isHalfPair = (text: string, end: number): boolean => /[\ud800-\udbff]/.test(text.charAt(end - 1));
