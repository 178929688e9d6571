/** Opens a store for the tests. */
import { nodeHash } from "../../../adapters/crypto/node-hash.ts";
import { createIds } from "../../../src/ids.ts";
import type { Driver } from "../../../src/ports/driver.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import type { Store } from "../../../src/ports/store.ts";
import { createDriverStore, type DriverStoreOptions } from "../../../src/storage/store.ts";
import { systemClock } from "../../../src/time/system-clock.ts";

export const silent: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
function ignore(): void {}
const ids = createIds(systemClock);

export function openStore(driver: Driver, options: DriverStoreOptions = {}): Store {
  return createDriverStore({ driver, clock: systemClock, ids, logger: silent, hash: nodeHash, options });
}
