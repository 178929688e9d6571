/** Storage that fails in any one call of an upload: no partial file is visible, and the upload URL stays usable. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import { repairStorage } from "../../src/index.ts";
import type { ExtendedDriver } from "../../src/ports/driver.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { createService, form, post, type Service } from "../support/files/service.ts";
import { callsToFail } from "../support/storage/calls-to-fail.ts";
import { memoryStorage } from "../support/storage/drivers.ts";
import { FAULTS, type Fault, failing, failure } from "../support/storage/failing-driver.ts";
import { silent } from "../support/storage/open.ts";

/** Three blocks: a first, a middle and a last one. */
const TEXT = "0123456789".repeat(15);
const TIMEOUT_MS = 700;
/** A timeout only for faults that reach it. */
const timeoutOf = (fault: Fault) =>
  fault === "hangs" || fault === "takes effect after its timeout" ? { timeoutMs: TIMEOUT_MS } : {};
/** The next process starts a second later: never within the same millisecond. */
const NOW = Date.UTC(2030, 0, 1);

interface Drivers {
  readonly entities: ExtendedDriver;
  readonly blobs: ExtendedDriver;
}

interface UploadStorage {
  open(): Drivers;
  clean(): Promise<void>;
}

async function folders(): Promise<UploadStorage> {
  const base = await mkdtemp(join(tmpdir(), "stepwell-failing-"));
  return {
    open: () => ({
      entities: fsDriver({ base: join(base, "entities") }),
      blobs: fsDriver({ base: join(base, "blobs") }),
    }),
    clean: () => rm(base, { recursive: true, force: true }),
  };
}

async function memory(): Promise<UploadStorage> {
  const [entities, blobs] = [memoryStorage(), memoryStorage()];
  return { open: () => ({ entities: entities.open(), blobs: blobs.open() }), clean: async () => undefined };
}

/** Ends a service as a process does: calls that still hang after their timeout end with it. */
async function end(service: Service, { entities, blobs }: Drivers, isHanging: boolean): Promise<void> {
  const closed = service.store.close().catch(() => undefined);
  const given = new Promise<void>((resolve) => systemClock.after(2 * TIMEOUT_MS, resolve));
  await (isHanging ? Promise.race([closed, given]) : closed);
  await entities.dispose?.();
  await blobs.dispose?.();
}

/** Uploads while the call with this number fails; returns the number of calls. */
async function survive(place: UploadStorage, fault: Fault, at: number, restarts: boolean): Promise<number> {
  const plan = failure(fault);
  let drivers = place.open();
  const faulty = { entities: failing(drivers.entities, plan), blobs: failing(drivers.blobs, plan) };
  let service = await createService({ ...faulty, after: systemClock.after, now: () => NOW, ...timeoutOf(fault) });
  const { upload_url, future_file_id } = await service.address();
  plan.calls = 0;
  plan.at = at;
  const first = await post(service, upload_url, form(TEXT));
  const { calls } = plan;
  plan.at = Number.POSITIVE_INFINITY;
  plan.release();
  if (first.status !== 201) {
    expect(await first.json()).toMatchObject({ status: 503, code: "unavailable" });
    expect(await (await service.call("/files")).json()).toEqual([]);
    expect((await service.call(`/files/${future_file_id}`)).status).toBe(404);
    expect(await (await service.fetch(new Request(upload_url))).json()).toMatchObject({ status: "open" });
    if (fault !== "hangs") await expect.poll(swept(service)).toBe(0);
    if (restarts) {
      await end(service, drivers, fault === "hangs");
      drivers = place.open();
      service = await createService({ ...drivers, app: service.app, now: () => NOW + 1_000 });
    }
    // The call that hung may have checked the ownership after a record was stored: then the next process has the file.
    const found = await (await service.call("/files")).json();
    if (fault !== "hangs" || found.length === 0) {
      expect(found).toEqual([]);
      await expect.poll(swept(service)).toBe(0);
      expect((await post(service, upload_url, form(TEXT))).status).toBe(201);
    }
  }
  expect(await (await service.call(`/files/${future_file_id}/content`)).text()).toBe(TEXT);
  expect((await (await service.call("/files")).json()).length).toBe(1);
  expect((await post(service, upload_url, form(TEXT))).status).toBe(409);
  expect((await service.call(`/files/${future_file_id}`, { method: "DELETE" })).status).toBe(204);
  await expect.poll(swept(service)).toBe(0);
  await end(service, drivers, false);
  const left = place.open();
  const { checked: _, ...wrong } = await repairStorage({ driver: left.entities, logger: silent, isDryRun: true });
  expect(wrong).toEqual({ damaged: [], rebuilt: [], lost: [], orphaned: [], shared: [], losses: [] });
  await left.entities.dispose?.();
  await place.clean();
  return calls;
}

/** The number of stored blocks after the hourly sweep. */
const swept = (service: Service) => async () => {
  await service.orphanBlobs.sweep();
  return service.blocks();
};

describe.each([
  ["Stepwell's fs driver, whose items grow", folders],
  ["a driver with one item per block", memory],
])("an upload on %s", (_, place) => {
  const cases = FAULTS.flatMap((fault) => {
    const another = [fault, "after a restart", true] as const;
    // A write-ahead log that hangs is unusable until the process restarts.
    return fault === "hangs" ? [another] : [[fault, "in the same process", false] as const, another];
  });
  it.each(cases)(
    "succeeds, or returns 503 and can be repeated, when any one call %s: %s",
    async (fault, _, restarts) => {
      const calls = await survive(await place(), fault, Number.POSITIVE_INFINITY, restarts);
      expect(calls).toBeGreaterThan(4);
      const one = async (at: number) =>
        survive(await place(), fault, at, restarts).catch((cause) => {
          throw new Error(`call ${at} of ${calls}: ${cause.message}`, { cause });
        });
      await Promise.all(callsToFail(calls, fault, 12).map(one));
    },
  );
});
