/** A store of its own in place of a driver, such as that of `stepwell/storage/sqlite`. */
import type { Clock } from "./clock.ts";
import type { Driver } from "./driver.ts";
import type { Logger } from "./logger.ts";
import type { Store } from "./store.ts";

/** What a store gets from the service. */
export interface StorePorts {
  /** The clock of the service. */
  readonly clock: Clock;
  /** Receives log messages. */
  readonly logger: Logger;
  /**
   * Whether other processes use the store at the same time: with the option `cluster`. Otherwise the store keeps them out. @default false
   */
  readonly isShared?: boolean | undefined;
}

/** A store that `storage.entities` takes in place of a driver. */
export interface StoreAdapter {
  /** Name in messages, such as `sqlite`. */
  readonly name: string;
  /** Whether several processes can use the store at the same time. */
  readonly canBeShared: boolean;
  /** Creates the store, which opens its files or connections on first use. Called once. */
  createStore(ports: StorePorts): Store;
  /** Driver for the bytes of files, unless `storage.blobs` is set. Without one, `storage.blobs` is required. */
  readonly blobs?: Driver | undefined;
}

export function isStoreAdapter(value: object): value is StoreAdapter {
  return "createStore" in value && typeof value.createStore === "function";
}
