/** A job that runs now and then every hour until it is stopped. In a cluster, only one process runs it. */
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Duties } from "./duties.ts";
import { HOUR_MS, MINUTE_MS } from "./units.ts";

export interface HourlyJob {
  /** Runs the job now and then every hour, or within a minute after this process has taken it over from another. */
  start(): void;
  /** Runs the job now, or once more after the current run. */
  runSoon(): void;
  /** Starts no further run. Resolves when the current run has ended. */
  stop(): Promise<void>;
  /** Whether the job should end early: it was stopped, or another process runs it now. */
  readonly isStopped: boolean;
}

/** @param parts.failureMessage Logged if the job fails. It is retried an hour later. */
export function createHourlyJob(parts: {
  clock: Clock;
  logger: Logger;
  duties: Pick<Duties, "isMine">;
  act: () => Promise<unknown>;
  failureMessage: string;
}): HourlyJob {
  const { clock, logger, duties, act, failureMessage } = parts;
  let cancel = () => {};
  let isStopped = false;
  let isRunning = false;
  let isWanted = false;
  let running: Promise<unknown> = Promise.resolve();

  function round(): void {
    if (isStopped) return;
    isWanted = false;
    if (!duties.isMine) {
      cancel = clock.after(MINUTE_MS, round);
      return;
    }
    isRunning = true;
    running = act()
      .catch((error: unknown) => logger.warn(failureMessage, { error }))
      .finally(() => {
        isRunning = false;
        if (!isStopped) cancel = clock.after(isWanted ? 0 : HOUR_MS, round);
      });
  }

  return {
    start: round,
    runSoon() {
      isWanted = true;
      if (isRunning) return;
      cancel();
      round();
    },
    async stop() {
      isStopped = true;
      cancel();
      await running;
    },
    get isStopped() {
      return isStopped || !duties.isMine;
    },
  };
}
