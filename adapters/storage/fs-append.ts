/** Appends to a file that stays open: many small writes to one name cost the system much less than as many names. */
import { constants, type FileHandle, open } from "node:fs/promises";

export interface Appender {
  append(path: string, text: string): Promise<void>;
  /** To be called before the file at this path goes, or another takes its place. */
  leave(path: string): Promise<void>;
  close(): Promise<void>;
}

/** @param sync Whether each write is flushed to the disk. */
export function createAppender(sync: boolean): Appender {
  let current: { readonly path: string; readonly file: FileHandle } | null = null;

  async function close(): Promise<void> {
    const last = current;
    current = null;
    await last?.file.close();
  }

  /** The file is known to be there: it is not made. */
  async function openAt(path: string): Promise<FileHandle> {
    if (current?.path === path) return current.file;
    await close();
    const file = await open(path, constants.O_WRONLY | constants.O_APPEND);
    current = { path, file };
    return file;
  }

  return {
    async append(path, text) {
      const file = await openAt(path);
      try {
        await file.writeFile(text);
        if (sync) await file.datasync();
      } catch (error) {
        await close().catch(() => undefined);
        throw error;
      }
    },

    async leave(path) {
      if (current?.path === path) await close();
    },

    close,
  };
}
