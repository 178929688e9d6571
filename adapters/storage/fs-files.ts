/** Files that are there whole or not at all, with the folders that they need. */
import { type FileHandle, mkdir, open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { systemErrorCode } from "../../src/errors.ts";
import { alreadyExists } from "../../src/ports/driver.ts";
import { writeWhole } from "./fs-item.ts";

export interface FsFiles {
  /** Opens a new file. Rejects with `alreadyExists` when it is there. */
  openNew(key: string, path: string): Promise<FileHandle>;
  /** Writes a new file; a crash may leave it short. Rejects with `alreadyExists` when it is there. */
  create(key: string, path: string, value: string | Uint8Array): Promise<void>;
  /** Writes a file under another name, whose folder must be there, and gives it its own, also in place of another. */
  replace(path: string, value: string | Uint8Array, temporary: string): Promise<void>;
  /** Gives a file its name, also in place of another. */
  move(from: string, path: string): Promise<void>;
}

/** @param sync Whether what was written is flushed to the disk. */
export function createFsFiles(sync: boolean): FsFiles {
  /** What could not be written whole is gone again. */
  async function write(file: FileHandle, path: string, value: string | Uint8Array): Promise<void> {
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

  async function openNew(key: string, path: string): Promise<FileHandle> {
    try {
      return await withFolder(path, () => open(path, "wx"));
    } catch (error) {
      throw systemErrorCode(error) === "EEXIST" ? alreadyExists(key, error) : error;
    }
  }

  async function move(from: string, path: string): Promise<void> {
    await withFolder(path, () => rename(from, path));
    if (sync) await syncFolder(dirname(path));
  }

  return {
    async openNew(key, path) {
      const file = await openNew(key, path);
      if (sync) await syncFolder(dirname(path));
      return file;
    },

    async create(key, path, value) {
      await write(await openNew(key, path), path, value);
      if (sync) await syncFolder(dirname(path));
    },

    async replace(path, value, temporary) {
      await write(await open(temporary, "wx"), temporary, value);
      try {
        await move(temporary, path);
      } catch (error) {
        await unlink(temporary).catch(() => undefined);
        throw error;
      }
    },

    move,
  };
}

/** Does what needs the folder of a path, and makes it when it turns out to be missing. */
async function withFolder<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") throw error;
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

/** Null for what is not there; every other reason, with its path, is the caller's to know. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT" || systemErrorCode(error) === "ENOTDIR") return null;
    throw error;
  }
}
