/** A disk that fills up during an upload: 503, no partial file in lists, and the upload URL stays usable. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import memoryDriver from "unstorage/drivers/memory";
import { describe, expect, it } from "vitest";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import type { ExtendedDriver } from "../../src/ports/driver.ts";
import { createService, form, post } from "../support/files/service.ts";
import { type Disk, withDiskLimit } from "../support/storage/limited-disk.ts";

const TEXT = "0123456789".repeat(100);
/** Bytes between two cases: smaller than a block and than a log record. */
const STEP = 61;
const UNLIMITED = Number.MAX_SAFE_INTEGER;

interface Drivers {
  readonly entities: ExtendedDriver;
  readonly blobs: ExtendedDriver;
  clean(): Promise<void>;
}

async function folder(): Promise<Drivers> {
  const base = await mkdtemp(join(tmpdir(), "stepwell-full-"));
  return {
    entities: fsDriver({ base: join(base, "entities") }),
    blobs: fsDriver({ base: join(base, "blobs") }),
    clean: () => rm(base, { recursive: true, force: true }),
  };
}

const memory = async (): Promise<Drivers> => ({
  entities: memoryDriver(),
  blobs: memoryDriver(),
  clean: async () => undefined,
});

async function uploadsOn({ entities, blobs, clean }: Drivers, act: (tools: Tools) => Promise<void>): Promise<void> {
  const disk: Disk = { freeBytes: UNLIMITED };
  const service = await createService({ entities: withDiskLimit(entities, disk), blobs: withDiskLimit(blobs, disk) });
  try {
    await act({ service, disk });
  } finally {
    await service.store.close();
    await blobs.dispose?.();
    await clean();
  }
}

interface Tools {
  readonly service: Awaited<ReturnType<typeof createService>>;
  readonly disk: Disk;
}

describe.each([
  ["Stepwell's fs driver, whose items grow", folder],
  ["a driver with one item per block", memory],
])("on a full disk (%s)", (_, place) => {
  it("an upload returns 503 at whatever byte the disk is full, leaves nothing, and can be repeated", async () => {
    await uploadsOn(await place(), async ({ service, disk }) => {
      let refused = 0;
      for (let room = 0, isTaken = false; !isTaken; room += STEP) {
        const { upload_url, future_file_id } = await service.address();
        disk.freeBytes = room;
        const response = await post(service, upload_url, form(TEXT));
        disk.freeBytes = UNLIMITED;
        isTaken = response.status === 201;
        if (!isTaken) {
          refused++;
          const answer = await response.json();
          expect([room, answer]).toMatchObject([room, { status: 503, code: "unavailable" }]);
          expect(service.errors.at(-1)).toMatchObject([
            "request failed",
            { error: { message: expect.stringMatching(/the storage is full/) } },
          ]);
          expect(await (await service.call("/files")).json()).toEqual([]);
          expect((await service.call(`/files/${future_file_id}`)).status).toBe(404);
          await service.orphanBlobs.sweep();
          await expect.poll(() => service.blocks()).toBe(0);
          expect((await post(service, upload_url, form(TEXT))).status).toBe(201);
        }
        expect(await (await service.call(`/files/${future_file_id}/content`)).text()).toBe(TEXT);
        expect((await service.call(`/files/${future_file_id}`, { method: "DELETE" })).status).toBe(204);
      }
      expect(refused).toBeGreaterThan(TEXT.length / STEP);
    });
  });

  it("creating an upload URL returns 503, and files can still be read", async () => {
    await uploadsOn(await place(), async ({ service, disk }) => {
      const { upload_url, future_file_id } = await service.address();
      expect((await post(service, upload_url, form(TEXT))).status).toBe(201);
      disk.freeBytes = 0;
      const headers = { "content-type": "application/json" };
      const refused = await service.call("/files/uploads", { method: "POST", body: "{}", headers });
      expect(await refused.json()).toMatchObject({ status: 503, code: "unavailable" });
      expect(await (await service.call(`/files/${future_file_id}/content`)).text()).toBe(TEXT);
      disk.freeBytes = UNLIMITED;
      expect((await service.call("/files/uploads", { method: "POST", body: "{}", headers })).status).toBe(201);
    });
  });
});
