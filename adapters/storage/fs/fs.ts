/** A driver for a folder. Replacing a file is atomic. A crash may leave a new or growing file incomplete. */
import { randomUUID } from "node:crypto";
import { readFile as readFileWithCallback } from "node:fs";
import { mkdir, open, readdir, rm, stat, unlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { defineDriver } from "unstorage";
import type { ExtendedDriver, ItemWriter, WriteOptions } from "../../../src/ports/driver.ts";
import { DAY_MS } from "../../../src/time/units.ts";
import { withOwners } from "../owned.ts";
import { createFsFiles, orNull } from "./files.ts";
import { makeFolder } from "./folder.ts";
import { type FsGate, openGate } from "./gate.ts";
import { createFsGrowingFiles } from "./growing-files.ts";
import { keysIn, peekKeysIn } from "./keys.ts";
import { lockFolder } from "./lock.ts";
import { createFsOwner } from "./owner.ts";
import { pathOf } from "./path.ts";
import { createQuickCall, isOnLocalDisk } from "./quick-calls.ts";

/** Options of the fs driver. */
export interface FsDriverOptions {
  /**
   * The folder, created if it doesn't exist. Only one driver at a time can own it; any other driver on any machine is
   * refused. After a crash, the next owner takes over immediately on the same kernel, or after 10 seconds on another
   * machine or after a reboot.
   */
  readonly base: string;
  /**
   * Whether to flush every write to disk before acknowledging it. Without it, data survives a process crash; with it,
   * also a power failure, but writes are as slow as the disk.
   * @default false
   */
  readonly sync?: boolean;
  /**
   * Lets all processes of a cluster use the folder at the same time: for `storage.blobs` with the option `cluster`, on one
   * machine or a network file system. Pass it in every process; nothing keeps others out. Not for `storage.entities`.
   * @default false
   */
  readonly shared?: boolean;
}

/** Releases a folder. */
type Release = () => void | Promise<void>;

/** Takes a third of the time of `readFile` of node:fs/promises for a small file, because it needs no `FileHandle`. */
const readFile = promisify(readFileWithCallback);

/** Folder for temporary files while no owner is set. Emptied at startup, if no other process uses it. */
const TEMPORARY = ".tmp";
/** How old a file must be that a killed process has left in a shared folder. */
const ABANDONED_MS = DAY_MS;

/**
 * @example
 * ```ts
 * createStepwell({ storage: { entities: fsDriver({ base: ".stepwell" }) } });
 * ```
 */
const fsDriver: (options: FsDriverOptions) => ExtendedDriver = defineDriver((options: FsDriverOptions) =>
  createFsDriver(options, lockFolder),
);
export default fsDriver;

/** @param lock Locks the folder against other processes. */
export function createFsDriver(
  options: FsDriverOptions,
  lock: (base: string) => Release | Promise<Release>,
): ExtendedDriver {
  if (typeof options?.base !== "string" || options.base === "") {
    throw new TypeError('The fs driver needs a folder: fsDriver({ base: ".stepwell" }).');
  }
  const base = resolve(options.base);
  const sync = options.sync === true;
  const isShared = options.shared === true;
  /** Start of the names of temporary files. */
  const own = isShared ? `${randomUUID()}-` : "";
  let opening: Promise<Release> | null = null;
  const files = createFsFiles(base, sync);
  let isLocal: boolean | undefined;
  const isOnLocal = () => (isLocal ??= isOnLocalDisk(base));
  const quickCall = createQuickCall(isOnLocal);
  const growing = createFsGrowingFiles(sync, isOnLocal, quickCall);
  let counter = 0;

  function openOnce(): Promise<unknown> {
    opening ??= (isShared ? shareFolder(base) : takeFolder(base, lock)).catch((error) => {
      opening = null;
      throw error;
    });
    return opening;
  }

  async function setItem(key: string, value: string | Uint8Array, { exclusive = false }: WriteOptions = {}) {
    await openOnce();
    const path = pathOf(base, key);
    if (exclusive) await files.create(key, path, value);
    else await files.replace(path, value, join(base, TEMPORARY, `${own}${counter++}`));
  }

  /** @param verify Rejects if the opened file may belong to another owner. */
  async function openItem(
    key: string,
    from: "new" | "end" | number,
    verify: FsGate["verify"] = () => undefined,
  ): Promise<ItemWriter> {
    await openOnce();
    const path = pathOf(base, key);
    const file = await (from === "new" ? files.openNew(key, path) : open(path, "r+"));
    try {
      await verify();
      const { size } = await file.stat();
      if (typeof from === "string") return growing.open(file, size);
      if (size < from) throw new Error(`"${key}" has only ${size} of the expected ${from} bytes.`);
      await file.truncate(from);
      return growing.open(file, from);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  const driver: ExtendedDriver = {
    name: "stepwell-fs",
    place: `the folder ${base}`,
    canBeShared: isShared,
    copiesBytes: true,

    async hasItem(key) {
      await openOnce();
      return (await orNull(stat(pathOf(base, key))))?.isFile() ?? false;
    },

    async getItem(key) {
      await openOnce();
      return orNull(readFile(pathOf(base, key), "utf8"));
    },

    async getItemRaw(key) {
      await openOnce();
      return orNull(readFile(pathOf(base, key)));
    },

    async getItemRange(key, start, end) {
      await openOnce();
      const file = await orNull(open(pathOf(base, key), "r"));
      if (file === null) return null;
      try {
        const { bytesRead, buffer } = await file.read(new Uint8Array(end - start), 0, end - start, start);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },

    setItem,
    setItemRaw: setItem,
    openItem: (key, from) => openItem(key, from),

    async removeItem(key) {
      await openOnce();
      await orNull(unlink(pathOf(base, key)));
    },

    async getMeta(key) {
      await openOnce();
      const found = await orNull(stat(pathOf(base, key)));
      return found === null ? null : { mtime: found.mtime, size: found.size };
    },

    async getKeys(prefix) {
      await openOnce();
      return keysIn(base, prefix);
    },

    peekKeys: (prefix) => peekKeysIn(base, prefix),

    async clear(prefix) {
      await openOnce();
      for (const key of await keysIn(base, prefix)) await orNull(unlink(pathOf(base, key)));
    },

    async dispose() {
      const release = await opening?.catch(() => null);
      opening = null;
      await growing.close();
      await release?.();
    },
  };

  if (isShared) return driver;
  return withOwners(driver, async (_, after) => {
    await openOnce();
    return createFsOwner({ base, gate: await openGate(base, after, quickCall), files, openItem });
  });
}

async function takeFolder(base: string, lock: (base: string) => Release | Promise<Release>): Promise<Release> {
  const release = await lock(base);
  try {
    await rm(join(base, TEMPORARY), { recursive: true, force: true });
    await mkdir(join(base, TEMPORARY));
    return release;
  } catch (error) {
    await release();
    throw error;
  }
}

/** Deletes only temporary files that no process can still be writing. */
async function shareFolder(base: string): Promise<Release> {
  const folder = join(base, TEMPORARY);
  makeFolder(folder);
  for (const name of await readdir(folder)) {
    const found = await orNull(stat(join(folder, name)));
    if (found !== null && Date.now() - found.mtimeMs > ABANDONED_MS) await orNull(unlink(join(folder, name)));
  }
  return () => undefined;
}
