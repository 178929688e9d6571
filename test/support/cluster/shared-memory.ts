/** A store in memory that several services of one process share. */
import memoryDriver from "../../../adapters/storage/memory.ts";
import type { ExtendedDriver } from "../../../src/ports/driver.ts";
import type { Store } from "../../../src/ports/store.ts";
import type { StoreAdapter } from "../../../src/ports/store-adapter.ts";
import { createMemoryData, createMemoryStore } from "../../../src/storage/memory-store.ts";

export function sharedMemory(data = createMemoryData()): StoreAdapter {
  const { dispose: _, ...driver } = memoryDriver();
  const blobs: ExtendedDriver = { ...driver, canBeShared: true };
  let store: Store | undefined;
  return {
    name: "shared memory",
    canBeShared: true,
    createStore({ clock }) {
      store ??= createMemoryStore({ clock, data });
      return { ...store, close: async () => undefined };
    },
    blobs,
  };
}
