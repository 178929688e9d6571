/**
 * A lease on a folder: a file that the owner rewrites regularly. Other processes watch it for a while by their own
 * monotonic clock. Clocks of different machines are never compared.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import { systemErrorCode } from "../../../src/errors.ts";

export interface LeaseTimes {
  /** Milliseconds between renewals. */
  readonly renewalMs: number;
  /** Milliseconds without a change after which the lease has expired. */
  readonly expiryMs: number;
}

const DIGITS = 12;
const CHECKS_PER_RENEWAL = 4;
const fileOf = (folder: string) => join(folder, "lease");
const textOf = (count: number) => String(count).padStart(DIGITS, "0");

/** Creates the file without renewing it. */
export function prepareLease(folder: string): void {
  writeFileSync(fileOf(folder), textOf(0));
}

/** Renews the lease until it is stopped or the folder is removed. Doesn't keep the process alive. */
export function startLease(folder: string, { renewalMs }: LeaseTimes): () => void {
  let count = 0;
  let isWriting = false;
  const timer = setInterval(renew, renewalMs).unref();

  async function renew(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    try {
      // Written in place: this works on a full disk, and doesn't recreate a lease that was removed.
      await writeFile(fileOf(folder), textOf(++count), { flag: "r+" });
    } catch (error) {
      if (systemErrorCode(error) === "ENOENT") clearInterval(timer);
    }
    isWriting = false;
  }

  return () => clearInterval(timer);
}

/** Whether the lease is renewed: true as soon as it changes, false if it doesn't change in time or is removed. */
export async function isRenewed(folder: string, { renewalMs, expiryMs }: LeaseTimes): Promise<boolean> {
  const first = read(folder);
  const start = performance.now();
  for (;;) {
    // Checked before reading, so that a process that was suspended meanwhile reads once more.
    const isExpired = performance.now() - start >= expiryMs;
    const found = read(folder);
    if (found === null) return false;
    if (found !== first) return true;
    if (isExpired) return false;
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
