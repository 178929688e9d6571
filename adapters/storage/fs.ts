/** A driver for a folder: what is written is there whole or not at all, also after kill -9. */
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { defineDriver } from "unstorage";
import { alreadyExists, type ExtendedDriver, type WriteOptions } from "../../src/ports/driver.ts";
import { createFsItems, writeWhole } from "./fs-item.ts";
import { lockFolder } from "./fs-lock.ts";
import { keyOf, pathOf } from "./fs-path.ts";

export interface FsDriverOptions {
  /**
   * The folder; made when it is not there. One driver at a time owns it: a second one, anywhere, is refused. After a crash
   * the next owner takes it at once; on another kernel (another machine, a reboot) after 10 seconds.
   */
  readonly base: string;
  /**
   * Flush every write to the disk before it counts. Without it, what was written survives the death of the process;
   * with it, also a loss of power, at the price of the disk's own pace.
   * @default false
   */
  readonly sync?: boolean;
}

/** Where files are written before they take their names; emptied at the start. */
const TEMPORARY = ".tmp";

/**
 * @example
 * ```ts
 * createStepwell({ storage: { entities: fsDriver({ base: ".stepwell" }) } });
 * ```
 */
export default defineDriver((options: FsDriverOptions): ExtendedDriver => {
  if (typeof options?.base !== "string" || options.base === "") {
    throw new TypeError('The fs driver needs a folder: fsDriver({ base: ".stepwell" }).');
  }
  const base = resolve(options.base);
  const sync = options.sync === true;
  let opening: Promise<() => void> | null = null;
  const items = createFsItems(sync);
  let counter = 0;

  function opened(): Promise<unknown> {
    opening ??= takeFolder(base).catch((error) => {
      opening = null;
      throw error;
    });
    return opening;
  }

  /** Writes a new file; what could not be written whole is gone again. */
  async function create(path: string, value: string | Uint8Array): Promise<void> {
    const file = await withFolder(path, () => open(path, "wx"));
    try {
      if (typeof value === "string") await file.writeFile(value);
      else await writeWhole(file, value, 0);
      if (sync) await file.datasync();
    } catch (error) {
      await file.close();
      await unlink(path).catch(() => undefined);
      throw error;
    }
    await file.close();
  }

  async function replace(key: string, value: string | Uint8Array): Promise<void> {
    const path = pathOf(base, key);
    const temporary = join(base, TEMPORARY, String(counter++));
    await create(temporary, value);
    try {
      await withFolder(path, () => rename(temporary, path));
      if (sync) await syncFolder(dirname(path));
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw error;
    }
  }

  async function openNew(key: string, path: string): Promise<FileHandle> {
    const file = await withFolder(path, () => open(path, "wx")).catch((error: unknown) => {
      throw codeOf(error) === "EEXIST" ? alreadyExists(key, error) : error;
    });
    if (sync) await syncFolder(dirname(path));
    return file;
  }

  async function createExclusively(key: string, value: string | Uint8Array): Promise<void> {
    const path = pathOf(base, key);
    try {
      await create(path, value);
    } catch (error) {
      throw codeOf(error) === "EEXIST" ? alreadyExists(key, error) : error;
    }
    if (sync) await syncFolder(dirname(path));
  }

  return {
    name: "stepwell-fs",
    options,
    copiesBytes: true,

    async hasItem(key) {
      await opened();
      return (await orNull(stat(pathOf(base, key))))?.isFile() ?? false;
    },

    async getItem(key) {
      await opened();
      return orNull(readFile(pathOf(base, key), "utf8"));
    },

    async getItemRaw(key) {
      await opened();
      return orNull(readFile(pathOf(base, key)));
    },

    async getItemRange(key, start, end) {
      await opened();
      const file = await orNull(open(pathOf(base, key), "r"));
      if (file === null) return null;
      try {
        const { bytesRead, buffer } = await file.read(new Uint8Array(end - start), 0, end - start, start);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },

    async setItem(key, value, { exclusive = false }: WriteOptions = {}) {
      await opened();
      await (exclusive ? createExclusively(key, value) : replace(key, value));
    },

    async setItemRaw(key, value: Uint8Array, { exclusive = false }: WriteOptions = {}) {
      await opened();
      await (exclusive ? createExclusively(key, value) : replace(key, value));
    },

    async openItem(key, from) {
      await opened();
      const path = pathOf(base, key);
      if (from === "new") return items.open(await openNew(key, path), 0);
      const file = await open(path, "r+");
      try {
        const { size } = await file.stat();
        if (from === "end") return items.open(file, size);
        if (size < from) throw new Error(`"${key}" has only ${size} bytes of ${from}`);
        await file.truncate(from);
        return items.open(file, from);
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    async removeItem(key) {
      await opened();
      await orNull(unlink(pathOf(base, key)));
    },

    async getMeta(key) {
      await opened();
      const found = await orNull(stat(pathOf(base, key)));
      return found === null ? null : { mtime: found.mtime, size: found.size };
    },

    async getKeys(prefix) {
      await opened();
      return keysIn(base, "", prefix);
    },

    async clear(prefix) {
      await opened();
      for (const key of await keysIn(base, "", prefix)) await orNull(unlink(pathOf(base, key)));
    },

    async dispose() {
      const release = await opening?.catch(() => null);
      opening = null;
      await items.close();
      release?.();
    },
  };
});

async function takeFolder(base: string): Promise<() => void> {
  const release = await lockFolder(base);
  try {
    await rm(join(base, TEMPORARY), { recursive: true, force: true });
    await mkdir(join(base, TEMPORARY));
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/** Does what needs the folder of a path, and makes it when it turns out to be missing. */
async function withFolder<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    await mkdir(dirname(path), { recursive: true });
    return act();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function keysIn(base: string, folder: string, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for (const entry of (await orNull(readdir(join(base, folder), { withFileTypes: true }))) ?? []) {
    if (entry.name.startsWith(".")) continue;
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) for (const key of await keysIn(base, path, prefix)) keys.push(key);
    else if (keyOf(path).startsWith(prefix)) keys.push(keyOf(path));
  }
  return keys;
}

/** Null for what is not there; every other reason, with its path, is the caller's to know. */
async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return null;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
