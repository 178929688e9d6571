/**
 * One owner of a folder at a time.
 *
 * A lock is a folder `.owner.N` within it: who the owner is, a socket that its process listens on, and a lease that it
 * renews. It is prepared under another name and renamed, so a process that sees it sees all of it, and of two that want one
 * number only one gets it.
 *
 * On one kernel the socket decides, at once: the kernel answers for a process that lives, also a stopped one and one in
 * another container, and refuses for a dead one. Across kernels, and where the folder cannot hold a socket, a lock counts
 * as long as its lease is seen to change. No process id, host name or clock is compared.
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { systemErrorCode } from "../../src/errors.ts";
import { makeFolder } from "./fs-folder.ts";
import {
  deviceOf,
  folderOf,
  locksIn,
  type Owner,
  ownerOf,
  preparedIn,
  publishLock,
  removeLock,
  removeOtherLocks,
  writeOwner,
} from "./fs-lock-files.ts";
import { kernelId } from "./fs-lock-kernel.ts";
import { isRenewed, type LeaseTimes, prepareLease, startLease } from "./fs-lock-lease.ts";
import { isAnswered, type Listening, listenIn } from "./fs-lock-socket.ts";

/** Where a process takes locks; tests replace parts of it. */
export interface LockPlace {
  readonly kernel: string;
  readonly times: LeaseTimes;
  listen(folder: string, id: string): Promise<Listening | null>;
  warn(message: string): void;
}

/** A lock of this process that others can see. */
interface Held {
  readonly number: number;
  readonly id: string;
  release(): void;
}

const MAX_ATTEMPTS = 100;
/** How long the one that came first waits for those that came second to see it and leave. */
const RELEASE_TIMEOUT_MS = 20_000;
const CHECK_INTERVAL_MS = 10;
/** The locks of this process: a process id may be that of another process in another namespace. */
const ours = new Set<string>();

function thisPlace(): LockPlace {
  return {
    kernel: kernelId(),
    times: { renewalMs: 1_000, silenceMs: 10_000 },
    listen: listenIn,
    warn: (message) => process.emitWarning(message, { type: "StepwellWarning", code: "STEPWELL_LEASE" }),
  };
}

/**
 * Takes the folder; what it gives lets go of it. The lock of a process that died is taken over without a hand: at once on
 * the same kernel, on another one after its lease was silent for 10 seconds.
 *
 * @throws Error when a living process, this one included, has the folder
 */
export async function lockFolder(base: string, place: LockPlace = thisPlace()): Promise<() => void> {
  const dead = new Set<string>();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    makeFolder(base);
    await refuseIfAlive(base, locksIn(base), dead, place);
    const held = await takeNumber(base, place);
    if (held === null) continue;
    try {
      await outlast(base, held, dead, place);
    } catch (error) {
      held.release();
      throw error;
    }
    removeOtherLocks(base, held.number);
    return held.release;
  }
  throw new Error(`The folder ${base} cannot be locked: other processes keep acquiring the lock.`);
}

/**
 * Waits until no other lock is of a living process. Nobody owns the folder who has not seen that after its own lock was
 * there to be seen: so of two, at least one sees the other. A process that sees a lower number leaves; the lowest waits for that.
 */
async function outlast(base: string, held: Held, dead: Set<string>, place: LockPlace): Promise<void> {
  const start = performance.now();
  for (;;) {
    // A process that owns the folder meanwhile does not leave, and removes our lock.
    const isLate = performance.now() - start > RELEASE_TIMEOUT_MS || ownerOf(base, held.number)?.id !== held.id;
    const others = locksIn(base).filter((number) => number !== held.number);
    const [lower, higher] = [others.filter((one) => one < held.number), others.filter((one) => one > held.number)];
    await refuseIfAlive(base, isLate ? others : lower, dead, place);
    if ((await livingOwner(base, higher, dead, place)) === null) break;
    await sleep(CHECK_INTERVAL_MS);
  }
  if (ownerOf(base, held.number)?.id === held.id) return;
  throw new Error(`The folder ${base} cannot be locked: another process removed the lock while it was being acquired.`);
}

async function refuseIfAlive(
  base: string,
  numbers: readonly number[],
  dead: Set<string>,
  place: LockPlace,
): Promise<void> {
  const owner = await livingOwner(base, numbers, dead, place);
  if (owner === null) return;
  const who = ours.has(owner.id) ? "another driver of this process" : `process ${owner.pid} on ${owner.host}`;
  throw new Error(
    `The folder ${base} is in use by ${who}. Only one driver at a time can own it: ` +
      "use the same driver for both, or a different folder.",
  );
}

/** One of these owners that lives; null when none does. Who was found dead stays dead. */
async function livingOwner(
  base: string,
  numbers: readonly number[],
  dead: Set<string>,
  place: LockPlace,
): Promise<Owner | null> {
  const found = await Promise.all(
    numbers.map(async (number) => {
      const owner = ownerOf(base, number);
      if (owner === null || dead.has(owner.id)) return null;
      if (await isAlive(owner, folderOf(base, number), place)) return owner;
      dead.add(owner.id);
      return null;
    }),
  );
  return found.find((owner) => owner !== null) ?? null;
}

async function isAlive(owner: Owner, folder: string, place: LockPlace): Promise<boolean> {
  const isNear = owner.kernel === place.kernel && owner.device === deviceOf(folder);
  const isThere = owner.listens && isNear ? await isAnswered(folder, owner.id) : null;
  return isThere ?? isRenewed(folder, place.times);
}

/** Makes a lock under the number behind the last one. Null when another process, which owns the folder, cleared it away. */
async function takeNumber(base: string, place: LockPlace): Promise<Held | null> {
  const id = randomUUID();
  const prepared = preparedIn(base, id);
  mkdirSync(prepared);
  const listening = await place.listen(prepared, id);
  try {
    const near = { kernel: place.kernel, device: deviceOf(prepared), listens: listening !== null };
    writeOwner(prepared, { id, ...near, pid: process.pid, host: hostname() });
    prepareLease(prepared);
    const number = publishLock(base, id);
    if (listening === null) place.warn(noSocket(base, place.times));
    return hold(base, { number, id, listening, times: place.times });
  } catch (error) {
    listening?.close();
    rmSync(prepared, { recursive: true, force: true });
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

function hold(
  base: string,
  { number, id, listening, times }: { number: number; id: string; listening: Listening | null; times: LeaseTimes },
): Held {
  const stopLease = startLease(folderOf(base, number), times);
  ours.add(id);
  return {
    number,
    id,
    release() {
      stopLease();
      // Another process may have taken over a lease that was not renewed, and have a lock of its own there.
      if (ownerOf(base, number)?.id === id) removeLock(base, number);
      listening?.close();
      ours.delete(id);
    },
  };
}

function noSocket(base: string, { silenceMs }: LeaseTimes): string {
  return (
    `The folder ${base} does not support Unix sockets, so a lease locks it. After a crash, the next start waits ` +
    `${silenceMs / 1_000} seconds.`
  );
}
