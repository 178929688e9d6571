/** Repairs the storage of a service. */
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import { claimReferences } from "../collections/records/unique-keys.ts";
import { consoleLogger } from "../options/console-logger.ts";
import type { Driver } from "../ports/driver.ts";
import type { Logger } from "../ports/logger.ts";
import { type RepairReport, repairStorage as repair } from "../storage/repair/repair.ts";
import { systemClock } from "../time/system-clock.ts";

export interface RepairOptions {
  /** The driver of `storage.entities`, opened for the repair alone. The caller disposes of it. */
  readonly driver: Driver;
  /** @default the console */
  readonly logger?: Logger;
  /**
   * Only reports what is damaged: neither takes the storage over nor writes.
   * @default false
   */
  readonly isDryRun?: boolean;
}

/**
 * Checks every item of a storage but the bytes of files, and repairs what can be repaired. It takes the storage over first:
 * a service that still uses it is fenced. Damaged items are kept under `damaged:GENERATION:KEY`.
 *
 * @example
 * ```ts
 * const driver = fsDriver({ base: ".stepwell" });
 * console.log(await repairStorage({ driver, isDryRun: true }));
 * await driver.dispose?.();
 * ```
 * @throws StepwellError `unavailable` when the driver failed, or another process took over; run it again then
 */
export function repairStorage({
  driver,
  logger = consoleLogger,
  isDryRun = false,
}: RepairOptions): Promise<RepairReport> {
  return repair({ driver, clock: systemClock, logger, hash: nodeHash, references: claimReferences, isDryRun });
}
