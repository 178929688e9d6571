/** Keeps files open while they are appended to, which is much cheaper than opening a file for each write. */
import type { FileHandle } from "node:fs/promises";
import type { ItemWriter } from "../../../src/ports/driver.ts";

export interface FsGrowingFiles {
  /** Continues writing after `size` bytes. */
  open(file: FileHandle, size: number): ItemWriter;
  /** Closes all open files. */
  close(): Promise<void>;
}

/** @param sync Whether to flush each write to the disk. */
export function createFsGrowingFiles(sync: boolean): FsGrowingFiles {
  const files = new Set<FileHandle>();

  return {
    open(file, size) {
      files.add(file);
      let position = size;
      return {
        async write(data) {
          const bytes = typeof data === "string" ? Buffer.from(data) : data;
          position += await writeWhole(file, bytes, position);
          if (sync) await file.datasync();
        },
        async close() {
          if (files.delete(file)) await file.close();
        },
      };
    },

    async close() {
      const left = [...files];
      files.clear();
      await Promise.all(left.map((file) => file.close()));
    },
  };
}

/** Writes in a single call if the system accepts it; `writeFile` would split it. */
export async function writeWhole(file: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  for (let at = 0; at < bytes.length; ) {
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
  }
  return bytes.length;
}
