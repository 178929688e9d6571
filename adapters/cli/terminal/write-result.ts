/** Writes a document that a command produces: to a file, or to standard output. */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { wrongUse } from "./failure.ts";
import { printJson, printMessage, type Shell } from "./shell.ts";

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
    shell.output.write(text);
    return;
  }
  await writeFile(resolve(shell.cwd, out), text).catch((error: unknown) => {
    throw wrongUse(`${out} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (isJson) printJson(shell, { file: out, bytes: Buffer.byteLength(text) });
  else printMessage(shell, `Wrote ${out}${about === "" ? "" : `: ${about}`}`);
}
