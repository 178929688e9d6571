/** Puts the memory of a WebAssembly module back to what it was: in microseconds, where making it anew takes hundreds. */
import { Buffer } from "node:buffer";

export interface MemorySnapshot {
  /** Whatever was written since is gone. Only between calls into the module. */
  restore(): void;
}

/** What memory grows by, and what is looked at as one. */
const PAGE_BYTES = 65536;

/**
 * Static data, the stack and the heap follow each other. The longest run of pages without content is the part of the
 * stack that was not used yet; it is left out, because nothing is read from there before it is written. So is what was
 * grown later: the heap that is put back does not reach there, and its allocator clears what it promises to be clear.
 */
export function takeSnapshot(memory: WebAssembly.Memory): MemorySnapshot {
  const all = new Uint8Array(memory.buffer);
  const used = usedPages(all);
  const stack = longestGap(used);
  const copies = [
    { start: 0, end: stack.start },
    { start: stack.end, end: (used.at(-1) ?? -1) + 1 },
  ].map(({ start, end }) => ({ start: start * PAGE_BYTES, bytes: all.slice(start * PAGE_BYTES, end * PAGE_BYTES) }));
  return {
    restore() {
      const now = new Uint8Array(memory.buffer); // another one after each growth
      for (const { start, bytes } of copies) now.set(bytes, start);
    },
  };
}

function usedPages(all: Uint8Array): readonly number[] {
  const empty = new Uint8Array(PAGE_BYTES);
  const pages = Array.from({ length: all.length / PAGE_BYTES }, (_, page) => page);
  return pages.filter((page) => Buffer.compare(all.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES), empty) !== 0);
}

function longestGap(used: readonly number[]): { readonly start: number; readonly end: number } {
  let longest = { start: 0, end: 0 };
  for (const [index, end] of used.entries()) {
    const start = (used[index - 1] ?? -1) + 1;
    if (end - start > longest.end - longest.start) longest = { start, end };
  }
  return longest;
}
