/** Writes a document that a command produces: to a file, or to standard output. */
import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type CommandError, wrongUse } from "./failure.ts";
import { isTerminal, printable, printJson, printMessage, type Shell } from "./shell.ts";

interface Result {
  readonly text: string | Uint8Array;
  /** File; `-` or undefined for standard output. */
  readonly out: string | undefined;
  /** Whether to report the file as JSON. */
  readonly isJson: boolean;
  /** What the document contains. */
  readonly about?: string;
}

export async function writeResult(shell: Shell, { text, out, isJson, about = "" }: Result): Promise<void> {
  if (out === undefined || out === "-") {
    // A document in another form than JSON is escaped for a terminal only.
    const isShown = typeof text === "string" && isTerminal(shell.output);
    shell.output.write(isShown ? printable(text) : text);
    return;
  }
  await writeFile(resolve(shell.cwd, out), text).catch((error: unknown) => {
    throw unwritable(out, error);
  });
  if (isJson) printJson(shell, { file: out, bytes: Buffer.byteLength(text) });
  else printMessage(shell, `Wrote ${out}${about === "" ? "" : `: ${about}`}`);
}

/** Writes bytes as they arrive. */
export async function writeStream(shell: Shell, body: AsyncIterable<unknown>, out: string | undefined): Promise<void> {
  if (out === undefined || out === "-") {
    await pipeline(Readable.from(body), shell.output, { end: false });
    return;
  }
  let size = 0;
  const counted = async function* () {
    for await (const bytes of body) {
      if (bytes instanceof Uint8Array) size += bytes.length;
      yield bytes;
    }
  };
  await pipeline(Readable.from(counted()), createWriteStream(resolve(shell.cwd, out)));
  printMessage(shell, `Wrote ${out}: ${size} bytes`);
}

function unwritable(file: string, error: unknown): CommandError {
  return wrongUse(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
}
