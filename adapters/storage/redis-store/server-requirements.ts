/** What the store needs of a Redis server, read from its `INFO`. */
import { StepwellError } from "../../../src/errors.ts";
import type { Logger } from "../../../src/ports/logger.ts";

export const LEAST_VERSION = [6, 2] as const;

/** @throws StepwellError `unavailable` that says what to change */
export function checkServer(info: string, logger: Logger): void {
  const fields = fieldsOf(info);
  checkVersion(fields.get("redis_version"));
  checkPolicy(fields.get("maxmemory_policy") ?? "unknown");
  if (fields.get("aof_enabled") === "0") {
    logger.warn(
      "Redis writes no append-only file: if Redis stops, all changes since its last snapshot are lost, or everything " +
        'if it saves none. Set "appendonly yes". With "appendfsync everysec", the default, a power failure loses up ' +
        'to two seconds; with "appendfsync always", nothing.',
    );
  }
}

/**
 * For the driver, which works with servers that don't tell their policy.
 * @throws StepwellError `unavailable` for a server that may evict keys
 */
export function checkEviction(info: string): void {
  const policy = fieldsOf(info).get("maxmemory_policy");
  if (policy !== undefined) checkPolicy(policy);
}

function checkPolicy(policy: string): void {
  if (policy === "noeviction") return;
  throw new StepwellError(
    "unavailable",
    `Redis may evict keys (maxmemory-policy is ${policy}), which would lose documents. Set it to noeviction, for ` +
      'example with "maxmemory-policy noeviction" in redis.conf or CONFIG SET maxmemory-policy noeviction.',
  );
}

/** @param version As `INFO` says it, also for Valkey. */
export function isNewEnough(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
  const [leastMajor, leastMinor] = LEAST_VERSION;
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

function checkVersion(version: string | undefined): void {
  if (isNewEnough(version)) return;
  throw new StepwellError(
    "unavailable",
    `The Redis store needs Redis ${LEAST_VERSION.join(".")} or later, or Valkey. This server has the version ` +
      `${version ?? "unknown"}.`,
  );
}

/** The lines of an answer to `INFO`. */
export function fieldsOf(info: string): ReadonlyMap<string, string> {
  const lines = info.split("\n").map((line) => line.trim());
  const pairs = lines.filter((line) => !line.startsWith("#") && line.includes(":"));
  return new Map(pairs.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]));
}
