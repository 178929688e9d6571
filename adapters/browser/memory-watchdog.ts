/** Kills browser processes that exceed the memory limit of a page. */
import { readFile } from "node:fs/promises";
import process from "node:process";
import type { CDPSession } from "playwright-core";
import { KIBIBYTE } from "../../src/encoding/bytes.ts";

export interface MemoryWatchdog {
  /** Whether it killed a process within the last seconds. If so, the page that just crashed exceeded the limit. */
  hasEnded(): boolean;
  stop(): void;
}

/** Milliseconds between checks. A page can allocate a few hundred MiB in this time. */
const CHECK_INTERVAL_MS = 200;
const RECENT_MS = 5_000;

export function startMemoryWatchdog(session: CDPSession, limitBytes: number): MemoryWatchdog {
  let endedAt = Number.NEGATIVE_INFINITY;
  let isChecking = false;

  async function checkProcesses(): Promise<void> {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    for (const { type, id } of processInfo) {
      if (type !== "renderer" || (await memoryOf(id)) <= limitBytes) continue;
      endedAt = Date.now();
      process.kill(id, "SIGKILL");
    }
  }

  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    checkProcesses()
      .catch(() => undefined) // the browser or the process has exited
      .finally(() => {
        isChecking = false;
      });
  }, CHECK_INTERVAL_MS);
  return {
    hasEnded: () => Date.now() - endedAt < RECENT_MS,
    stop: () => clearInterval(timer),
  };
}

/** Memory of the process itself in bytes, without the program code that all processes share. */
async function memoryOf(id: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${id}/status`, "utf8");
    const kibibytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s*(\d+) kB/gm)].map(([, digits]) => Number(digits));
    return KIBIBYTE * kibibytes.reduce((sum, one) => sum + one, 0);
  } catch {
    return 0; // no `/proc`, or the process has exited
  }
}
