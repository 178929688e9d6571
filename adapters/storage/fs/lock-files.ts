/** The lock folders on disk: `.owner.N` for a lock, and `.preparing.ID` for one that is not published yet. */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode } from "../../../src/errors.ts";

/** What a lock says about its owner. */
export interface Owner {
  readonly id: string;
  /** ID of the kernel that the owner runs on (`fs-lock-kernel.ts`). */
  readonly kernel: string;
  /** Device number of the file system. A socket is only reachable through the same mount. */
  readonly device: number | null;
  /** Whether a socket shows if the owner is alive. */
  readonly hasSocket: boolean;
  /** Only for error messages. Neither field shows whether the owner is alive. */
  readonly pid: number;
  readonly host: string;
}

const NAME = /^\.owner\.(\d{1,9})$/;
const PREPARED = ".preparing.";
/** Maximum attempts when other processes take the same number. More failures indicate another problem. */
const MAX_ATTEMPTS = 100;

export const folderOf = (base: string, number: number) => join(base, `.owner.${number}`);
/** Path at which a lock is prepared, so that other processes only see complete locks. */
export const preparedIn = (base: string, id: string) => join(base, PREPARED + id);

/** Publishes the lock under the next number, which only one process can get. */
export function publishLock(base: string, id: string): number {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const number = (locksIn(base).at(-1) ?? 0) + 1;
    try {
      renameSync(preparedIn(base, id), folderOf(base, number));
      return number;
    } catch (error) {
      // Renaming never replaces a folder that is not empty. Windows reports EPERM.
      if (!["ENOTEMPTY", "EEXIST", "EPERM"].includes(String(systemErrorCode(error)))) throw error;
    }
  }
  throw new Error(`The folder ${base} cannot be locked: no lock number could be allocated.`);
}

/** Removes locks of dead processes. A live process whose prepared lock is removed retries and is then refused. */
export function removeOtherLocks(base: string, own: number): void {
  for (const number of locksIn(base)) if (number !== own) removeLock(base, number);
  for (const name of readdirSync(base)) {
    if (name.startsWith(PREPARED)) removePrepared(join(base, name));
  }
}

/** Leaves a lock that its process is still preparing, and is then refused. The next owner removes it. */
function removePrepared(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (systemErrorCode(error) !== "ENOTEMPTY") throw error;
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

/** Returns null if the lock was removed, is being removed, or was incomplete when the power failed. */
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
  return typeof value === "object" && value !== null && "id" in value && "kernel" in value && "hasSocket" in value;
}

/** Returns null if the folder doesn't exist. */
export function deviceOf(folder: string): number | null {
  return statSync(folder, { throwIfNoEntry: false })?.dev ?? null;
}
