/**
 * Ensures that only one process at a time owns a folder.
 *
 * A lock is a subfolder `.owner.N`. It contains the owner's identity, a socket that its process listens on, and a lease
 * that it renews. It is prepared under another name and renamed, so other processes only see complete locks, and only
 * one process gets each number.
 *
 * On the same kernel, the socket decides immediately. The kernel accepts connections for a live process, even if it is
 * stopped or in another container, and refuses them for a dead one. Across kernels, or if the folder doesn't support
 * sockets, a lock is valid while its lease keeps changing. Process IDs, host names and clocks are never compared.
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { systemErrorCode } from "../../../src/errors.ts";
import { makeFolder } from "./folder.ts";
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
} from "./lock-files.ts";
import { kernelId } from "./lock-kernel.ts";
import { isRenewed, type LeaseTimes, prepareLease, startLease } from "./lock-lease.ts";
import { isListenerAlive, type Listening, listenIn } from "./lock-socket.ts";

/** The environment of a lock. Tests replace parts of it. */
export interface LockEnvironment {
  readonly kernel: string;
  readonly times: LeaseTimes;
  listen(folder: string, id: string): Promise<Listening | null>;
  warn(message: string): void;
}

/** A published lock of this process. */
interface HeldLock {
  readonly number: number;
  readonly id: string;
  release(): void;
}

const MAX_ATTEMPTS = 100;
/** How long the process with the lowest number waits for others to give up their locks. */
const RELEASE_TIMEOUT_MS = 20_000;
const CHECK_INTERVAL_MS = 10;
/** IDs of this process's locks. Process IDs are not unique across namespaces. */
const ownIds = new Set<string>();

function defaultEnvironment(): LockEnvironment {
  return {
    kernel: kernelId(),
    times: { renewalMs: 1_000, expiryMs: 10_000 },
    listen: listenIn,
    warn: (message) => process.emitWarning(message, { type: "StepwellWarning", code: "STEPWELL_LEASE" }),
  };
}

/**
 * Locks the folder and returns a function that releases it. A dead process's lock is taken over automatically:
 * immediately on the same kernel, otherwise after its lease has not changed for 10 seconds.
 *
 * @throws Error if a live process, including this one, owns the folder.
 */
export async function lockFolder(
  base: string,
  environment: LockEnvironment = defaultEnvironment(),
): Promise<() => void> {
  const dead = new Set<string>();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    makeFolder(base);
    await refuseIfAlive(base, locksIn(base), dead, environment);
    const held = await takeNumber(base, environment);
    if (held === null) continue;
    try {
      await waitForOthers(base, held, dead, environment);
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
 * Waits until no other lock belongs to a live process. Every process checks this after publishing its own lock, so of
 * two processes at least one sees the other. A process that sees a lower number gives its lock up, and the lowest waits
 * for that.
 */
async function waitForOthers(
  base: string,
  held: HeldLock,
  dead: Set<string>,
  environment: LockEnvironment,
): Promise<void> {
  const start = performance.now();
  for (;;) {
    // A process that owns the folder by now keeps its lock and removes this one.
    const isFinalCheck = performance.now() - start > RELEASE_TIMEOUT_MS || ownerOf(base, held.number)?.id !== held.id;
    const others = locksIn(base).filter((number) => number !== held.number);
    const [lower, higher] = [others.filter((one) => one < held.number), others.filter((one) => one > held.number)];
    await refuseIfAlive(base, isFinalCheck ? others : lower, dead, environment);
    if ((await findLiveOwner(base, higher, dead, environment)) === null) break;
    await sleep(CHECK_INTERVAL_MS);
  }
  if (ownerOf(base, held.number)?.id === held.id) return;
  throw new Error(`The folder ${base} cannot be locked: another process removed the lock while it was being acquired.`);
}

async function refuseIfAlive(
  base: string,
  numbers: readonly number[],
  dead: Set<string>,
  environment: LockEnvironment,
): Promise<void> {
  const owner = await findLiveOwner(base, numbers, dead, environment);
  if (owner === null) return;
  const isOwn = ownIds.has(owner.id);
  const ownerName = isOwn ? "another driver of this process" : `process ${owner.pid} on ${owner.host}`;
  const advice = isOwn ? "use the same driver for both" : "stop that process, such as the service";
  throw new Error(
    `the folder ${base} is in use by ${ownerName}. Only one driver at a time can own it: ${advice}, or use a different folder.`,
  );
}

/** Returns a live owner of these locks, or null. Adds dead owners to `dead`. */
async function findLiveOwner(
  base: string,
  numbers: readonly number[],
  dead: Set<string>,
  environment: LockEnvironment,
): Promise<Owner | null> {
  const found = await Promise.all(
    numbers.map(async (number) => {
      const owner = ownerOf(base, number);
      if (owner === null || dead.has(owner.id)) return null;
      if (await isAlive(owner, folderOf(base, number), environment)) return owner;
      dead.add(owner.id);
      return null;
    }),
  );
  return found.find((owner) => owner !== null) ?? null;
}

async function isAlive(owner: Owner, folder: string, environment: LockEnvironment): Promise<boolean> {
  const isSameKernel = owner.kernel === environment.kernel && owner.device === deviceOf(folder);
  const isAliveBySocket = owner.hasSocket && isSameKernel ? await isListenerAlive(folder, owner.id) : null;
  return isAliveBySocket ?? isRenewed(folder, environment.times);
}

/** Publishes a lock under the next number. Returns null if the process that owns the folder has removed it. */
async function takeNumber(base: string, environment: LockEnvironment): Promise<HeldLock | null> {
  const id = randomUUID();
  const prepared = preparedIn(base, id);
  mkdirSync(prepared);
  const listening = await environment.listen(prepared, id);
  try {
    const identity = { kernel: environment.kernel, device: deviceOf(prepared), hasSocket: listening !== null };
    writeOwner(prepared, { id, ...identity, pid: process.pid, host: hostname() });
    prepareLease(prepared);
    const number = publishLock(base, id);
    if (listening === null) environment.warn(noSocketWarning(base, environment.times));
    return holdLock(base, { number, id, listening, times: environment.times });
  } catch (error) {
    listening?.close();
    rmSync(prepared, { recursive: true, force: true });
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

function holdLock(
  base: string,
  { number, id, listening, times }: { number: number; id: string; listening: Listening | null; times: LeaseTimes },
): HeldLock {
  const stopLease = startLease(folderOf(base, number), times);
  ownIds.add(id);
  return {
    number,
    id,
    release() {
      stopLease();
      // Another process may have taken over because the lease was not renewed, and have a lock under the same number.
      if (ownerOf(base, number)?.id === id) removeLock(base, number);
      listening?.close();
      ownIds.delete(id);
    },
  };
}

function noSocketWarning(base: string, { expiryMs }: LeaseTimes): string {
  return (
    `The folder ${base} does not support Unix sockets, so a lease locks it instead. After a crash, the next start waits up to ` +
    `${expiryMs / 1_000} seconds.`
  );
}
