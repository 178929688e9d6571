/** Options that migrateStorage() refuses before it looks at any storage. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import fsDriver from "../../../adapters/storage/fs/fs.ts";
import memoryDriver from "../../../adapters/storage/memory.ts";
import { type MigrationOptions, migrateStorage } from "../../../src/index.ts";
import type { StoreAdapter } from "../../../src/ports/store-adapter.ts";
import { createMemoryData, createMemoryStore } from "../../../src/storage/memory-store.ts";

const base = join("no-such-folder", "stepwell");
const from = { entities: fsDriver({ base }) };
const to = { entities: memoryDriver() };
const store: StoreAdapter = {
  name: "mine",
  canBeShared: false,
  createStore: ({ clock }) => createMemoryStore({ clock, data: createMemoryData() }),
};

describe("migrateStorage", () => {
  it.each<[unknown, string]>([
    [undefined, "The options must be an object."],
    [{ from }, "to: Is required."],
    [{ to }, "from: Is required."],
    [{ from: from.entities, to }, 'from: { entities: fsDriver({ base: ".stepwell" }) }. Received an object.'],
    [{ from, to: store }, "to: Must be an object with a driver or store as entities"],
    [{ from: ".stepwell", to }, "Received a string."],
    [
      { from: { entity: from.entities }, to: { entity: to.entities } },
      "from.entity: Unknown field. A storage has entities and, if needed, blobs.",
    ],
    [{ from, to: { ...to, blob: memoryDriver() } }, 'to.blob: Unknown field. Did you mean "blobs"?'],
    [{ from, to: { ...to, blobs: store } }, "to.blobs: Must be a driver, such as"],
    [{ from, to: { entities: "store.db" } }, "to.entities: Must be a driver or a store, such as"],
    [{ from, to, onprogress: () => undefined }, 'onprogress: Unknown field. Did you mean "onProgress"?'],
    [{ from, to, onProgress: true }, "onProgress: Must be a function. Received true."],
    [{ from, to, signal: new AbortController() }, "signal: Must be the signal of an AbortController."],
    [{ from, to, logger: {} }, "logger: Must be an object with the functions debug()"],
  ])("refuses %j", async (options, message) => {
    await expect(migrateStorage(options as MigrationOptions)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining(message),
    });
    expect(existsSync(base)).toBe(false);
  });
});
