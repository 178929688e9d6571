/** A store over a driver, whose reads of chosen documents wait. */
import memoryDriver from "../../../adapters/storage/memory.ts";
import type { Driver } from "../../../src/ports/driver.ts";
import type { Store } from "../../../src/ports/store.ts";
import type { StoreAdapter } from "../../../src/ports/store-adapter.ts";
import type { DriverStoreOptions } from "../../../src/storage/store.ts";
import { openStore } from "./open.ts";

/** @param hold Called before a document is read, with its key. */
export function heldStore(
  driver: Driver,
  hold: (key: string) => Promise<void>,
  options: DriverStoreOptions = {},
): StoreAdapter {
  function createStore(): Store {
    const store = openStore(driver, options);
    return {
      ...store,
      async get(key) {
        await hold(key);
        return store.get(key);
      },
      async getMany(keys) {
        await Promise.all(keys.map(hold));
        return store.getMany(keys);
      },
    };
  }
  return { name: "held", canBeShared: false, createStore, blobs: memoryDriver() };
}
