/** Reports commits, flushes and the load of a service to telemetry, whose errors are logged. */
import { withCommit } from "../documents/with-commit.ts";
import { isStepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Store } from "../ports/store.ts";
import type { StorePorts } from "../ports/store-adapter.ts";
import type { CommitTiming, ServiceLoad, Telemetry } from "../runs/telemetry.ts";
import { elapsedOf } from "../time/system-clock.ts";

interface Reporting {
  readonly telemetry: Telemetry | undefined;
  readonly logger: Logger;
}

export function reportLoad({ telemetry, logger }: Reporting, load: () => ServiceLoad): void {
  try {
    telemetry?.created?.(load);
  } catch (error) {
    logger.warn("telemetry.created threw an error", { error });
  }
}

/** Undefined if telemetry takes no flushes. */
export function flushReport({ telemetry, logger }: Reporting): StorePorts["onFlush"] {
  if (telemetry?.flushed === undefined) return undefined;
  return (flush) => {
    try {
      telemetry.flushed?.(flush);
    } catch (error) {
      logger.warn("telemetry.flushed threw an error", { error });
    }
  };
}

/** The same store if telemetry takes no commits. */
export function timedStore(store: Store, parts: Reporting & { readonly clock: Clock }): Store {
  const { telemetry, logger, clock } = parts;
  if (telemetry?.committed === undefined) return store;

  function report(outcome: CommitTiming["outcome"], since: number): void {
    try {
      telemetry?.committed?.({ outcome, milliseconds: elapsedOf(clock) - since });
    } catch (error) {
      logger.warn("telemetry.committed threw an error", { error });
    }
  }

  return withCommit(store, async (changes) => {
    const since = elapsedOf(clock);
    try {
      await store.commit(changes);
    } catch (error) {
      report(isStepwellError(error, "conflict") ? "conflict" : "failed", since);
      throw error;
    }
    report("stored", since);
  });
}
