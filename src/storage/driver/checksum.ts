/** The form of everything that is stored: a checksum, a space, JSON. A torn or changed text is known as such. */
import type { Hash } from "../../ports/hash.ts";

const CHECKSUM_LENGTH = 16;

export interface Seal {
  seal(json: string): string;
  /** The value, or undefined when the text is not one that was sealed. */
  open(text: string): unknown;
}

export function createSeal(hash: Hash): Seal {
  const checksum = (json: string) => hash.sha256(json).slice(0, CHECKSUM_LENGTH);
  return {
    seal: (json) => `${checksum(json)} ${json}`,
    open(text) {
      const json = text.slice(CHECKSUM_LENGTH + 1);
      return text.startsWith(`${checksum(json)} `) ? JSON.parse(json) : undefined;
    },
  };
}
