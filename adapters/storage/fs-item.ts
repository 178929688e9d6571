/** A file that stays open while it is written piece by piece: each costs the system much less than a file of its own. */
import type { FileHandle } from "node:fs/promises";
import type { ItemWriter } from "../../src/ports/driver.ts";

export interface FsItems {
  /** Goes on behind so many bytes. */
  open(file: FileHandle, size: number): ItemWriter;
  /** Closes those that were left open. */
  close(): Promise<void>;
}

/** @param sync Whether each piece is flushed to the disk. */
export function createFsItems(sync: boolean): FsItems {
  const files = new Set<FileHandle>();

  return {
    open(file, size) {
      files.add(file);
      let position = size;
      return {
        async write(piece) {
          const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
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

/** In one call where the system takes it all, which `writeFile` cuts in two. */
export async function writeWhole(file: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  for (let at = 0; at < bytes.length; ) {
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
  }
  return bytes.length;
}
