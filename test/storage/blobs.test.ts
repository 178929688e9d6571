/** The contract of blobs on every driver, and how they use a driver: concurrency, backpressure and errors. */
import memory from "unstorage/drivers/memory";
import { describe, expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import type { ExtendedDriver } from "../../src/ports/driver.ts";
import { createBlobs } from "../../src/storage/blobs/blobs.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { sample } from "../support/sample.ts";
import { BLOCK, type BlobsFixture, blobsContract, bytes, readAll } from "../support/storage/blobs-contract.ts";
import { KINDS } from "../support/storage/drivers.ts";

/** Growing files, blocks of a driver that has no own way, and each server. */
for (const kind of sample(KINDS, ["memory (unstorage)", "fs", "redis", "s3"])) {
  const createFixture = async (): Promise<BlobsFixture> => {
    const storage = await kind.createStorage();
    const driver: ExtendedDriver = storage.open();
    const logged: string[] = [];
    const logger = { error: (message: string) => void logged.push(message) };
    const open = () => createBlobs({ driver, hash: nodeHash, clock: systemClock, logger, blockSize: BLOCK });
    return {
      logged,
      blobs: open(),
      reopen: async () => open(),
      isSingleItem: driver.openItem !== undefined,
      async blocks(id) {
        if (kind.ours) return (await driver.getKeys(`blob:${id}`, {})).length;
        let count = 0;
        for (let index = 0; index < 10; index++) if (await driver.hasItem(`blob:${id}.${index}`, {})) count++;
        return count;
      },
      async loseBlocks(id, count) {
        for (let index = 0; index < count; index++) await driver.removeItem?.(`blob:${id}.${index}`, {});
      },
      async clean() {
        await driver.dispose?.();
        await storage.clean();
      },
    };
  };
  blobsContract(kind.name, createFixture, kind.name.startsWith("s3"));
}

describe("blobs", () => {
  it("write up to three blocks at once and hold back the writer meanwhile", async () => {
    const driver = memory();
    let now = 0;
    let most = 0;
    const slow = {
      ...driver,
      async setItemRaw(key: string, value: Uint8Array) {
        most = Math.max(most, ++now);
        await turnEventLoop(3);
        now--;
        await driver.setItemRaw?.(key, value, {});
      },
    };
    const writer = createBlobs({ driver: slow, hash: nodeHash, clock: systemClock, blockSize: BLOCK }).open(
      "blob_one",
      1e6,
    );
    for (let n = 0; n < 20; n++) await writer.write(bytes(2 * BLOCK));
    await writer.finish();
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(3);
  });

  it("read at most one block ahead of the reader", async () => {
    const driver = memory();
    let reads = 0;
    const counted = {
      ...driver,
      getItemRaw(key: string) {
        reads++;
        return driver.getItemRaw?.(key, {});
      },
    };
    const blobs = createBlobs({ driver: counted, hash: nodeHash, clock: systemClock, blockSize: BLOCK });
    const writer = blobs.open("blob_one", 1e6);
    await writer.write(bytes(10 * BLOCK));
    const reader = blobs.read(await writer.finish()).getReader();
    await reader.read();
    await turnEventLoop();
    expect(reads).toBeLessThanOrEqual(2);
    await reader.cancel();
  });

  it("append to one open item and hold the writer back meanwhile", async () => {
    const written: number[] = [];
    const driver: ExtendedDriver = {
      ...memory(),
      getItemRange: async () => null,
      openItem: async () => ({
        async write(data) {
          await turnEventLoop(3);
          written.push(data.length);
        },
        close: async () => undefined,
      }),
    };
    const writer = createBlobs({ driver, hash: nodeHash, clock: systemClock, blockSize: BLOCK }).open("blob_one", 1e6);
    for (let n = 1; n <= 20; n++) {
      await writer.write(bytes(2 * BLOCK));
      expect(2 * n - written.length).toBeLessThanOrEqual(2);
    }
    await writer.write(bytes(5));
    await writer.finish();
    expect(written).toEqual([...Array.from({ length: 40 }, () => BLOCK), 5]);
  });

  it("reject finish() when the driver fails, but not abort()", async () => {
    const driver = memory();
    const failing = {
      ...driver,
      setItemRaw: async () => Promise.reject(new Error("disk full")),
      removeItem: async () => Promise.reject(new Error("disk gone")),
    };
    const writer = createBlobs({ driver: failing, hash: nodeHash, clock: systemClock, blockSize: BLOCK }).open(
      "blob_one",
      1e6,
    );
    await writer.write(bytes(BLOCK));
    await expect(writer.finish()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("disk full"),
    });
    await writer.abort();
  });

  it("fail as unavailable when a driver returns text instead of bytes", async () => {
    const driver = { ...memory(), getItemRaw: () => "text" };
    const blobs = createBlobs({ driver, hash: nodeHash, clock: systemClock });
    const blob = { id: "blob_one", size: 4, block_size: BLOCK, sha256: "" };
    await expect(readAll(blobs.read(blob))).rejects.toMatchObject({ code: "unavailable" });
  });

  it("report no damage when they are deleted while they are read", async () => {
    const logged: string[] = [];
    const logger = { error: (message: string) => void logged.push(message) };
    const blobs = createBlobs({ driver: memory(), hash: nodeHash, clock: systemClock, logger, blockSize: BLOCK });
    const writer = blobs.open("blob_one", 10 * BLOCK);
    await writer.write(bytes(5 * BLOCK));
    const blob = await writer.finish();
    const reader = blobs.read({ ...blob, id: "blob_one" }).getReader();
    await reader.read();
    await blobs.sweep("blob_one");
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toThrow("deleted while they were read");
    expect(logged).toEqual([]);
  });

  it("sweep blocks that a crash left, even after a gap", async () => {
    const driver = memory();
    for (const index of [0, 1, 4]) await driver.setItemRaw?.(`blob:blob_one.${index}`, bytes(3), {});
    await createBlobs({ driver, hash: nodeHash, clock: systemClock }).sweep("blob_one");
    expect(await driver.getKeys("", {})).toEqual([]);
  });
});
