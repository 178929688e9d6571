/** Locks as they stand in a folder: `.owner.N` for each, and `.preparing.ID` for one that is not to be seen yet. */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode } from "../../src/errors.ts";

/** What a lock says of its owner. */
export interface Owner {
  readonly id: string;
  /** See {@link kernelId}. */
  readonly kernel: string;
  /** Of the file system, as the kernel numbers what is mounted: a socket is found through the same mount only. */
  readonly device: number | null;
  /** Whether a socket tells if the owner lives. */
  readonly listens: boolean;
  /** For people who read the error; neither tells whether the owner lives. */
  readonly pid: number;
  readonly host: string;
}

const NAME = /^\.owner\.(\d{1,9})$/;
const PREPARED = ".preparing.";
/** Others that take the same number at the same moment; more often than this is something else. */
const MAX_ATTEMPTS = 100;

export const folderOf = (base: string, number: number) => join(base, `.owner.${number}`);
/** Where a lock is prepared: a process that sees it by its number sees all of it. */
export const preparedIn = (base: string, id: string) => join(base, PREPARED + id);

/** Gives the lock its number: the one behind the last, which only one can take. */
export function publishLock(base: string, id: string): number {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const number = (locksIn(base).at(-1) ?? 0) + 1;
    try {
      renameSync(preparedIn(base, id), folderOf(base, number));
      return number;
    } catch (error) {
      // A folder that holds something is never replaced. Windows says EPERM for it.
      if (!["ENOTEMPTY", "EEXIST", "EPERM"].includes(String(systemErrorCode(error)))) throw error;
    }
  }
  throw new Error(`The folder ${base} cannot be locked: no lock number could be allocated.`);
}

/** What dead processes left. A living one that only prepares its lock begins anew, and is refused then. */
export function removeOtherLocks(base: string, own: number): void {
  for (const number of locksIn(base)) if (number !== own) removeLock(base, number);
  for (const name of readdirSync(base)) {
    if (name.startsWith(PREPARED)) rmSync(join(base, name), { recursive: true, force: true });
  }
}

export function removeLock(base: string, number: number): void {
  rmSync(folderOf(base, number), { recursive: true, force: true });
}

export function locksIn(base: string): number[] {
  return readdirSync(base)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
}

export function writeOwner(folder: string, owner: Owner): void {
  writeFileSync(join(folder, "owner.json"), JSON.stringify(owner));
}

/** Null for a lock that went away, is just being removed, or was written when the power failed. */
export function ownerOf(base: string, number: number): Owner | null {
  try {
    const found: unknown = JSON.parse(readFileSync(join(folderOf(base, number), "owner.json"), "utf8"));
    return isOwner(found) ? found : null;
  } catch (error) {
    if (error instanceof SyntaxError || systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

function isOwner(value: unknown): value is Owner {
  return typeof value === "object" && value !== null && "id" in value && "kernel" in value && "listens" in value;
}

/** Null for what went away. */
export function deviceOf(folder: string): number | null {
  return statSync(folder, { throwIfNoEntry: false })?.dev ?? null;
}
