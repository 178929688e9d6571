/** Something that is done now and every hour, until it is stopped. */
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";

export interface Hourly {
  /** Does it now and every hour. */
  start(): void;
  /** Does it now, or once more when what is under way has ended. */
  again(): void;
  /** Does not begin again after this; settles when what is under way has ended. */
  stop(): Promise<void>;
  /** Whether it is to end early. */
  readonly isStopped: boolean;
}

const HOUR = 3_600_000;

/** @param failed What to log when it cannot be done; it is tried again an hour later. */
export function createHourly(parts: {
  clock: Clock;
  logger: Logger;
  act: () => Promise<unknown>;
  failed: string;
}): Hourly {
  const { clock, logger, act, failed } = parts;
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
      .catch((error: unknown) => logger.warn(failed, { error }))
      .finally(() => {
        isRunning = false;
        if (!isStopped) cancel = clock.after(isWanted ? 0 : HOUR, round);
      });
  }

  return {
    start: round,
    again() {
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
