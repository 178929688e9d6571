/** Repairs the storage of a service. */
import { nodeHash } from "../../../adapters/crypto/node-hash.ts";
import { historyReferences } from "../../collections/history/history-writes.ts";
import { uniqueKeyReferences } from "../../collections/records/unique-keys.ts";
import { StepwellError } from "../../errors.ts";
import { createIds } from "../../ids.ts";
import { consoleLogger } from "../../options/console-logger.ts";
import type { Driver } from "../../ports/driver.ts";
import type { Logger } from "../../ports/logger.ts";
import { isStoreAdapter } from "../../ports/store-adapter.ts";
import { createCheckBlob } from "../../storage/blobs/check-blob.ts";
import { repairStorage as repair, type StoreRepair } from "../../storage/repair/repair.ts";
import { systemClock } from "../../time/system-clock.ts";
import { versionNumberReferences } from "../../workflows/version-reader.ts";
import { createLossFinder, type StorageLoss } from "./storage-losses.ts";

/** Options of {@link repairStorage}. */
export interface RepairOptions {
  /** The driver of `storage.entities`. Open it for the repair only, and dispose of it afterwards. */
  readonly driver: Driver;
  /**
   * The driver of `storage.blobs`. A repair reads the bytes of all files and compares them with their size and digest.
   * Null to leave them unread.
   * @default the driver of `entities`
   */
  readonly blobs?: Driver | null;
  /** Receives log messages. @default warnings and errors go to the console */
  readonly logger?: Logger;
  /**
   * Whether to only report damage, without taking over or changing the storage.
   * @default false
   */
  readonly isDryRun?: boolean;
}

/** What a repair found and changed. */
export interface RepairReport extends StoreRepair {
  /**
   * The resources and bytes that are lost, as far as anything that is left refers to them. Also what an earlier repair
   * could not restore, such as the version that a workflow names as its latest one.
   */
  readonly losses: readonly StorageLoss[];
}

/**
 * Checks every item of a storage, the bytes of files included, and repairs what it can. It first takes over the storage,
 * which fences any process that still uses it. It keeps damaged items under `damaged:GENERATION:KEY`, and never changes
 * the bytes of files.
 *
 * @example
 * ```ts
 * const driver = fsDriver({ base: ".stepwell" });
 * console.log(await repairStorage({ driver, isDryRun: true }));
 * await driver.dispose?.();
 * ```
 * @throws StepwellError `invalid` for a store in place of a driver; `unavailable` if the driver fails or another process takes over the storage; run the repair
 * again
 */
export async function repairStorage({
  driver,
  blobs = driver,
  logger = consoleLogger,
  isDryRun = false,
}: RepairOptions): Promise<RepairReport> {
  if (isStoreAdapter(driver)) {
    const instead = "A repair is for drivers. Use the tools of the database; for SQLite, PRAGMA integrity_check.";
    throw new StepwellError("invalid", `The store "${driver.name}" is no driver. ${instead}`);
  }
  const ports = { clock: systemClock, ids: createIds(systemClock), logger, hash: nodeHash };
  const references = { ...uniqueKeyReferences, ...historyReferences, ...versionNumberReferences };
  const checkBlob = blobs === null ? null : createCheckBlob({ ...ports, driver: blobs });
  const { onDocument, find } = createLossFinder(checkBlob);
  let losses: readonly StorageLoss[] = [];
  const onSurvey = async (survey: Parameters<typeof find>[0]) => {
    losses = await find(survey);
  };
  const report = await repair({ ...ports, driver, references, onDocument, onSurvey, isDryRun });
  return { ...report, losses };
}
