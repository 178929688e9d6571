/** Which parts of the service are not ready. */
import * as v from "valibot";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import { list } from "../schema.ts";
import type { Background, Problem } from "../time/background.ts";

/** The storage responds, and recovery is complete. */
export const Ready = v.object({
  /** Readiness. */
  status: v.literal("ready"),
});

/** A part of the service is not ready. */
export const NotReady = v.object({
  /** Readiness. */
  status: v.literal("not_ready"),
  /** The parts that are not ready. */
  not_ready: list(
    v.object({
      /** Name of the part. */
      part: v.string(),
      /** Why it is not ready. */
      reason: v.string(),
      /** Number of failures in a row. */
      failures: v.number(),
    }),
  ),
});

/** The process serves requests. */
export const Live = v.object({
  /** Liveness. */
  status: v.literal("live"),
});

/** The process must be restarted. */
export const NotLive = v.object({
  /** Liveness. */
  status: v.literal("not_live"),
  /** Why only a restart helps. */
  reason: v.string(),
});

export interface Health {
  /** Why this process must be restarted; null if a restart would not help. */
  reasonToRestart(): string | null;
  /** Empty if all parts are ready. Never rejects. */
  problems(): Promise<readonly Problem[]>;
}

const STORAGE_LOST =
  "another process has taken over the storage, or the storage has lost commits; this process does not use it anymore";

/** A key without a document, for commits that change nothing. */
const PROBE = "health:probe";

/**
 * Milliseconds that a health check waits for a read, and then for a commit if the last one failed. Those who ask give up after
 * a few seconds, and a driver may try for much longer.
 */
const PROBE_TIME_MS = { read: 2_000, commit: 1_000 };

export function createHealth(parts: {
  background: Background;
  clock: Clock;
  store: Store;
  /** What keeps this process from taking jobs until its settings are changed; null if nothing does. */
  jobProblem(): string | null;
}): Health {
  const { background, clock, store, jobProblem } = parts;
  let probing: Promise<void> | null = null;

  /** Tries a commit that changes nothing. Concurrent checks share it. */
  function probeCommit(): Promise<void> {
    probing ??= store.commit([{ key: PROBE, document: null, expected: null }]).finally(() => {
      probing = null;
    });
    return inTime(probing, PROBE_TIME_MS.commit);
  }

  /** The log has the details, which may be secret. */
  function wrongSettings(): readonly Problem[] {
    return jobProblem() === null ? [] : [{ part: "cluster", reason: "wrong settings", failures: 1 }];
  }

  /** Rejects if the storage takes longer. */
  function inTime<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(milliseconds, () => reject(new Error("The storage did not respond in time.")));
      answer.then(resolve, reject).finally(cancel);
    });
  }

  return {
    reasonToRestart: () => (store.isLost ? STORAGE_LOST : null),

    async problems() {
      const found = [...background.problems(), ...wrongSettings()];
      if (found.some(({ reason }) => reason === "storage unavailable")) {
        // If it succeeds, what failed is retried at once.
        if (store.isFailing) probeCommit().catch(() => undefined);
        return found;
      }
      try {
        await inTime(store.probe(), PROBE_TIME_MS.read);
        if (store.isFailing) await probeCommit();
        return found;
      } catch {
        return [...found, { part: "storage", reason: "storage unavailable", failures: 1 }];
      }
    },
  };
}
