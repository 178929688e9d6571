/** A store in memory that several services of one process share. */
import memoryDriver from "../../../adapters/storage/memory.ts";
import type { StoreAdapter } from "../../../src/ports/store-adapter.ts";
import { createMemoryData, createMemoryStore } from "../../../src/storage/memory-store.ts";

export function sharedMemory(): StoreAdapter {
  const data = createMemoryData();
  const { dispose: _, ...blobs } = memoryDriver();
  return {
    name: "shared memory",
    canBeShared: true,
    createStore: ({ clock }) => createMemoryStore({ clock, data }),
    blobs,
  };
}
