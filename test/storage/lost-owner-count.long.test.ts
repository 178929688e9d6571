/** A driver's count of owners that was deleted, torn or not copied: the store takes over with a later number. */
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import fs from "../../adapters/storage/fs/fs.ts";
import redis from "../../adapters/storage/redis.ts";
import s3 from "../../adapters/storage/s3.ts";
import { createIds } from "../../src/ids.ts";
import type { Driver } from "../../src/ports/driver.ts";
import { repairStorage } from "../../src/storage/repair/repair.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { BUCKET, CREDENTIALS } from "../support/servers/s3.ts";
import { memoryStorage } from "../support/storage/drivers.ts";
import { openStore, silent } from "../support/storage/open.ts";

interface Losable {
  open(): Driver;
  /** Loses the count. May move the data. */
  lose(): Promise<void>;
  clean(): Promise<void>;
}

const OWNER = "owner:current";
const nothing = async () => undefined;

async function folder(): Promise<Losable> {
  const parent = await mkdtemp(join(tmpdir(), "stepwell-count-"));
  let copies = 0;
  const base = () => join(parent, String(copies));
  return {
    open: () => fs({ base: base() }),
    async lose() {
      const from = base();
      copies++;
      // As `cp -r from/* to/` does: without hidden files.
      for (const name of (await readdir(from)).filter((name) => !name.startsWith(".")))
        await cp(join(from, name), join(base(), name), { recursive: true });
    },
    clean: () => rm(parent, { recursive: true }),
  };
}

/** A driver of a server, and the key of its count. */
function server(open: () => Driver): Losable {
  return { open, lose: async () => void (await open().removeItem?.("generation", {})), clean: nothing };
}

function plain(change: (data: Map<string, unknown>) => void): Losable {
  const { data, open, clean } = memoryStorage();
  return { open, lose: async () => change(data), clean };
}

const LOSSES: readonly (readonly [name: string, make: () => Promise<Losable> | Losable])[] = [
  ["a plain driver whose item was deleted", () => plain((data) => data.delete(OWNER))],
  ["a plain driver whose item was torn", () => plain((data) => data.set(OWNER, "1"))],
  ["a plain driver whose item was replaced", () => plain((data) => data.set(OWNER, "damaged"))],
  ["a folder that was copied without hidden files", folder],
  ["redis", () => server(() => redis({ url: inject("redis"), prefix: `count-${process.pid}:` }))],
  ["s3", () => server(() => s3({ endpoint: inject("s3"), bucket: BUCKET, ...CREDENTIALS, prefix: "count" }))],
];

describe.each(LOSSES)("%s", (_, make) => {
  const put = (id: string) => ({
    key: `thing:${id}` as const,
    document: { id },
    expected: null,
    rows: [{ list: "things", put: { id } }],
  });

  it("loses no document and no row in later sessions, and repair finds nothing", async () => {
    const storage = await make();
    const ids: string[] = [];
    /** Stores five documents beyond checkpoints, and sees all that were ever stored. */
    async function session(count: number) {
      const store = openStore(storage.open(), { checkpointRecords: 2 });
      for (let n = 0; n < count; n++) {
        const id = `id${String(ids.length).padStart(4, "0")}`;
        await store.commit([put(id)]);
        ids.push(id);
        expect(await store.get(`thing:${id}`)).toEqual({ version: 1, document: { id } });
      }
      const page = await store.list("things", { limit: 1_000 });
      expect(page.ids.toSorted()).toEqual(ids);
      const found = await store.getMany(ids.map((id) => `thing:${id}` as const));
      expect(found.map((stored) => stored?.document)).toEqual(ids.map((id) => ({ id })));
      await store.close();
    }

    for (let n = 0; n < 6; n++) await session(n % 3);
    for (let n = 0; n < 2; n++) {
      await storage.lose();
      for (let m = 0; m < 2; m++) await session(5);
    }
    await storage.lose();
    const driver = storage.open();
    const parts = {
      driver,
      clock: systemClock,
      ids: createIds(systemClock),
      logger: silent,
      hash: nodeHash,
    };
    expect(await repairStorage(parts)).toMatchObject({ damaged: [], rebuilt: [], lost: [], orphaned: [] });
    await driver.dispose?.();
    await session(5);
    await storage.clean();
  });
});

it("refuses a driver that takes over with a number that an earlier owner had", async () => {
  const { open } = memoryStorage();
  const stuck = () => ({ ...open(), takeOwnership: async () => ({ generation: 1, verify: () => undefined }) });
  const first = openStore(stuck());
  await first.commit([{ key: "thing:a", document: {}, expected: null }]);
  await first.close();
  const second = openStore(stuck());
  await expect(second.get("thing:a")).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining('must return a generation greater than "after"'),
  });
});
