/** Downloading a small range of a large file reads only the blocks that contain it. */
import { readdirSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import memoryDriver from "unstorage/drivers/memory";
import { describe, expect, it } from "vitest";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import { putFile } from "../../src/files/files.ts";
import type { ExtendedDriver } from "../../src/ports/driver.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { createService } from "../support/files/service.ts";

const KIBI = 1_024;
const MEBI = KIBI * KIBI;
const SIZE = KIBI * MEBI;
const RANGE = 64 * KIBI;
const WHOLE = Number.MAX_SAFE_INTEGER;
const NAME = "blob_large";

/** Counts the reads of a driver. */
function counted(driver: ExtendedDriver) {
  const seen = { calls: 0, bytes: 0 };
  const { getItemRaw, getItemRange } = driver;
  async function read<Bytes>(reading: Promise<Bytes>): Promise<Bytes> {
    seen.calls++;
    const bytes = await reading;
    if (bytes instanceof Uint8Array) seen.bytes += bytes.length;
    return bytes;
  }
  const counting: ExtendedDriver = {
    ...driver,
    getItemRaw: (key, options) => read(Promise.resolve(getItemRaw?.(key, options))),
    ...(getItemRange && { getItemRange: (key, start, end) => read(getItemRange(key, start, end)) }),
  };
  return { seen, driver: counting };
}

/** 1 GiB in blocks that are generated on demand: byte n of block c is c + n. */
function generated(): ExtendedDriver {
  const block = (key: string) => {
    const index = Number(key.split(".").at(-1));
    return Uint8Array.from({ length: MEBI }, (_, at) => index + at);
  };
  return { ...memoryDriver(), getItemRaw: async (key: string) => block(key) };
}

/** 1 GiB as one growing item: a sparse file. */
async function sparse(base: string): Promise<ExtendedDriver> {
  const driver: ExtendedDriver = fsDriver({ base });
  const key = `blob:${NAME}.0`;
  const item = await driver.openItem?.(key, "new");
  await item?.write(new Uint8Array(1));
  await item?.close();
  const [path = ""] = readdirSync(base, { recursive: true, encoding: "utf8" }).filter((name) => name.includes(NAME));
  const file = await open(join(base, path), "r+");
  await file.truncate(SIZE);
  await file.close();
  return driver;
}

async function withLarge(driver: ExtendedDriver, block_size: number) {
  const { seen, driver: blobs } = counted(driver);
  const service = await createService({ blobs, blockSize: MEBI });
  const about = { id: "afile_large", app_id: service.app.id, name: "large.bin", size: SIZE, sha256: "0".repeat(64) };
  const rest = {
    mime_type: "application/octet-stream",
    name_type: null,
    visibility: "PRIVATE",
    expires_at: null,
  } as const;
  const blob = { id: NAME, size: SIZE, block_size, sha256: about.sha256 };
  await service.store.commit([putFile({ ...about, ...rest, created_at: "2026-01-01T00:00:00.000Z", blob })]);
  const get = (range: string, method = "GET") =>
    service.call("/files/afile_large/content", { method, headers: { range } });
  return { seen, get };
}

const STARTS = [0, 1, MEBI - RANGE, MEBI - 1, MEBI, 512 * MEBI + 12_345, SIZE - RANGE - 1, SIZE - RANGE];

describe("downloading 64 KiB of a 1 GiB file", () => {
  it("reads only the blocks that contain the range", async () => {
    const { seen, get } = await withLarge(generated(), MEBI);
    for (const start of STARTS) {
      Object.assign(seen, { calls: 0, bytes: 0 });
      const response = await get(`bytes=${start}-${start + RANGE - 1}`);
      expect(response.status).toBe(206);
      const bytes = new Uint8Array(await response.arrayBuffer());
      const expected = Uint8Array.from(
        { length: RANGE },
        (_, at) => Math.floor((start + at) / MEBI) + ((start + at) % MEBI),
      );
      expect(Buffer.compare(bytes, expected)).toBe(0);
      const blocks = Math.floor((start + RANGE - 1) / MEBI) - Math.floor(start / MEBI) + 1;
      expect([start, seen.calls, seen.bytes]).toEqual([start, blocks, blocks * MEBI]);
    }
  });

  it("reads only the bytes of the range when the blob is one item", async () => {
    const base = await mkdtemp(join(tmpdir(), "stepwell-range-"));
    const driver = await sparse(base);
    try {
      const { seen, get } = await withLarge(driver, WHOLE);
      for (const start of STARTS) {
        Object.assign(seen, { calls: 0, bytes: 0 });
        const response = await get(`bytes=${start}-${start + RANGE - 1}`);
        expect((await response.arrayBuffer()).byteLength).toBe(RANGE);
        expect(seen.calls).toBeLessThanOrEqual(2);
        expect(seen.bytes).toBe(RANGE);
      }
    } finally {
      await driver.dispose?.();
      await rm(base, { recursive: true, force: true });
    }
  });

  it("reads nothing for HEAD or an unsatisfiable range", async () => {
    const { seen, get } = await withLarge(generated(), MEBI);
    expect((await get("bytes=0-65535", "HEAD")).status).toBe(200);
    expect((await get(`bytes=${SIZE}-`)).status).toBe(416);
    expect(seen.calls).toBe(0);
  });

  it("stops reading when the client disconnects", async () => {
    const { seen, get } = await withLarge(generated(), MEBI);
    const reader = (await get("bytes=0-")).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await turnEventLoop();
    expect(seen.calls).toBeLessThanOrEqual(3);
  });
});
