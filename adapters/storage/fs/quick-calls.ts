/**
 * Short calls of the file system. On a local disk, the system only copies to or from its memory, which takes microseconds:
 * handing the call to a thread of the pool, and back, costs more. So the event loop makes it. Threads make it on every other
 * file system, where a call may hang, and where calls have turned out to be slow.
 */
import { statfsSync } from "node:fs";

/** Makes a call on the event loop, whose answer is there at once, or on a thread. */
export type QuickCall = <Answer>(
  onEventLoop: () => Answer,
  onThread: () => Promise<Answer>,
) => Answer | Promise<Answer>;

const SLOW_MS = 1;
/** One slow call may be that of a busy machine. */
const MAX_SLOW_IN_A_ROW = 4;
/** Number of calls on threads before the event loop tries again. */
const CALLS_ON_THREADS = 1_000;

/** @param isLocal Asked once, before the first call. */
export function createQuickCall(isLocal: () => boolean, now = () => performance.now()): QuickCall {
  let slowInARow = 0;
  /** Undefined before the first call. */
  let leftOnThreads: number | undefined;

  return (onEventLoop, onThread) => {
    leftOnThreads ??= isLocal() ? 0 : Number.POSITIVE_INFINITY;
    if (leftOnThreads > 0) {
      leftOnThreads--;
      return onThread();
    }
    const since = now();
    try {
      return onEventLoop();
    } finally {
      slowInARow = now() - since < SLOW_MS ? 0 : slowInARow + 1;
      if (slowInARow >= MAX_SLOW_IN_A_ROW) {
        slowInARow = 0;
        leftOnThreads = CALLS_ON_THREADS;
      }
    }
  };
}

/** Types of file systems of Linux (statfs(2)) that need no network and no other process. */
const LOCAL_TYPES: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0x01021994, // tmpfs
  0x858458f6, // ramfs
  0x794c7630, // overlayfs
]);

/** Whether a folder is on a disk of this machine. False where that is not known. */
export function isOnLocalDisk(folder: string): boolean {
  try {
    return process.platform === "linux" && LOCAL_TYPES.has(statfsSync(folder).type >>> 0);
  } catch {
    return false;
  }
}
