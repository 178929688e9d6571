/** Checks the storage that a simulation leaves: nothing is damaged, and every row belongs to one existing document. */
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import { createIds } from "../../src/ids.ts";
import { repairStorage } from "../../src/storage/repair/repair.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { silent } from "../support/engine/service.ts";
import type { World } from "./world.ts";

export async function checkStored({ disk, model }: Pick<World, "disk" | "model">): Promise<void> {
  const { items } = disk;
  const driver = {
    hasItem: (key: string) => items.has(key),
    getItem: (key: string) => items.get(key) ?? null,
    setItem: () => undefined,
    removeItem: () => undefined,
    getKeys: () => [...items.keys()],
  };
  const parts = {
    driver,
    clock: systemClock,
    ids: createIds(systemClock),
    logger: silent,
    hash: nodeHash,
    isDryRun: true,
  };
  const { checked, ...found } = await repairStorage(parts);
  for (const [what, named] of Object.entries(found)) {
    if (named.length > 0) model.violate("stored", `Of ${checked} items these are ${what}: ${named.join(", ")}.`);
  }
}
