/** Restores the memory of a WebAssembly module in microseconds. Creating a new instance takes hundreds. */
import { Buffer } from "node:buffer";

export interface MemorySnapshot {
  /** Discards everything written since the snapshot. Call it only between calls into the module. */
  restore(): void;
}

/** Unit of growth and comparison, in bytes. */
const PAGE_BYTES = 65536;

/**
 * Static data, the stack and the heap are adjacent. The longest run of empty pages is the unused part of the stack. It
 * is not restored, because it is written before it is read. Memory grown later isn't restored either: the restored heap
 * doesn't reach it, and its allocator clears memory that must be zero.
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
      const now = new Uint8Array(memory.buffer); // growth replaces the buffer
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
