/** Something that is done now and every hour, until it is stopped. */
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { HOUR_MS } from "./units.ts";

export interface HourlyJob {
  /** Does it now and every hour. */
  start(): void;
  /** Does it now, or once more when what is under way has ended. */
  runSoon(): void;
  /** Does not begin again after this; settles when what is under way has ended. */
  stop(): Promise<void>;
  /** Whether it is to end early. */
  readonly isStopped: boolean;
}

/** @param failed What to log when it cannot be done; it is tried again an hour later. */
export function createHourlyJob(parts: {
  clock: Clock;
  logger: Logger;
  act: () => Promise<unknown>;
  failureMessage: string;
}): HourlyJob {
  const { clock, logger, act, failureMessage } = parts;
  let cancel = () => {};
  let isStopped = false;
  let isRunning = false;
  let isWanted = false;
  let running: Promise<unknown> = Promise.resolve();

  function round(): void {
    if (isStopped) return;
    isRunning = true;
    isWanted = false;
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
      return isStopped;
    },
  };
}
