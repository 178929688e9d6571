/**
 * The gate of a folder: a subfolder `.gate.N` that only the latest owner has. An owner writes replacements in its gate
 * and moves them out. It moves files into the gate to delete them. The next owner creates a new gate, and empties and
 * removes all others before it reads. In a removed folder, the system neither finds nor creates names. So nothing of an
 * earlier owner can be moved anymore, wherever it was stopped.
 *
 * This also works on network file systems, if they show the same names to all machines at once.
 */
import { statSync } from "node:fs";
import { mkdir, readdir, rename, rmdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { systemErrorCode } from "../../../src/errors.ts";
import { fenced } from "../../../src/ports/driver.ts";
import type { QuickCall } from "./quick-calls.ts";

export interface FsGate {
  readonly generation: number;
  /** Returns an unused path within the gate. */
  newPath(): string;
  /** Throws or rejects with `fenced` if the gate has been removed. */
  verify(): void | Promise<void>;
}

/** Closed gates keep their number until they are removed, so that no number is used twice. */
const NAME = /^\.gate\.(\d{1,15})(\.closed)?$/;

/** @param after The new generation exceeds this number too: a copy of a folder may lack its gate. */
export async function openGate(base: string, after: number, quickCall: QuickCall): Promise<FsGate> {
  const generation = await createNextGate(base, after);
  for (const { name, number } of await gatesIn(base)) {
    if (number < generation) await closeGate(base, name);
  }
  const path = join(base, `.gate.${generation}`);
  let files = 0;
  const gate = {
    generation,
    newPath: () => join(path, String(files++)),
    verify() {
      try {
        const found = quickCall(
          () => statSync(path),
          () => stat(path),
        );
        return found instanceof Promise ? found.then(ignore, throwAsFenced) : undefined;
      } catch (error) {
        return throwAsFenced(error);
      }
    },
  };
  // Another owner may have opened a gate with a higher number meanwhile.
  await gate.verify();
  return gate;
}

async function createNextGate(base: string, after: number): Promise<number> {
  for (;;) {
    const last = (await gatesIn(base)).reduce((max, { number }) => Math.max(max, number), after);
    try {
      await mkdir(join(base, `.gate.${last + 1}`));
      return last + 1;
    } catch (error) {
      if (systemErrorCode(error) !== "EEXIST") throw error;
    }
  }
}

async function gatesIn(base: string): Promise<{ readonly name: string; readonly number: number }[]> {
  return (await readdir(base)).flatMap((name) => {
    const number = NAME.exec(name)?.[1];
    return number === undefined ? [] : [{ name, number: Number(number) }];
  });
}

async function closeGate(base: string, name: string): Promise<void> {
  const closed = join(base, name.endsWith(".closed") ? name : `${name}.closed`);
  // After the rename, nothing new can be added, so emptying it terminates.
  if (!name.endsWith(".closed")) await unlessMissing(rename(join(base, name), closed));
  for (;;) {
    const files = (await unlessMissing(readdir(closed))) ?? [];
    await Promise.all(files.map((file) => unlessMissing(unlink(join(closed, file)))));
    try {
      await unlessMissing(rmdir(closed));
      return;
    } catch (error) {
      if (systemErrorCode(error) !== "ENOTEMPTY") throw error;
    }
  }
}

/** Ignores missing files, because another process that takes over may be closing the same gate. */
async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const ignore = () => undefined;

function throwAsFenced(error: unknown): never {
  throw isMissing(error) ? fenced(error) : error;
}

function isMissing(error: unknown): boolean {
  return systemErrorCode(error) === "ENOENT";
}
