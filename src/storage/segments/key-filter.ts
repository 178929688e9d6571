/**
 * A Bloom filter of the keys of a segment: says that a key is certainly not in it, or may be. A key that is in no segment
 * is looked for without reading any, except for one in a hundred.
 */

export type KeyFilter = Uint8Array;

const BITS_PER_KEY = 10;
const HASHES = 5;

export function createKeyFilter(keys: readonly string[]): KeyFilter {
  const filter = new Uint8Array(Math.ceil((keys.length * BITS_PER_KEY) / 8) + 1);
  for (const key of keys) {
    const step = hashOf(key, STEP_SEED) | 1;
    for (let hash = hashOf(key, HASH_SEED), count = 0; count < HASHES; count++, hash = (hash + step) >>> 0) {
      const bit = hash % (filter.length * 8);
      filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  }
  return filter;
}

export function mayContain(filter: KeyFilter, key: string): boolean {
  const step = hashOf(key, STEP_SEED) | 1;
  for (let hash = hashOf(key, HASH_SEED), count = 0; count < HASHES; count++, hash = (hash + step) >>> 0) {
    const bit = hash % (filter.length * 8);
    if (((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

const HASH_SEED = 0x811c9dc5;
const STEP_SEED = 0x9747b28c;

/** FNV-1a, with a last step that spreads the low bits. */
function hashOf(key: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
