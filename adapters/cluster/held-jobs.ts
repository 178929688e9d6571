/**
 * The jobs that this process has, and their locks. BullMQ's own renewal is not used: it does not notice that Redis has not
 * responded for as long as a lock lasts, and forgets the lock of a job that came back to the same worker.
 */
import type { Job as StoredJob } from "bullmq";
import type { Clock } from "../../src/ports/clock.ts";
import { elapsedOf } from "../../src/time/system-clock.ts";

/** Checks for each duration of a lock. */
const CHECKS_PER_LOCK = 6;
/** Every other check renews the locks. */
const RENEWALS_PER_LOCK = 3;

export interface HeldJob {
  readonly id: string;
  readonly token: string;
  readonly job: StoredJob<unknown>;
  /** Aborts when another worker may have the job. */
  readonly signal: AbortSignal;
  /** Resolves when the job was given back. */
  readonly leave: Promise<void>;
}

interface Entry extends HeldJob {
  readonly controller: AbortController;
  /** Elapsed time at which the lock expires. */
  validUntil: number;
  letGo(): void;
}

export interface HeldJobs {
  /** @param id The ID in Redis. */
  hold(job: StoredJob<unknown>, id: string, token: string): HeldJob;
  release(held: HeldJob): void;
  /** Gives all jobs back to the queue. */
  giveBackAll(giveBack: (held: HeldJob) => Promise<void>): Promise<void>;
  /** Lets all jobs go without giving them back. */
  abandon(): void;
}

export interface HeldJobsParts {
  readonly clock: Clock;
  readonly lockMs: number;
  /** Renews locks in Redis. Returns the IDs of the jobs whose locks were lost. */
  renew(ids: string[], tokens: string[]): Promise<string[]>;
  /** Called with what renewing threw. */
  report(error: unknown): void;
}

export function createHeldJobs({ clock, lockMs, renew, report }: HeldJobsParts): HeldJobs {
  const entries = new Map<HeldJob, Entry>();
  const intervalMs = lockMs / CHECKS_PER_LOCK;
  let isRenewing = false;
  let cancel: (() => void) | null = null;

  const lose = (entry: Entry) => entry.controller.abort(new Error("The lock of the job was lost."));

  function schedule(): void {
    cancel ??= clock.after(intervalMs, () => {
      cancel = null;
      check();
      if (entries.size > 0) schedule();
    });
  }

  function check(): void {
    const now = elapsedOf(clock);
    const locked = [...entries.values()].filter(({ signal }) => !signal.aborted);
    // The answer knows best. Without one, the locks count as lost shortly before they expire.
    if (isRenewing) for (const entry of locked) if (entry.validUntil - now <= intervalMs) lose(entry);
    const due = locked.filter(({ validUntil }) => validUntil - now <= lockMs - lockMs / RENEWALS_PER_LOCK);
    if (!isRenewing && due.length > 0) void renewAll(locked, now);
  }

  async function renewAll(locked: readonly Entry[], sentAt: number): Promise<void> {
    isRenewing = true;
    try {
      const ids = locked.map(({ id }) => id);
      const tokens = locked.map(({ token }) => token);
      const lost = new Set(await renew(ids, tokens));
      for (const entry of locked) {
        if (lost.has(entry.id)) lose(entry);
        else entry.validUntil = sentAt + lockMs;
      }
    } catch (error) {
      report(error);
      for (const entry of locked) if (entry.validUntil - elapsedOf(clock) <= intervalMs) lose(entry);
    } finally {
      isRenewing = false;
    }
  }

  return {
    hold(job, id, token) {
      const controller = new AbortController();
      let letGo = () => {};
      const leave = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const validUntil = elapsedOf(clock) + lockMs;
      const entry: Entry = { id, token, job, controller, signal: controller.signal, leave, validUntil, letGo };
      entries.set(entry, entry);
      schedule();
      return entry;
    },
    release(held) {
      entries.delete(held);
      if (entries.size > 0) return;
      cancel?.();
      cancel = null;
    },
    async giveBackAll(giveBack) {
      await Promise.all(
        [...entries.values()].map(async (entry) => {
          const isLost = entry.signal.aborted;
          entry.controller.abort(new Error("The job was given back to the queue."));
          if (!isLost) await giveBack(entry).catch(report);
          entry.letGo();
        }),
      );
    },
    abandon() {
      for (const entry of entries.values()) {
        lose(entry);
        entry.letGo();
      }
    },
  };
}
