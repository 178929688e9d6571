/** Holds the memory of a WebAssembly module below a ceiling that can be moved, which the standard only knows fixed. */

export interface MemoryCap {
  /** Allows so many bytes beyond what the module began with. */
  set(bytes: number): void;
  lift(): void;
}

const PAGE_BYTES = 65536;

/** Emscripten grows memory through `grow` of its object, and takes an error as "there is no more". */
export function createMemoryCap(memory: WebAssembly.Memory): MemoryCap {
  const grow = memory.grow.bind(memory);
  const start = memory.buffer.byteLength;
  let most = Number.POSITIVE_INFINITY;
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE_BYTES > most)
      throw new RangeError("The code reached its memory limit.");
    return grow(pages);
  };
  return {
    set(bytes) {
      most = start + bytes;
    },
    lift() {
      most = Number.POSITIVE_INFINITY;
    },
  };
}
