/** Looks at both sides of a migration before anything is opened, because opening a storage creates what is not there. */
import { StepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Driver, ExtendedDriver } from "../../ports/driver.ts";
import { isStoreAdapter, type StoreAdapter } from "../../ports/store-adapter.ts";
import { createCallDriver, DEFAULT_TIMEOUT_MS } from "../driver/driver-timeout.ts";
import { CATALOG } from "../keys.ts";

/** Of these, every storage on a driver has one, even if its manifest is lost. */
const ITEMS = ["manifest:a", "manifest:b", `list:${CATALOG}:a`, `list:${CATALOG}:b`, "owner:current"];

/** @throws StepwellError `not_found` if there is no storage, not even an empty one; `unavailable` if a driver fails */
export async function requireSource(entities: Driver | StoreAdapter, clock: Clock): Promise<void> {
  if (await isStorage(entities, clock)) return;
  const place = entities.place ?? `the driver "${entities.name ?? "unnamed"}"`;
  throw new StepwellError(
    "not_found",
    `The source does not exist: there is no storage of Stepwell in ${place}. Check the path, or the URL with its schema or prefix.`,
  );
}

/**
 * Also finds out whether a store can be reached, before the source is read.
 * @throws StepwellError `conflict` if a driver keeps its items among those of others; `unavailable` if a driver fails
 */
export async function requireTarget(entities: Driver | StoreAdapter, clock: Clock): Promise<void> {
  if (isStoreAdapter(entities)) {
    await entities.exists?.();
    return;
  }
  const driver: ExtendedDriver = entities;
  if (driver.peekKeys === undefined || (await isStorage(driver, clock))) return;
  const call = createCallDriver(driver, clock, DEFAULT_TIMEOUT_MS);
  const keys = await call("listing", "", () => driver.peekKeys?.("") ?? []);
  // It may be the place of the bytes already.
  const foreign = keys.find((key) => !key.startsWith("blob:"));
  if (foreign === undefined) return;
  const message = `The target is not empty: ${driver.place ?? "it"} contains "${foreign}". Empty it, or choose another one.`;
  throw new StepwellError("conflict", message);
}

async function isStorage(entities: Driver | StoreAdapter, clock: Clock): Promise<boolean> {
  if (isStoreAdapter(entities)) return (await entities.exists?.()) ?? true;
  for (const item of ITEMS) if (await hasItem(entities, item, clock)) return true;
  return false;
}

function hasItem(driver: ExtendedDriver, key: string, clock: Clock): Promise<boolean> {
  const call = createCallDriver(driver, clock, DEFAULT_TIMEOUT_MS);
  return call("looking for", key, async () =>
    driver.peekKeys === undefined ? driver.hasItem(key, {}) : (await driver.peekKeys(key)).includes(key),
  );
}
