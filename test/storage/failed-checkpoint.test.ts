/** Checkpoints that fail after part of them was stored: later ones never lose documents of a log that was cut. */
import { describe, expect, it } from "vitest";
import memoryDriver from "../../adapters/storage/memory.ts";
import type { ExtendedDriver } from "../../src/ports/driver.ts";
import { openStore } from "../support/storage/open.ts";

/** A storage that can be set to reject writes. */
function storage() {
  const items = memoryDriver();
  let refuses: (key: string) => boolean = () => false;
  const refused: string[] = [];
  const driver: ExtendedDriver = {
    ...items,
    // The next process opens the same items.
    dispose: () => undefined,
    setItem: async (key, value, options) => {
      if (refuses(key)) {
        refused.push(key);
        throw new Error("the disk is broken");
      }
      return items.setItem?.(key, value, options);
    },
  };
  return { driver, refused, refuse: (which: (key: string) => boolean) => (refuses = which) };
}

describe("a checkpoint that stored its manifest in only one of two copies", () => {
  it("loses no document when the next checkpoint fails before its manifest", async () => {
    const { driver, refused, refuse } = storage();
    const options = { checkpointRecords: 2 };
    const store = openStore(driver, options);
    const put = async (key: `thing:${string}`) => store.commit([{ key, document: { key }, expected: null }]);
    await put("thing:a");
    // Rejects the second copy of the manifest, which says that the log is cut after "a" and "b".
    let manifests = 0;
    refuse((key) => key.startsWith("manifest:") && ++manifests === 2);
    await put("thing:b");
    await expect.poll(() => refused.length).toBe(1);
    // From here on the storage rejects manifests, but stores the documents of the next checkpoints.
    refuse((key) => key.startsWith("manifest:"));
    await put("thing:c");
    await put("thing:d");
    await expect.poll(() => refused.length).toBeGreaterThan(1);
    await store.close();

    refuse(() => false);
    const next = openStore(driver, options);
    const found = await next.getMany(["thing:a", "thing:b", "thing:c", "thing:d"]);
    expect(found.map((stored) => stored?.document)).toEqual(["a", "b", "c", "d"].map((id) => ({ key: `thing:${id}` })));
    await next.close();
  });
});
