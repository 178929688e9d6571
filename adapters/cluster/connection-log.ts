/** What is logged about connections: each outage once, and other errors at most once a minute. */
import type { Cluster, Redis } from "ioredis";
import { systemErrorCode } from "../../src/errors.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Logger } from "../../src/ports/logger.ts";
import { elapsedOf } from "../../src/time/system-clock.ts";

/** Milliseconds between warnings. */
const WARNING_INTERVAL_MS = 60_000;
/** Errors of `ioredis` for commands whose connection is lost. */
const LOST_CONNECTION = /^Connection is closed|^Reached the max retries per request|^Stream isn't writeable/;
/** Errors of BullMQ for a job that another worker has, or that was removed. */
const LOST_JOB = /^(Missing (lock|key) for job|Lock mismatch for job|Job \S+ is not in the active state)/;

export interface ConnectionLog {
  /** Logs when the connection is lost, and when it is back. */
  watch(client: Redis | Cluster): void;
  /** Logs an error that has no other consequence. */
  report(error: unknown): void;
  /** Logs a problem. */
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

export function createConnectionLog(clock: Clock, logger: Logger): ConnectionLog {
  const away = new Set<Redis | Cluster>();
  let lastWarningAt = Number.NEGATIVE_INFINITY;

  function warn(message: string, fields: Readonly<Record<string, unknown>>): void {
    const now = elapsedOf(clock);
    const isRepeated = now - lastWarningAt < WARNING_INTERVAL_MS;
    if (!isRepeated) lastWarningAt = now;
    logger[isRepeated ? "debug" : "warn"](message, fields);
  }

  return {
    warn,
    watch(client) {
      client.on("error", (error: unknown) => {
        if (away.size === 0) logger.warn("Redis is not available. Stepwell keeps trying to connect.", { error });
        away.add(client);
      });
      const leave = () => away.delete(client) && away.size === 0;
      client.on("ready", () => {
        if (leave()) logger.info("Redis is available again.");
      });
      client.on("end", leave);
    },
    report(error) {
      if (away.size > 0 || isLostConnection(error)) return;
      if (error instanceof Error && LOST_JOB.test(error.message)) {
        logger.debug("A job was given to another worker, or was removed.", { error });
      } else warn("The job queue reported an error.", { error });
    },
  };
}

function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return LOST_CONNECTION.test(error.message) || /^(E[A-Z]+)$/.test(systemErrorCode(error) ?? "");
}
