/**
 * Limits the memory of a WebAssembly module with a limit that can change. The standard supports only a fixed maximum.
 */

export interface MemoryCap {
  /** Allows this many bytes in addition to the initial memory. */
  set(bytes: number): void;
  clear(): void;
  /** Whether the memory has grown to more than this many bytes in addition to the initial memory. */
  isAbove(bytes: number): boolean;
}

const PAGE_BYTES = 65536;

/** Emscripten grows memory by calling `grow`, and treats an error as out of memory. */
export function createMemoryCap(memory: WebAssembly.Memory): MemoryCap {
  const grow = memory.grow.bind(memory);
  const start = memory.buffer.byteLength;
  let limit = Number.POSITIVE_INFINITY;
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE_BYTES > limit)
      throw new RangeError("The code reached its memory limit.");
    return grow(pages);
  };
  return {
    set(bytes) {
      limit = start + bytes;
    },
    clear() {
      limit = Number.POSITIVE_INFINITY;
    },
    isAbove: (bytes) => memory.buffer.byteLength > start + bytes,
  };
}
