/** Keeps files open while they are appended to, which is much cheaper than opening a file for each write. */
import { writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { KIBIBYTE } from "../../../src/encoding/bytes.ts";
import type { ItemWriter } from "../../../src/ports/driver.ts";
import type { QuickCall } from "./quick-calls.ts";

export interface FsGrowingFiles {
  /** Continues writing after `size` bytes. */
  open(file: FileHandle, size: number): ItemWriter;
  /** Closes all open files. */
  close(): Promise<void>;
}

/** Up to this length, the event loop writes. */
const MAX_SHORT_BYTES = 64 * KIBIBYTE;

/** @param sync Whether to flush each write to the disk. */
export function createFsGrowingFiles(sync: boolean, quickCall: QuickCall): FsGrowingFiles {
  const files = new Set<FileHandle>();

  return {
    open(file, size) {
      files.add(file);
      let position = size;
      return {
        write(data) {
          const bytes = typeof data === "string" ? Buffer.from(data) : data;
          const start = position;
          position += bytes.length;
          const onThread = () => writeWhole(file, bytes, start);
          if (sync) return onThread().then(() => file.datasync());
          if (bytes.length > MAX_SHORT_BYTES) return onThread();
          return quickCall(() => writeWholeAtOnce(file, bytes, start), onThread);
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
export async function writeWhole(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
  }
}

function writeWholeAtOnce({ fd }: FileHandle, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, position + at);
}
