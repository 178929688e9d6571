/**
 * The fs driver with `sync`: what it acknowledges survives a power failure, so the names of new folders are flushed, too.
 * Linux tells which folder a handle belongs to.
 */
import { mkdtempSync, readlinkSync, realpathSync, rmSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import type { ExtendedDriver } from "../../src/ports/driver.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "stepwell-sync-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Calls a function for every folder that is flushed, before it is. Returns the folders flushed so far. */
async function watchFlushes(before: (path: string) => Promise<void> = async () => undefined): Promise<string[]> {
  const handle = await open(folder);
  const handles: Pick<FileHandle, "sync"> = Object.getPrototypeOf(handle);
  await handle.close();
  const flushed: string[] = [];
  const sync = handles.sync;
  const spy = vi.spyOn(handles, "sync").mockImplementation(async function (this: FileHandle) {
    const path = readlinkSync(`/proc/self/fd/${this.fd}`);
    await before(path);
    await sync.call(this);
    flushed.push(path);
  });
  onTestFinished(() => spy.mockRestore());
  return flushed;
}

/** Returns the inodes of the files whose bytes were flushed so far. */
async function watchFileFlushes(): Promise<ReadonlySet<number>> {
  const handle = await open(folder);
  const handles: Pick<FileHandle, "datasync"> = Object.getPrototypeOf(handle);
  await handle.close();
  const flushed = new Set<number>();
  const datasync = handles.datasync;
  const spy = vi.spyOn(handles, "datasync").mockImplementation(async function (this: FileHandle) {
    await datasync.call(this);
    flushed.add((await this.stat()).ino);
  });
  onTestFinished(() => spy.mockRestore());
  return flushed;
}

/** Opens an item as a new owner of the storage. */
async function openAsNewOwner(driver: ExtendedDriver, key: string, from: "new" | number) {
  const owner = await driver.takeOwnership?.(() => undefined);
  return driver.openItem?.(key, from, { generation: owner?.generation });
}

describe.runIf(process.platform === "linux")(
  "the fs driver with sync (Linux only: elsewhere, handles do not name their folder)",
  () => {
    it.each([false, true])(
      "flushes every new folder's name before it acknowledges (exclusive: %s)",
      async (exclusive) => {
        const base = join(folder, "new", "base");
        const flushed = await watchFlushes();
        const driver = fsDriver({ base, sync: true });

        await driver.setItem?.("a:b:c", "text", { exclusive });

        const expected = [join(base, "a", "b"), join(base, "a"), base, dirname(base), folder];
        expect(flushed).toEqual(expect.arrayContaining(expected));
        flushed.length = 0;
        await driver.setItem?.("a:b:d", "text", { exclusive });
        expect(flushed).toEqual([join(base, "a", "b")]);
        await driver.dispose?.();
      },
    );

    it("flushes the bytes of an item before a new owner replaces it by a copy", async () => {
      const base = join(folder, "base");
      const earlier = fsDriver({ base, sync: true });
      const item = await openAsNewOwner(earlier, "a:b", "new");
      await item?.write("acknowledged");
      await item?.close();
      await earlier.dispose?.();
      const flushed = await watchFileFlushes();
      const flushedAtRename: boolean[] = [];
      await watchFlushes(async (path) => {
        if (path === join(base, "a")) flushedAtRename.push(flushed.has(statSync(join(base, "a", "b")).ino));
      });
      const driver = fsDriver({ base, sync: true });

      const resumed = await openAsNewOwner(driver, "a:b", "acknowledged".length);

      expect(flushedAtRename).not.toHaveLength(0);
      expect(flushedAtRename).not.toContain(false);
      await resumed?.close();
      await driver.dispose?.();
    });

    it("lets no write use a folder whose name another write has not flushed yet", async () => {
      const base = join(folder, "base");
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let reached = (): void => undefined;
      const first = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const flushed = await watchFlushes(async (path) => {
        if (path !== join(base, "a")) return;
        reached();
        await held;
      });
      const driver = fsDriver({ base, sync: true });
      const acknowledged: string[] = [];
      const write = async (key: string) => {
        await driver.setItem?.(key, "text", {});
        acknowledged.push(key);
        expect(flushed).toContain(join(base, "a"));
      };

      const one = write("a:b:c");
      await first;
      const two = write("a:b:d");
      await expect.poll(() => flushed.filter((path) => path === join(base, "a", "b")).length).toBe(2);
      expect(acknowledged).toEqual([]);

      release();
      await Promise.all([one, two]);
      expect(acknowledged).toHaveLength(2);
      await driver.dispose?.();
    });
  },
);
