/** Ends processes of a browser that take more memory than a page may. */
import { readFile } from "node:fs/promises";
import process from "node:process";
import type { CDPSession } from "playwright-core";

export interface MemoryWatchdog {
  /** Whether a process was ended within the last seconds: the page that has crashed just now is the one. */
  hasEnded(): boolean;
  stop(): void;
}

/** Milliseconds between looks: a page fills some hundred MiB in it. */
const CHECK_INTERVAL_MS = 200;
const RECENT_MS = 5_000;
const KIBI = 1024;

export function startMemoryWatchdog(session: CDPSession, most: number): MemoryWatchdog {
  let endedAt = Number.NEGATIVE_INFINITY;
  let isChecking = false;

  async function checkProcesses(): Promise<void> {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    for (const { type, id } of processInfo) {
      if (type !== "renderer" || (await memoryOf(id)) <= most) continue;
      endedAt = Date.now();
      process.kill(id, "SIGKILL");
    }
  }

  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    checkProcesses()
      .catch(() => undefined) // the browser is gone, or the process is
      .finally(() => {
        isChecking = false;
      });
  }, CHECK_INTERVAL_MS);
  return {
    hasEnded: () => Date.now() - endedAt < RECENT_MS,
    stop: () => clearInterval(timer),
  };
}

/** Bytes that are its own: the program itself is shared by all. */
async function memoryOf(id: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${id}/status`, "utf8");
    const kibibytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s*(\d+) kB/gm)].map(([, digits]) => Number(digits));
    return KIBI * kibibytes.reduce((sum, one) => sum + one, 0);
  } catch {
    return 0; // no such system, or no such process any more
  }
}
