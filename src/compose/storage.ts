/** Opens the storage of a service on the host's drivers. */
import memoryDriver from "../../adapters/storage/memory.ts";
import { refuseCreations } from "../apps/refuse-creations.ts";
import type { Watches } from "../apps/watches.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { createGuards, type Guards, NO_GUARDS, versionIn } from "../documents/guards.ts";
import { createSharedUseGuard } from "../documents/shared-use-guard.ts";
import { createUseGuard, type UseGuard } from "../documents/use-guard.ts";
import type { Limits, StorageOptions } from "../options/options.ts";
import { invalidOptions } from "../options/validate-options.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Driver } from "../ports/driver.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Store } from "../ports/store.ts";
import { isStoreAdapter, type StoreAdapter, type StorePorts } from "../ports/store-adapter.ts";
import type { Telemetry } from "../runs/telemetry.ts";
import { createBlobs } from "../storage/blobs/blobs.ts";
import { createOwnership } from "../storage/driver/ownership.ts";
import { createMemoryStore } from "../storage/memory-store.ts";
import { refuseUnfinished } from "../storage/migrate/migration-state.ts";
import { createDriverStore } from "../storage/store.ts";
import type { Duties } from "../time/duties.ts";
import type { ShutdownLimits } from "./shutdown.ts";
import { flushReport, timedStore } from "./telemetry.ts";

/** Dependencies of all parts of a service. */
export interface Base {
  /** Ids of the apps that are known to be deleted, about 100 bytes each. */
  readonly deletedApps: Set<string>;
  readonly store: Store;
  /** Keeps deletions and new uses of a resource apart. */
  readonly uses: UseGuard;
  /** For commits that depend on what other processes may change. */
  readonly guards: Guards;
  /** Ends long responses whose app or key was deleted. */
  readonly watches: Watches;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly hash: Hash;
  readonly logger: Logger;
  readonly baseUrl: string;
  readonly limits: Limits;
  /** Undefined if this process has the store for itself. */
  readonly cluster: Cluster | undefined;
  /** What one process does for all that share the store. */
  readonly duties: Duties;
}

/** What stores are opened with. */
interface StoreParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly hash: Hash;
  readonly logger: Logger;
  /** Whether other processes use the storage at the same time. */
  readonly isShared: boolean;
  readonly onFlush?: StorePorts["onFlush"];
}

interface Ports extends StoreParts {
  readonly telemetry: Telemetry | undefined;
}

export function openStorage(options: StorageOptions, ports: Ports) {
  const opened = openStores(options, ports);
  const deletedApps = new Set<string>();
  const guarded = refuseCreations(timedStore(opened.store, ports), deletedApps, ports.isShared);
  const uses = ports.isShared ? createSharedUseGuard({ ...ports, store: guarded }) : createUseGuard(guarded);
  const { store } = uses;
  const { blobs, blobDriver } = opened;

  return {
    store,
    uses,
    guards: ports.isShared ? createGuards(versionIn(store)) : NO_GUARDS,
    blobs,
    deletedApps,
    async close({ storageTimeUp }: ShutdownLimits): Promise<void> {
      await Promise.all([store.close(storageTimeUp), blobDriver?.dispose?.()]);
    },
  };
}

/** Everything that a service keeps: documents with lists, and the bytes of files. */
interface OpenedStores {
  readonly store: Store;
  readonly blobs: Blobs;
  /** The driver of the bytes. */
  readonly bytes: Driver;
  /** The same, unless the store disposes of it. */
  readonly blobDriver: Driver | undefined;
}

function openStores(options: StorageOptions, { telemetry, ...ports }: Ports): Omit<OpenedStores, "bytes"> {
  const { entities } = options;
  if (entities === undefined) return openMemory(options, ports);
  const onFlush = flushReport({ ...ports, telemetry });
  const opened = openEntities(options, entities, { ...ports, onFlush });
  return { ...opened, store: refuseUnfinished(opened.store) };
}

/** Also opens a storage with an unfinished migration. */
export function openEntities(
  options: StorageOptions,
  entities: Driver | StoreAdapter,
  ports: StoreParts,
): OpenedStores {
  return isStoreAdapter(entities) ? openStore(options, entities, ports) : openDriver(options, entities, ports);
}

function openMemory({ blobs: blobDriver = memoryDriver() }: StorageOptions, ports: StoreParts) {
  const store = createMemoryStore({ clock: ports.clock });
  return { store, blobs: createBlobs({ ...ports, driver: blobDriver }), blobDriver };
}

function openStore(options: StorageOptions, adapter: StoreAdapter, ports: StoreParts): OpenedStores {
  const driver = options.blobs ?? adapter.blobs;
  if (driver === undefined) {
    const such = ports.isShared
      ? "that all processes reach, such as s3Driver() or redisDriver()"
      : "such as fsDriver()";
    const why = `The store "${adapter.name}" does not store the bytes of files. Pass a driver for them, ${such}.`;
    throw invalidOptions([`storage.blobs: ${why}`], []);
  }
  const blobs = createBlobs({ ...ports, driver });
  return { store: adapter.createStore(ports), blobs, bytes: driver, blobDriver: driver };
}

function openDriver(
  { blobs: blobDriver, checkpointRecords }: StorageOptions,
  driver: Driver,
  ports: StoreParts,
): OpenedStores {
  const ownership = createOwnership({ ...ports, driver });
  const store = createDriverStore({ ...ports, driver, ownership, options: { checkpointRecords } });
  const bytes = blobDriver ?? ownership.driver;
  const blobs = createBlobs({ ...ports, driver: bytes, ownership });
  // The store disposes of its own driver.
  return { store, blobs, bytes, blobDriver };
}
