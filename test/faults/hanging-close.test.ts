/** `close()` on a storage that no longer answers: it settles in bounded time and releases what it can. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import type { Driver } from "../../src/ports/driver.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { input, openService, scripted } from "../support/engine/service.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { hangingStorage } from "../support/storage/hanging.ts";
import { startChild } from "./child.ts";

const releases: (() => unknown)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0)) await release();
});

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "resolved",
    ({ code }: { code: string }) => code,
  );

/** Settles with `closed`, or `open` if the work has not settled when all others have. */
const stateOf = (work: Promise<unknown>) =>
  Promise.race([work.then(() => "closed"), turnEventLoop().then(() => "open")]);

async function openHanging() {
  const clock = createTestClock();
  const storage = hangingStorage();
  releases.push(storage.release);
  const service = await openService({ storage: { entities: storage.driver }, clock });
  return { clock, storage, service };
}

describe("stepwell.close() while the storage hangs", () => {
  it("settles within 20 seconds, ends what waits for runs, and disposes of the driver", async () => {
    const { clock, storage, service } = await openHanging();
    const { id } = await service.start([input("in"), { type: "code", key: "work", code: "hang" }]);
    const waited = codeOf(service.wait(id));
    await turnEventLoop();
    storage.hang();
    service.stepwell.apps.create({ name: "Hanging" }).catch(() => undefined);
    await turnEventLoop();
    const closed = service.stepwell.close();
    await clock.advance("17s");
    expect(await stateOf(closed)).toBe("open");
    await clock.advance("3s");
    expect(await stateOf(closed)).toBe("closed");
    expect(storage.isDisposed()).toBe(true);
    expect(await waited).toBe("unavailable");
  });

  it("doesn't call the driver after it is disposed of, even when it responds late", async () => {
    const { clock, storage, service } = await openHanging();
    storage.hang();
    for (let count = 0; count < 3; count++) {
      service.stepwell.apps.create({ name: "Hanging" }).catch(() => undefined);
      await turnEventLoop();
    }
    const closed = service.stepwell.close();
    await clock.advance("20s");
    await closed;
    storage.release();
    await clock.advance("2m");
    expect(storage.calls()).toBeGreaterThan(0);
    expect(storage.lateCalls()).toBe(0);
  });

  it("settles if the storage could not even be opened", async () => {
    const clock = createTestClock();
    const storage = hangingStorage();
    storage.hang();
    releases.push(storage.release);
    const service = await openService({ storage: { entities: storage.driver }, clock }, "app_unknown");
    const ready = codeOf(service.stepwell.ready());
    const closed = service.stepwell.close();
    await clock.advance("20s");
    expect(await stateOf(closed)).toBe("closed");
    expect(await ready).toBe("unavailable");
    expect(storage.isDisposed()).toBe(true);
  });

  it("releases the lock of a folder", async () => {
    const base = await mkdtemp(join(tmpdir(), "stepwell-hanging-"));
    releases.push(() => rm(base, { recursive: true, force: true }));
    const clock = createTestClock();
    const folder = fsDriver({ base });
    let isHanging = false;
    const entities: Driver = new Proxy(folder, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function" || name === "dispose") return value;
        return (...given: readonly unknown[]) =>
          isHanging ? new Promise(() => undefined) : Reflect.apply(value, target, given);
      },
    });
    const service = await openService({ storage: { entities }, clock });
    isHanging = true;
    service.stepwell.apps.create({ name: "Hanging" }).catch(() => undefined);
    const closed = service.stepwell.close();
    await clock.advance("18s");
    await closed;
    const next = await openService({ storage: { entities: fsDriver({ base }) } }, service.app);
    releases.push(next.stepwell.close);
    expect(await next.stepwell.apps.get(service.app)).toMatchObject({ id: service.app });
  });

  it("keeps a process alive until it settles", async () => {
    const child = await startChild(new URL("hanging-close-process.ts", import.meta.url).pathname, []);
    expect(await child.gone).toMatchObject({ code: 0 });
    expect(child.lines).toEqual(["closed"]);
  });
});

describe("stepwell.close() while something else hangs", () => {
  it("releases the storage if an adapter or a driver never closes", async () => {
    const clock = createTestClock();
    const storage = hangingStorage();
    const blobs: Driver = { ...hangingStorage().driver, dispose: () => new Promise<void>(() => undefined) };
    const sandbox = { ...scripted(), close: () => new Promise<void>(() => undefined) };
    const service = await openService({ storage: { entities: storage.driver, blobs }, sandbox, clock });
    await service.run([{ type: "code", key: "work", code: "give 1" }]);
    const closed = service.stepwell.close();
    await clock.advance("20s");
    expect(await stateOf(closed)).toBe("closed");
    expect(storage.isDisposed()).toBe(true);
  });
});
