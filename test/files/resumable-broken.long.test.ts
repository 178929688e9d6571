/** Resumable uploads under failures: broken connections, concurrent senders, failing drivers, restarts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Driver } from "../../src/ports/driver.ts";
import { createService, form, outcome, post, type Service, streamOf } from "../support/files/service.ts";
import { begun, content, create, cut, dead, dying, offsetOf, patch, sha256, tus } from "../support/files/tus.ts";
import { sample } from "../support/sample.ts";
import { KINDS, type Kind, memoryStorage } from "../support/storage/drivers.ts";

const BLOCK = 1_024;
const SIZE = 4 * BLOCK + 300;

async function storedText(service: Service, fileId: string): Promise<string> {
  const response = await service.call(`/files/${fileId}/content`);
  return sha256(new Uint8Array(await response.arrayBuffer()));
}

/** Growing files, blocks of a driver that has no own way, and each server; test/storage/ runs every driver's contract. */
const SAMPLE = ["fs", "memory (unstorage)", "redis", "s3"];

describe.each(sample(KINDS, SAMPLE))("a resumable upload on $name", (kind: Kind) => {
  it("resumes at every byte where the connection broke", async () => {
    const place = await kind.createStorage();
    const service = await createService({ blobs: place.open(), blockSize: BLOCK });
    const all = content(SIZE);
    const cuts = [1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 512, 4 * BLOCK, SIZE - 1];
    const { upload_url, future_file_id } = await service.address();
    const location = await begun(service, upload_url, SIZE);
    let at = 0;
    for (const end of cuts) {
      const response = await patch(service, location, at, cut(all.subarray(at, end)));
      expect(await outcome(response)).toBe("400 malformed");
      // Every byte that arrived is kept.
      expect(await offsetOf(service, location)).toBe(end);
      at = end;
    }
    expect((await patch(service, location, at, all.subarray(at))).status).toBe(204);
    expect(await storedText(service, future_file_id)).toBe(sha256(all));
    expect(service.errors).toEqual([]);
    await service.driver.dispose?.();
    await place.clean();
  });

  it("takes over from a dead connection without losing bytes", async () => {
    const place = await kind.createStorage();
    const service = await createService({ blobs: place.open(), blockSize: BLOCK });
    const all = content(SIZE);
    const { upload_url, future_file_id } = await service.address();
    const location = await begun(service, upload_url, SIZE);
    const { body, taken } = dying(all.subarray(0, 1_500), all.subarray(1_500, 2_900));
    const first = patch(service, location, 0, body);
    await taken;
    const offset = await offsetOf(service, location);
    expect(offset).toBe(2_900);
    expect(await outcome(await first)).toBe("409 conflict");
    const second = patch(service, location, offset, dead(all.subarray(offset, 3_000)));
    const third = await patch(service, location, 3_000, all.subarray(3_000));
    expect(await outcome(await second)).toBe("409 conflict");
    if (third.status !== 204) {
      // It arrived before anything of the second request was read.
      expect(await outcome(third)).toBe("409 conflict");
      const now = await offsetOf(service, location);
      expect((await patch(service, location, now, all.subarray(now))).status).toBe(204);
    }
    expect(await storedText(service, future_file_id)).toBe(sha256(all));
    expect(service.errors).toEqual([]);
    await service.driver.dispose?.();
    await place.clean();
  });
});

describe("concurrent requests to one upload URL", () => {
  it("store a chunk once when several send it at once", async () => {
    const service = await createService({ blockSize: BLOCK });
    const all = content(SIZE);
    const { upload_url, future_file_id } = await service.address();
    const location = await begun(service, upload_url, SIZE);
    for (let at = 0; at < SIZE; at = await offsetOf(service, location)) {
      const end = Math.min(at + 700, SIZE);
      const both = await Promise.all([0, 1, 2].map(() => patch(service, location, at, all.subarray(at, end))));
      const outcomes = await Promise.all(both.map(outcome));
      expect(outcomes.filter((one) => one === "204").length).toBeLessThanOrEqual(1);
      expect(outcomes.every((one) => ["204", "409 conflict", "409 upload_used"].includes(one))).toBe(true);
    }
    expect(await storedText(service, future_file_id)).toBe(sha256(all));
    expect(service.errors).toEqual([]);
  });

  it("complete one file when each sends its own", async () => {
    const service = await createService({ blockSize: BLOCK });
    const { upload_url, future_file_id } = await service.address();
    const files = [content(SIZE, 1), content(SIZE, 2), content(SIZE, 3)];
    const send = async (file: Uint8Array): Promise<boolean> => {
      const location = await begun(service, upload_url, SIZE);
      for (let at = 0; location !== "" && at < SIZE; at += 450) {
        const response = await patch(service, location, at, file.subarray(at, at + 450));
        if (response.status !== 204) return false;
      }
      return location !== "";
    };
    const done = await Promise.all(files.map(send));
    const winner = done.indexOf(true);
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await storedText(service, future_file_id)).toBe(sha256(files[winner] ?? new Uint8Array(0)));
  });

  it("let the first to finish win between a partial and a whole upload", async () => {
    const service = await createService({ blockSize: BLOCK });
    const { upload_url, future_file_id } = await service.address();
    const location = await begun(service, upload_url, SIZE);
    const slow = patch(service, location, 0, dead(content(2_000)));
    expect((await post(service, upload_url, form("whole"))).status).toBe(201);
    expect(await outcome(await slow)).toMatch(/^409/);
    expect(await storedText(service, future_file_id)).toBe(sha256(new TextEncoder().encode("whole")));
    await expect.poll(() => service.blocks()).toBe(1);
  });
});

/** A driver whose nth write of bytes fails once. A torn write replaces the item with some of its bytes. */
function failing(driver: Driver, at: number, isTorn = false): Driver & { failed(): boolean } {
  let writes = 0;
  return {
    ...driver,
    setItemRaw: async (key, value, options) => {
      if (++writes === at && isTorn) await driver.setItemRaw?.(key, value.subarray(0, 10), options);
      if (writes === at) throw new Error("the disk is full");
      await driver.setItemRaw?.(key, value, options);
    },
    failed: () => writes >= at,
  };
}

describe("a driver that fails during a resumable upload", () => {
  it.each([1, 2, 3, 4, 5])("returns 503 at write %i, and the upload can be resumed", async (at) => {
    const blobs = failing(memoryStorage().open(), at);
    const service = await createService({ blobs, blockSize: BLOCK });
    const all = content(SIZE);
    const { upload_url, future_file_id } = await service.address();
    const location = await begun(service, upload_url, SIZE);
    const pieces = Array.from({ length: 9 }, (_, n) => all.subarray(n * 500, (n + 1) * 500));
    expect(await outcome(await patch(service, location, 0, streamOf(pieces)))).toBe("503 unavailable");
    expect(blobs.failed()).toBe(true);
    expect(await (await service.call("/files")).json()).toEqual([]);
    const now = await offsetOf(service, location);
    expect(now).toBeLessThan(SIZE);
    expect((await patch(service, location, now, all.subarray(now))).status).toBe(204);
    expect(await storedText(service, future_file_id)).toBe(sha256(all));
  });

  it.each([1, 2, 3, 4, 5, 6, 7])("keeps acknowledged bytes when write %i is torn", async (at) => {
    const [entities, data] = [memoryStorage(), memoryStorage()];
    const blobs = failing(data.open(), at, true);
    let service = await createService({ entities: entities.open(), blobs, blockSize: BLOCK });
    const all = content(SIZE);
    const { upload_url, future_file_id } = await service.address();
    const location = await begun(service, upload_url, SIZE);
    let acknowledged = 0;
    while (acknowledged < SIZE && !blobs.failed()) {
      const end = Math.min(acknowledged + 700, SIZE);
      const { status } = await patch(service, location, acknowledged, all.subarray(acknowledged, end));
      if (status === 204) acknowledged = end;
    }
    expect(blobs.failed()).toBe(true);
    expect(await offsetOf(service, location)).toBe(acknowledged);
    await service.store.close();
    service = await createService({
      entities: entities.open(),
      blobs: data.open(),
      blockSize: BLOCK,
      app: service.app,
    });
    expect((await patch(service, location, acknowledged, all.subarray(acknowledged))).status).toBe(204);
    expect(await storedText(service, future_file_id)).toBe(sha256(all));
    expect(await service.blocks()).toBe(5);
  });
});

describe.each(KINDS)("a resumable upload on $name whose acknowledged bytes are lost", (kind: Kind) => {
  it.each([
    ["in the same process", false],
    ["after a restart", true],
  ])("starts again at offset 0: %s", async (_, isRestarted) => {
    const place = await kind.createStorage();
    const entities = memoryStorage();
    const open = (app?: Service["app"]) =>
      createService({ entities: entities.open(), blobs: place.open(), blockSize: BLOCK, ...(app && { app }) });
    let service = await open();
    const all = content(SIZE);
    const { upload_url, future_file_id } = await service.address();
    const location = await begun(service, upload_url, SIZE);
    expect((await patch(service, location, 0, all.subarray(0, 2_500))).status).toBe(204);
    const id = new URL(location).searchParams.get("attempt");
    for (const item of ["0", "1", "2", "a", "b"]) await service.driver.removeItem?.(`blob:${id}.${item}`, {});
    if (isRestarted) {
      await service.store.close();
      await service.driver.dispose?.();
      service = await open(service.app);
    }
    const refused = await patch(service, location, 2_500, all.subarray(2_500));
    expect(refused.headers.get("upload-offset")).toBe("0");
    expect(await outcome(refused)).toBe("409 conflict");
    expect(service.errors).toEqual([[expect.stringContaining("lost bytes"), expect.anything()]]);
    expect(await offsetOf(service, location)).toBe(0);
    expect((await patch(service, location, 0, all)).status).toBe(204);
    expect(await storedText(service, future_file_id)).toBe(sha256(all));
    await service.driver.dispose?.();
    await place.clean();
  });
});

describe("a resumable upload", () => {
  const Step = fc.record({
    size: fc.integer({ min: 1, max: 1_500 }),
    pieces: fc.integer({ min: 1, max: 4 }),
    ends: fc.constantFrom("whole", "whole", "cut", "dead", "checksum", "wrong offset"),
    restart: fc.boolean(),
  });

  it("stores the right file for any sequence of chunks, broken connections and restarts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6_000 }), fc.array(Step, { maxLength: 12 }), async (size, steps) => {
        const entities = memoryStorage();
        const blobs = memoryStorage();
        const open = (app?: { id: string; key: string }) =>
          createService({
            entities: entities.open(),
            blobs: blobs.open(),
            blockSize: 256,
            ...(app === undefined ? {} : { app }),
          });
        let service = await open();
        const all = content(size, size);
        const { upload_url, future_file_id } = await service.address();
        const location = await begun(service, upload_url, size);
        let at = 0;
        for (const { size: wanted, pieces, ends, restart } of steps) {
          const end = Math.min(at + wanted, size - 1);
          if (end <= at) break;
          const width = Math.ceil((end - at) / pieces);
          const parts = Array.from({ length: pieces }, (_, n) =>
            all.subarray(Math.min(at + n * width, end), Math.min(at + (n + 1) * width, end)),
          );
          if (ends === "whole") expect((await patch(service, location, at, streamOf(parts))).status).toBe(204);
          if (ends === "cut") await patch(service, location, at, cut(...parts));
          if (ends === "dead") void patch(service, location, at, dead(...parts));
          if (ends === "wrong offset") await patch(service, location, at + 1, streamOf(parts));
          if (ends === "checksum") {
            const headers = { "upload-checksum": `sha256 ${btoa("x".repeat(32))}` };
            expect((await patch(service, location, at, streamOf(parts), headers)).status).toBe(460);
          }
          const now = await offsetOf(service, location);
          if (ends === "whole" || ends === "cut") expect(now).toBe(end);
          if (ends === "checksum" || ends === "wrong offset") expect(now).toBe(at);
          expect(now).toBeLessThanOrEqual(end);
          at = now;
          if (restart) {
            await service.store.close();
            service = await open(service.app);
            expect(await offsetOf(service, location)).toBe(at);
          }
        }
        expect((await patch(service, location, at, all.subarray(at))).status).toBe(204);
        const file = await (await service.call(`/files/${future_file_id}`)).json();
        expect(file).toMatchObject({ size, sha256: sha256(all) });
        expect(await storedText(service, future_file_id)).toBe(sha256(all));
        expect(await service.blocks()).toBe(Math.ceil(size / 256));
        expect(service.errors).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it("is kept for the next process and deleted when its upload URL expires", async () => {
    let now = Date.parse("2026-01-01T00:00:00Z");
    const entities = memoryStorage();
    const blobs = memoryStorage();
    const open = (app?: { id: string; key: string }) =>
      createService({
        ...{ entities: entities.open(), blobs: blobs.open(), blockSize: BLOCK, now: () => now },
        ...(app === undefined ? {} : { app }),
      });
    const first = await open();
    const { upload_url } = await first.address({ expires_in: 3_600 });
    const location = (await create(first, upload_url, { "upload-defer-length": "1" })).headers.get("location") ?? "";
    await patch(first, location, 0, content(3_000));
    await first.store.close();
    const second = await open(first.app);
    await second.orphanBlobs.sweep();
    await second.partialUploads.sweep();
    expect(await offsetOf(second, location)).toBe(3_000);
    expect(await second.blocks()).toBe(3);
    now += 3_600_000;
    await second.partialUploads.sweep();
    expect(await second.blocks()).toBe(0);
    expect((await tus(second, "HEAD", location)).status).toBe(410);
  });
});
