/** Reads a file of an app into memory, up to a limit. */
import { MEBIBYTE, readBytes } from "../encoding/bytes.ts";
import { StepwellError } from "../errors.ts";
import type { Files } from "./files.ts";

export interface FileBytes {
  readonly name: string;
  readonly mime_type: string;
  readonly bytes: Uint8Array;
}

/** @throws StepwellError `not_found`, `too_large` */
export type ReadFile = (appId: string, fileId: string, maxBytes: number) => Promise<FileBytes>;

export function createReadFile(files: Pick<Files, "content">): ReadFile {
  return async (appId, fileId, maxBytes) => {
    const { file, body } = await files.content(appId, fileId);
    const { name, mime_type, size } = file;
    if (size > maxBytes) {
      await body.cancel();
      const message = `The file ${JSON.stringify(name)} exceeds ${Math.floor(maxBytes / MEBIBYTE)} MiB.`;
      throw new StepwellError("too_large", message);
    }
    return { name, mime_type, bytes: await readBytes(body) };
  };
}
