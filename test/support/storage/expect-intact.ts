/** Expects a storage in which nothing is damaged, lost or orphaned. */
import { expect } from "vitest";
import { repairStorage } from "../../../src/index.ts";
import type { ExtendedDriver } from "../../../src/ports/driver.ts";
import { silent } from "../engine/service.ts";

export async function expectIntact(driver: ExtendedDriver, message?: string): Promise<void> {
  const { checked: _, ...wrong } = await repairStorage({ driver, logger: silent, isDryRun: true });
  expect(wrong, message).toEqual({ damaged: [], rebuilt: [], lost: [], orphaned: [], shared: [], losses: [] });
}
