/** Tells answers of Redis that only other settings mend from outages, and says what to change. */
import { fieldsOf, isNewEnough, LEAST_VERSION } from "../storage/redis-store/server-requirements.ts";
import type { Place } from "./place.ts";

/** What to change because of an error, or null if the settings may be right. */
export function settingsProblem(error: unknown, place: Place): string | null {
  if (!(error instanceof Error)) return null;
  const { name } = error;
  const message = error.message.replace(/^Ready check failed: /, "");
  if (/\b(WRONGPASS|NOAUTH)\b|^ERR invalid password/.test(message)) {
    return `Redis rejects the user or the password (${message}). Correct them in the connection of bullmq().`;
  }
  if (/\bNOPERM\b/.test(message)) {
    return `Redis does not allow the user "${place.user}" what BullMQ needs (${message}). ${permission(place)}`;
  }
  if (/DB index is out of range|invalid DB index|SELECT is not allowed/.test(message)) {
    return (
      `Redis has no database ${place.database} (${message}). Choose another one in the connection of bullmq(), or raise ` +
      '"databases" in redis.conf.'
    );
  }
  if (name === "ParserError") {
    return "The server is no Redis: it does not answer in Redis' protocol. Correct host and port in the connection of bullmq().";
  }
  return null;
}

const permission = ({ user, prefix }: Place) =>
  `Allow it with: ACL SETUSER ${user} ~{${prefix}}:* &{${prefix}}:* +@all -@dangerous +info.`;

/** What `INFO` says about the server. */
export interface ServerFacts {
  /** Without the right to `INFO`, BullMQ must be told not to ask. */
  readonly hasInfo: boolean;
  readonly evicts: boolean;
}

/** @throws Error that says what to change if BullMQ cannot work with the server */
export function checkInfo(info: string): ServerFacts {
  const fields = fieldsOf(info);
  const version = fields.get("redis_version");
  if (!isNewEnough(version)) {
    throw new Error(
      `BullMQ needs Redis ${LEAST_VERSION.join(".")} or later, or Valkey. This server has the version ` +
        `${version ?? "unknown"}.`,
    );
  }
  const policy = fields.get("maxmemory_policy") ?? "noeviction";
  return { hasInfo: true, evicts: policy !== "noeviction" };
}

export const EVICTS =
  "Redis may evict jobs (maxmemory-policy). Evicted jobs are added again, but seconds later. Set " +
  '"maxmemory-policy noeviction" in redis.conf, or with CONFIG SET.';

export const withoutInfo = (place: Place) =>
  `Redis does not allow the user "${place.user}" the command INFO, from which BullMQ learns the version. It works without, ` +
  `but delayed jobs start up to a second late. ${permission(place)}`;
