/** The form of everything that is stored: a checksum, a space, JSON. A torn or changed text is known as such. */
import type { Hash } from "../../ports/hash.ts";

const CHECKSUM_CHARS = 16;

export interface ChecksumCodec {
  encode(json: string): string;
  /** The value, or undefined when the text is not one that was sealed. */
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
