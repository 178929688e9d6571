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
  /** Called after each flush that was stored, by stores that write several commits together. Must not throw. */
  readonly onFlush?: ((flush: Flush) => void) | undefined;
}

/** Commits that a store has written together. */
export interface Flush {
  /** Number of commits, those with a conflict included. */
  readonly commits: number;
  /** How long the storage took, in milliseconds. */
  readonly milliseconds: number;
}

/** A store that `storage.entities` takes in place of a driver. */
export interface StoreAdapter {
  /** Name in messages, such as `sqlite`. */
  readonly name: string;
  /** Whether several processes can use the store at the same time. */
  readonly canBeShared: boolean;
  /** Where it keeps its data, for messages, such as `the schema "stepwell"`. Without secrets. */
  readonly place?: string;
  /**
   * Whether there is a store, even an empty one. Creates nothing. Without it, a store is assumed to be there.
   * @throws StepwellError `unavailable` if that cannot be found out
   */
  exists?(): Promise<boolean>;
  /** Creates the store, which opens its files or connections on first use. Called once. */
  createStore(ports: StorePorts): Store;
  /** Driver for the bytes of files, unless `storage.blobs` is set. Without one, `storage.blobs` is required. */
  readonly blobs?: Driver | undefined;
}

export function isStoreAdapter(value: object): value is StoreAdapter {
  return "createStore" in value && typeof value.createStore === "function";
}
