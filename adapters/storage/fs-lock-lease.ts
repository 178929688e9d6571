/**
 * A lease on a folder: a file that its owner writes anew every so often. Whether it is renewed is seen by watching it for
 * a while, by one's own monotonic clock: the clocks of two machines are never compared.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import { systemErrorCode } from "../../src/errors.ts";

export interface LeaseTimes {
  /** How often the owner renews it. */
  readonly renewalMs: number;
  /** How long it must be watched without a change until it counts as given up. */
  readonly silenceMs: number;
}

const DIGITS = 12;
const CHECKS_PER_RENEWAL = 4;
const fileOf = (folder: string) => join(folder, "lease");
const textOf = (count: number) => String(count).padStart(DIGITS, "0");

/** Makes the file, which nobody renews yet. */
export function prepareLease(folder: string): void {
  writeFileSync(fileOf(folder), textOf(0));
}

/** Renews the lease until told to stop, or until the folder is gone. Does not keep the process alive. */
export function startLease(folder: string, { renewalMs }: LeaseTimes): () => void {
  let count = 0;
  let isWriting = false;
  const timer = setInterval(renew, renewalMs).unref();

  async function renew(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    try {
      // In place: works on a full disk too, and does not bring a lease back that somebody has removed.
      await writeFile(fileOf(folder), textOf(++count), { flag: "r+" });
    } catch (error) {
      if (systemErrorCode(error) === "ENOENT") clearInterval(timer);
    }
    isWriting = false;
  }

  return () => clearInterval(timer);
}

/** Whether somebody renews it: true as soon as it changes, false when it does not for all of the time, or goes away. */
export async function isRenewed(folder: string, { renewalMs, silenceMs }: LeaseTimes): Promise<boolean> {
  const first = read(folder);
  const start = performance.now();
  for (;;) {
    // Before the look: a process that was stopped meanwhile looks once more when it goes on.
    const isOver = performance.now() - start >= silenceMs;
    const found = read(folder);
    if (found === null) return false;
    if (found !== first) return true;
    if (isOver) return false;
    await sleep(renewalMs / CHECKS_PER_RENEWAL);
  }
}

function read(folder: string): string | null {
  try {
    return readFileSync(fileOf(folder), "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}
