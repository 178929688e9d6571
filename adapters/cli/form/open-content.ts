/** Opens what is uploaded: a file, a pipe, or standard input. */
import { createReadStream, openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { unreadable } from "../json/read-json.ts";
import { wrongUse } from "../terminal/failure.ts";
import type { Shell } from "../terminal/shell.ts";

export interface OpenedContent {
  readonly name: string;
  /** A stream is read to its end; the server refuses what is too large. */
  readonly body: Blob | AsyncIterable<Uint8Array>;
}

/**
 * @param path `-` for standard input.
 * @throws CommandError with exit code 2 for what is no file and no pipe
 */
export async function openContent(path: string, { cwd, input }: Pick<Shell, "cwd" | "input">): Promise<OpenedContent> {
  if (path === "")
    throw wrongUse("The path of the file is empty.", "Pass the path of a file, or - for standard input.");
  if (path === "-") return { name: "stdin", body: input };
  const full = resolve(cwd, path);
  const name = basename(path);
  try {
    const found = await stat(full);
    if (found.isDirectory()) throw wrongUse(`${path} is a folder.`, "Pass a file.");
    if (found.isCharacterDevice() || found.isBlockDevice()) {
      throw wrongUse(`${path} is a device, and no file with an end.`, "Pass a file, a pipe, or - for standard input.");
    }
    // Pipes have no size, and files below /proc say that theirs is 0.
    if (found.isFile() && found.size > 0) return { name, body: await openAsBlob(full) };
    return { name, body: pieces(path, full) };
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function* pieces(path: string, full: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const bytes of createReadStream(full)) yield bytes;
  } catch (error) {
    throw unreadable(path, error);
  }
}
