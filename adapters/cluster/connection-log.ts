/** What is logged about connections: each outage once, and other errors at most once a minute. */
import type { Cluster, Redis } from "ioredis";
import { systemErrorCode } from "../../src/errors.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Logger } from "../../src/ports/logger.ts";
import { elapsedOf } from "../../src/time/system-clock.ts";
import { MINUTE_MS } from "../../src/time/units.ts";
import type { RedisErrors } from "../storage/redis-store/redis-errors.ts";
import { type Place, placeOf } from "./place.ts";
import { settingsProblem } from "./settings-problems.ts";

/** Milliseconds between warnings. */
const WARNING_INTERVAL_MS = MINUTE_MS;
/** Milliseconds after which wrong settings are logged again. */
const SETTINGS_INTERVAL_MS = 30 * MINUTE_MS;
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
  /** Logs, and repeats seldom, that the queue needs other settings. Returns the message. */
  misconfigured(reason: string): string;
  /** The settings are right. */
  configured(): void;
  /** Logs, and repeats seldom, that other settings would be better. */
  advise(reason: string): void;
  /** Why the queue needs other settings, or null. */
  problem(): string | null;
  /** Why the connection was lost, for an error that only says that it is. */
  causeOf(error: unknown): unknown;
  /** Which Redis it is. */
  place(): Place;
  /** From now on, lost connections are intended. */
  stop(): void;
}

export function createConnectionLog(parts: {
  clock: Clock;
  logger: Logger;
  prefix: string;
  errors: RedisErrors;
}): ConnectionLog {
  const { clock, logger, prefix, errors } = parts;
  const away = new Set<Redis | Cluster>();
  const settingsLogged = new Map<string, number>();
  let lastWarningAt = Number.NEGATIVE_INFINITY;
  let lastFailure: unknown = null;
  let problem: string | null = null;
  let isStopped = false;
  /** All connections lead to the same Redis. */
  let first: Redis | Cluster | null = null;

  const place = (): Place =>
    first === null ? { address: "?", user: "default", database: 0, prefix } : placeOf(first, prefix);

  function warn(message: string, fields: Readonly<Record<string, unknown>>): void {
    const now = elapsedOf(clock);
    const isRepeated = now - lastWarningAt < WARNING_INTERVAL_MS;
    if (!isRepeated) lastWarningAt = now;
    logger[isRepeated ? "debug" : "warn"](message, fields);
  }

  function logSettings(
    reason: string,
    message = `The queue of the cluster, Redis at ${place().address}: ${reason}`,
  ): void {
    const now = elapsedOf(clock);
    if (now - (settingsLogged.get(reason) ?? Number.NEGATIVE_INFINITY) < SETTINGS_INTERVAL_MS) return;
    settingsLogged.set(reason, now);
    logger.error(message, { address: place().address });
  }

  function misconfigured(reason: string): string {
    problem = `The queue of the cluster, Redis at ${place().address}, cannot be used. ${reason}`;
    logSettings(reason, problem);
    return problem;
  }

  function fail(client: Redis | Cluster, error: unknown): void {
    // ioredis repeats a failure as one of its own, which says less.
    if (lastFailure !== null && isAboutRetries(error)) return;
    lastFailure = error;
    const reason = settingsProblem(error, place());
    if (reason !== null) return void misconfigured(reason);
    if (away.size === 0) {
      const message = `Redis is not available at ${place().address}. Stepwell keeps trying to connect.`;
      logger.warn(message, { error: errors.failed("connect", error) });
    }
    away.add(client);
  }

  return {
    warn,
    place,
    misconfigured,
    configured() {
      problem = null;
    },
    advise: (reason) => logSettings(reason),
    problem: () => problem,
    causeOf: (error) => (isLostConnection(error) && lastFailure !== null ? lastFailure : error),
    stop() {
      isStopped = true;
    },
    watch(client) {
      first ??= client;
      let isUnexplained = false;
      client.on("connect", () => {
        isUnexplained = true;
      });
      client.on("error", (error: unknown) => {
        isUnexplained = false;
        fail(client, error);
      });
      // ioredis reports no error if the server closes a connection at once, as PostgreSQL does.
      client.on("close", () => {
        if (isUnexplained && !isStopped && !client.isCluster) fail(client, new Error(CLOSED_AT_ONCE));
        isUnexplained = false;
      });
      const leave = () => away.delete(client) && away.size === 0;
      client.on("ready", () => {
        isUnexplained = false;
        lastFailure = null;
        if (leave()) logger.info("Redis is available again.");
      });
      client.on("end", leave);
    },
    report(given) {
      const error = errors.failed("the job queue", given);
      if (given instanceof Error && LOST_JOB.test(given.message)) {
        logger.debug("A job was given to another worker, or was removed.", { error });
        return;
      }
      const reason = settingsProblem(given, place());
      if (reason !== null) logSettings(reason);
      else if (away.size === 0 && !isLostConnection(given)) warn("The job queue reported an error.", { error });
    },
  };
}

const CLOSED_AT_ONCE = "The server closes connections before it answers. Is it a Redis, and is TLS set as it needs?";

function isAboutRetries(error: unknown): boolean {
  return error instanceof Error && LOST_CONNECTION.test(error.message);
}

function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isAboutRetries(error) || /^(E[A-Z]+)$/.test(systemErrorCode(error) ?? "");
}
