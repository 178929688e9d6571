/**
 * Keeps files open while they are appended to, which is much cheaper than opening a file for each write. A file that is lent
 * stays open until all its borrowers are done: the next file could get its number.
 */
import { writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { KIBIBYTE } from "../../../src/encoding/bytes.ts";
import type { ItemWriter, LentFile } from "../../../src/ports/driver.ts";
import type { QuickCall } from "./quick-calls.ts";

export interface FsGrowingFiles {
  /** Continues writing after `size` bytes. */
  open(file: FileHandle, size: number): ItemWriter;
  /** Closes all open files. */
  close(): Promise<void>;
}

/** Up to this length, the event loop writes. */
const MAX_SHORT_BYTES = 64 * KIBIBYTE;

/**
 * @param sync Whether to flush each write to the disk.
 * @param isLocal Whether the files are on a disk of this machine. A write to others may hang, and would hold up a thread that
 * writes for many.
 */
export function createFsGrowingFiles(sync: boolean, isLocal: () => boolean, quickCall: QuickCall): FsGrowingFiles {
  const open = new Set<ItemWriter>();

  return {
    open(file, size) {
      let position = size;
      const lent = new Set<Promise<unknown>>();
      let closing: Promise<void> | undefined;

      async function lend<Answer>(length: number, append: (lent: LentFile) => Promise<Answer>): Promise<Answer> {
        const start = position;
        position += length;
        const answer = append({ descriptor: file.fd, position: start });
        const returned: Promise<unknown> = answer.catch(() => undefined).finally(() => lent.delete(returned));
        lent.add(returned);
        return answer;
      }

      async function close(): Promise<void> {
        open.delete(item);
        await Promise.all(lent);
        await file.close();
      }

      const item: ItemWriter = {
        write(data) {
          const bytes = typeof data === "string" ? Buffer.from(data) : data;
          const start = position;
          position += bytes.length;
          const onThread = () => writeWhole(file, bytes, start);
          if (sync) return onThread().then(() => file.datasync());
          if (bytes.length > MAX_SHORT_BYTES) return onThread();
          return quickCall(() => writeWholeAtOnce(file, bytes, start), onThread);
        },
        lend: sync || !isLocal() ? undefined : lend,
        close() {
          closing ??= close();
          return closing;
        },
      };
      open.add(item);
      return item;
    },

    async close() {
      await Promise.all([...open].map((item) => item.close()));
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
