/** Creates, replaces, copies and moves whole files, and flushes them with their folders. Creates missing folders. */
import { constants, rename as renameWithCallback, writeFile as writeFileWithCallback } from "node:fs";
import { copyFile, type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { systemErrorCode } from "../../../src/errors.ts";
import { alreadyExists } from "../../../src/ports/driver.ts";
import { writeWhole } from "./growing-files.ts";

/** Those of node:fs/promises use more CPU. A checkpoint writes a file for each document. */
const rename = promisify(renameWithCallback);
const writeFile = promisify(writeFileWithCallback);

export interface FsFiles {
  /** Opens a new file. Rejects with `alreadyExists` if it exists. */
  openNew(key: string, path: string): Promise<FileHandle>;
  /** Writes a new file, which a crash may leave incomplete. Rejects with `alreadyExists` if it exists. */
  create(key: string, path: string, value: string | Uint8Array): Promise<void>;
  /** Writes a temporary file, whose folder must exist, and renames it. Replaces an existing file atomically. */
  replace(path: string, value: string | Uint8Array, temporary: string): Promise<void>;
  /** Copies a file to a new path, whose folder must exist. */
  copy(path: string, copy: string): Promise<void>;
  /** Renames a file, whose bytes must be flushed already. Replaces an existing one. */
  move(from: string, path: string): Promise<void>;
}

/**
 * @param base The folder above all files.
 * @param sync Whether to flush writes to the disk.
 */
export function createFsFiles(base: string, sync: boolean): FsFiles {
  const syncFolders = createFolderSync(base);

  /** Deletes the file if it cannot be written completely. */
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

  /** Writes a file that does not exist, and deletes it if it cannot be written completely. */
  async function writeTemporary(path: string, value: string | Uint8Array): Promise<void> {
    if (sync || typeof value !== "string") return write(await open(path, "wx"), path, value);
    try {
      await writeFile(path, value, { flag: "wx" });
    } catch (error) {
      await unlink(path).catch(() => undefined);
      throw error;
    }
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
    if (sync) await syncFolders(dirname(path));
  }

  return {
    async openNew(key, path) {
      const file = await openNew(key, path);
      if (!sync) return file;
      try {
        await syncFolders(dirname(path));
        return file;
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    async create(key, path, value) {
      await write(await openNew(key, path), path, value);
      if (sync) await syncFolders(dirname(path));
    },

    async replace(path, value, temporary) {
      await writeTemporary(temporary, value);
      try {
        await move(temporary, path);
      } catch (error) {
        await unlink(temporary).catch(() => undefined);
        throw error;
      }
    },

    async copy(path, copy) {
      await copyFile(path, copy, constants.COPYFILE_FICLONE);
      if (!sync) return;
      const file = await open(copy, "r+"); // Windows flushes only files that are open for writing
      try {
        await file.datasync();
      } finally {
        await file.close();
      }
    },

    move,
  };
}

/** Runs an operation. If the folder of the path is missing, creates it and retries. */
async function withFolder<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") throw error;
    await mkdir(dirname(path), { recursive: true });
    return act();
  }
}

/** Maximum number of folders whose names are known to be on the disk: those of the log and of the blobs being written. */
const MAX_KNOWN_FOLDERS = 1_000;

/**
 * Returns a function that flushes a folder, so that the names in it survive a power failure. The first time, it
 * flushes all folders above, too: any of them may just have been created, by this write or a concurrent one.
 */
function createFolderSync(base: string): (folder: string) => Promise<void> {
  /** Folders whose names, and those of all folders above, are on the disk. */
  const known = new Set<string>();

  return async (folder) => {
    // Windows can't flush folders. NTFS keeps a journal of them.
    if (process.platform === "win32") return;
    await syncFolder(folder);
    if (known.has(folder)) return;
    for (let path = folder; path !== base; path = dirname(path)) await syncFolder(dirname(path));
    await syncParents(base);
    if (known.size >= MAX_KNOWN_FOLDERS) known.clear();
    known.add(folder);
  };
}

/** Errors for a folder that this process may not read, so cannot have created, or of a kind that cannot be flushed. */
const UNSYNCABLE_CODES = ["EACCES", "EPERM", "EINVAL"];

/** Flushes the folders above, up to the first that cannot be flushed. */
async function syncParents(base: string): Promise<void> {
  try {
    for (let path = base; path !== dirname(path); path = dirname(path)) await syncFolder(dirname(path));
  } catch (error) {
    if (!UNSYNCABLE_CODES.includes(systemErrorCode(error) ?? "")) throw error;
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

/** Returns null if the file doesn't exist. Other errors are passed on with their path. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT" || systemErrorCode(error) === "ENOTDIR") return null;
    throw error;
  }
}
