/**
 * The gate of a folder: a folder within it, `.gate.N`, that only its latest owner has. Whatever replaces a file is written
 * in the gate and moved out of it, and whatever is removed is moved into it first. The next owner makes a gate of its own,
 * and empties and removes all others before it reads: in a folder that is removed the system finds no name and makes
 * none, so that nothing of an earlier owner can be moved any more, wherever it was stopped.
 *
 * Works over folders that machines share, too, as far as the file system shows every machine the same names at once.
 */
import { mkdir, readdir, rename, rmdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { systemErrorCode } from "../../src/errors.ts";
import { fenced } from "../../src/ports/driver.ts";

export interface FsGate {
  readonly generation: number;
  /** A name within the gate that nothing has. */
  newPath(): string;
  /** Rejects with `fenced` when the gate is gone. */
  verify(): Promise<void>;
}

/** Gates that were taken out of use keep their number until they are removed, so that none is given twice. */
const NAME = /^\.gate\.(\d{1,15})(\.closed)?$/;

export async function openGate(base: string): Promise<FsGate> {
  const generation = await makeNext(base);
  for (const { name, number } of await gatesIn(base)) {
    if (number < generation) await closeGate(base, name);
  }
  const path = join(base, `.gate.${generation}`);
  let files = 0;
  const gate = {
    generation,
    newPath: () => join(path, String(files++)),
    async verify() {
      await stat(path).catch((error: unknown) => {
        throw isMissing(error) ? fenced(error) : error;
      });
    },
  };
  // Another owner may have opened a higher one meanwhile.
  await gate.verify();
  return gate;
}

async function makeNext(base: string): Promise<number> {
  for (;;) {
    const last = (await gatesIn(base)).reduce((most, { number }) => Math.max(most, number), 0);
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
  // Under another name nothing new comes into it, so that emptying it ends.
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

/** Another process that takes over may be closing the same gate. */
async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return systemErrorCode(error) === "ENOENT";
}
