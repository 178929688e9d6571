/** Repairs the storage of a service. */
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import { historyReferences } from "../collections/history/history-writes.ts";
import { uniqueKeyReferences } from "../collections/records/unique-keys.ts";
import { createIds } from "../ids.ts";
import { consoleLogger } from "../options/console-logger.ts";
import type { Driver } from "../ports/driver.ts";
import type { Logger } from "../ports/logger.ts";
import { type RepairReport, repairStorage as repair } from "../storage/repair/repair.ts";
import { systemClock } from "../time/system-clock.ts";

/** Options of {@link repairStorage}. */
export interface RepairOptions {
  /** The driver of `storage.entities`. Open it for the repair only, and dispose of it afterwards. */
  readonly driver: Driver;
  /** Receives log messages. @default warnings and errors go to the console */
  readonly logger?: Logger;
  /**
   * Whether to only report damage, without taking over or changing the storage.
   * @default false
   */
  readonly isDryRun?: boolean;
}

/**
 * Checks every item of a storage except the bytes of files, and repairs what it can. It first takes over the storage,
 * which fences any process that still uses it. It keeps damaged items under `damaged:GENERATION:KEY`.
 *
 * @example
 * ```ts
 * const driver = fsDriver({ base: ".stepwell" });
 * console.log(await repairStorage({ driver, isDryRun: true }));
 * await driver.dispose?.();
 * ```
 * @throws StepwellError `unavailable` if the driver fails or another process takes over the storage; run the repair
 * again
 */
export function repairStorage({
  driver,
  logger = consoleLogger,
  isDryRun = false,
}: RepairOptions): Promise<RepairReport> {
  const ports = { clock: systemClock, ids: createIds(systemClock), logger, hash: nodeHash };
  const references = { ...uniqueKeyReferences, ...historyReferences };
  return repair({ ...ports, driver, references, isDryRun });
}
