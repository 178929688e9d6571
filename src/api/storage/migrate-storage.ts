/** Moves all data of a service to another storage. */
import { nodeHash } from "../../../adapters/crypto/node-hash.ts";
import { openEntities } from "../../compose/storage.ts";
import { StepwellError } from "../../errors.ts";
import { createIds } from "../../ids.ts";
import { consoleLogger } from "../../options/console-logger.ts";
import type { Driver } from "../../ports/driver.ts";
import type { Logger } from "../../ports/logger.ts";
import { isStoreAdapter, type StoreAdapter } from "../../ports/store-adapter.ts";
import { isMovable } from "../../ports/store-contents.ts";
import { createReadProgress } from "../../storage/blobs/read-progress.ts";
import { requireSource, requireTarget } from "../../storage/migrate/look-first.ts";
import { type MigrationProgress, type MigrationSide, migrate } from "../../storage/migrate/migrate.ts";
import { systemClock } from "../../time/system-clock.ts";
import { findBlob } from "./document-bytes.ts";
import { checkMigrationOptions } from "./migration-options.ts";

export type { MigrationProgress };

/** A storage that a migration reads or fills, as in the option `storage` of a service. */
export interface MigratedStorage {
  /** Driver or store for documents. */
  readonly entities: Driver | StoreAdapter;
  /**
   * Driver for the bytes of files.
   * @default the driver of `entities`, or what the store has for them
   */
  readonly blobs?: Driver | undefined;
}

/** Options of {@link migrateStorage}. */
export interface MigrationOptions {
  /** What to copy. It stays as it is. Nothing else may use it meanwhile: stop the service first. */
  readonly from: MigratedStorage;
  /**
   * Where to copy it: an empty storage, or one with an earlier attempt of the same migration, which is resumed. With the
   * same driver for `blobs` as in `from`, the bytes of files stay where they are, and are read once.
   */
  readonly to: MigratedStorage;
  /** Called at least for every 1,000 documents and rows, and for each part of a file. */
  readonly onProgress?: ((progress: MigrationProgress) => void) | undefined;
  /** Ends the migration between two batches. It can be resumed. */
  readonly signal?: AbortSignal | undefined;
  /** Receives log messages. @default warnings and errors go to the console */
  readonly logger?: Logger | undefined;
}

/** What a migration has copied, counted in both storages. */
export interface MigrationReport {
  /** Number of documents. */
  readonly documents: number;
  /** Number of lists that have rows. */
  readonly lists: number;
  /** Number of rows of lists. */
  readonly rows: number;
  /** Number of files and partial uploads. */
  readonly files: number;
  /** Their size in bytes. */
  readonly bytes: number;
  /** Whether it went on with an earlier attempt. */
  readonly isResumed: boolean;
}

/**
 * Copies everything from one storage to another: documents with their versions, lists, and the bytes of files. At the end it
 * reads both and compares them. If it is interrupted, even by `kill -9`, call it again with the same storages: it goes on
 * where it was. Until it has finished, a service refuses to use the target. Disposes of all drivers.
 *
 * @example
 * ```ts
 * await migrateStorage({
 *   from: { entities: fsDriver({ base: ".stepwell" }) },
 *   to: { entities: sqlite({ file: "store.db" }) },
 * });
 * ```
 * @throws StepwellError `invalid` for unknown or invalid options, and for a store that cannot be moved or needs `blobs`;
 * `not_found` if there is no storage in `from`, which is not created; `conflict` if the target contains anything else, or
 * the source changed; `unavailable` if another process uses a storage, a driver fails, or something in
 * the source is damaged, which the message names. The signal's reason if it was aborted.
 */
export async function migrateStorage(options: MigrationOptions): Promise<MigrationReport> {
  checkMigrationOptions(options);
  const { from, to, logger = consoleLogger, onProgress = () => undefined, signal } = options;
  if (from.entities === to.entities) throw new StepwellError("invalid", "from and to must be different storages.");
  const source = bytesOf(from, "from");
  const target = bytesOf(to, "to");
  const sides: OpenSide[] = [];
  const openSide = (storage: MigratedStorage, blobs: Driver | undefined) => {
    const side = open({ ...storage, blobs }, logger);
    sides.push(side);
    return side;
  };
  try {
    await requireSource(from.entities, systemClock);
    await requireTarget(to.entities, systemClock);
    const parts = { findBlob, hash: nodeHash, onProgress, signal, keepsBytes: source === target };
    const { contents, isResumed } = await migrate({
      ...parts,
      from: openSide(from, from.blobs),
      to: openSide(to, to.blobs),
    });
    const { digest: _, ...counts } = contents;
    return { ...counts, isResumed };
  } finally {
    const unopened = [from, to].slice(sides.length).flatMap(({ entities, blobs }) => [ownDriver(entities), blobs]);
    const opened = sides.map(({ blobDriver }) => blobDriver);
    const drivers = new Set([...opened, ...unopened].filter((driver) => driver !== undefined));
    await Promise.allSettled(sides.map(({ store }) => store.close()));
    await Promise.allSettled([...drivers].map(async (driver) => driver.dispose?.()));
  }
}

const ownDriver = (entities: Driver | StoreAdapter) => (isStoreAdapter(entities) ? entities.blobs : entities);

/** The driver of the bytes. */
function bytesOf({ entities, blobs }: MigratedStorage, name: string): Driver {
  const driver = blobs ?? ownDriver(entities);
  if (driver !== undefined) return driver;
  const store = isStoreAdapter(entities) ? entities.name : "";
  const message = `${name}.blobs: The store "${store}" does not store the bytes of files. Pass a driver for them, such as fsDriver().`;
  throw new StepwellError("invalid", message);
}

interface OpenSide extends MigrationSide {
  readonly blobDriver: Driver | undefined;
}

function open({ entities, blobs }: MigratedStorage, logger: Logger): OpenSide {
  const ports = { clock: systemClock, ids: createIds(systemClock), logger, hash: nodeHash, isShared: false };
  const opened = openEntities(blobs === undefined ? {} : { blobs }, entities, ports);
  const { store } = opened;
  if (!isMovable(store)) {
    const name = isStoreAdapter(entities) ? entities.name : "";
    throw new StepwellError("invalid", `The store "${name}" cannot be moved: it does not list what it contains.`);
  }
  const { blobs: files, blobDriver } = opened;
  return {
    store,
    blobs: files,
    blobDriver,
    readProgress: createReadProgress({ driver: opened.bytes, clock: systemClock }),
  };
}
