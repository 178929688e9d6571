/**
 * One owner of a folder at a time. The lock is a file that names its process; the lock of a process that is gone is
 * taken over without a hand, also after kill -9 and where a new container's process has the old one's number.
 */
import { closeSync, openSync, readdirSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { makeFolder } from "./fs-folder.ts";

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** When the process started, where the system tells: numbers of processes are used again. */
  readonly started: string | null;
}

const NAME = /^\.lock\.(\d{1,9})$/;
/** Processes that find a dead lock at the same moment go round again; more rounds than this is something else. */
const ROUNDS = 20;

/**
 * Takes the folder; what it gives lets go of it.
 *
 * Locks are numbered: whoever finds the latest dead creates the next number, which only one can.
 * @throws Error when a living process, this one included, has the folder
 */
export function lockFolder(base: string): () => void {
  makeFolder(base);
  for (let round = 0; round < ROUNDS; round++) {
    const before = locksIn(base);
    for (const number of before) refuseIfAlive(base, number);
    const number = (before.at(-1) ?? 0) + 1;
    if (!createLock(base, number)) continue;
    // Another may have taken a number that was free when it looked.
    const others = locksIn(base).filter((other) => other !== number);
    try {
      for (const other of others) refuseIfAlive(base, other);
    } catch (error) {
      removeLock(base, number);
      throw error;
    }
    for (const other of others) removeLock(base, other);
    return () => removeLock(base, number);
  }
  throw new Error(`The folder ${base} cannot be locked: other processes keep taking the lock.`);
}

const pathOf = (base: string, number: number) => join(base, `.lock.${number}`);

function locksIn(base: string): number[] {
  return readdirSync(base)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
}

function createLock(base: string, number: number): boolean {
  let file: number;
  try {
    file = openSync(pathOf(base, number), "wx");
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  const owner: Owner = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
  writeSync(file, JSON.stringify(owner));
  closeSync(file);
  return true;
}

function removeLock(base: string, number: number): void {
  try {
    unlinkSync(pathOf(base, number));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

function refuseIfAlive(base: string, number: number): void {
  const owner = readOwner(base, number);
  if (owner === null || !isAlive(owner)) return;
  const who = owner.pid === process.pid ? "this process already" : `process ${owner.pid}`;
  throw new Error(
    `The folder ${base} is in use by ${who}. One driver at a time can own it: ` +
      "use the same driver for both, or another folder.",
  );
}

/** Null for a lock that went away, and for one whose process died before it had written its name. */
function readOwner(base: string, number: number): Owner | null {
  try {
    const owner: Partial<Owner> = JSON.parse(readFileSync(pathOf(base, number), "utf8"));
    if (typeof owner.pid !== "number" || typeof owner.host !== "string") return null;
    return { pid: owner.pid, host: owner.host, started: owner.started ?? null };
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function isAlive({ pid, host, started }: Owner): boolean {
  // A process of another machine or container cannot be asked. Should it be alive, it meets our log records, which are
  // created exclusively, and stops: better than a folder that needs a hand after every crash.
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
  return started === null || started === startOf(pid);
}

/** Boot and start time of a process; null where the system does not tell. */
function startOf(pid: number): string | null {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in brackets, may hold anything; the start time is the 20th field behind it.
    return `${boot} ${status.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? ""}`;
  } catch {
    return null;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
