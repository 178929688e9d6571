/**
 * How a store is opened, kept and left, by one owner or by processes that share it. Each opening has a session: the field
 * `s:TOKEN` of the state, which is the number of the last commit of this session. Only who has one reads or writes.
 *
 * The lease, which expires, belongs to the owner. Those who share the store are in the sorted set `sessions` instead, by the
 * moment at which their lease expires. Either keeps the other out, and takes the sessions of the other away once it has
 * expired. Among those who share it, none takes anything away: the expected versions decide.
 */
import { FENCED } from "./fenced.ts";
import { defineScript, type Script } from "./script.ts";

/** Version of the layout of keys and values. */
export const FORMAT = 1;
/** Sessions that an opening removes at most, a day after they have expired. */
const GONE_AT_ONCE = 100;
const DAY_MS = 86_400_000;

/** Repeating a script with the same token changes nothing. Arguments: token, holder, lease, format. */
const OPENING = `
  local p = string.sub(KEYS[1], 1, -5)
  local token, holder, lease, format = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
  local state = redis.call("HMGET", KEYS[1], "format", "owner", "s:" .. token)
  local owner, is_open = state[2] or "", state[3]
  if state[1] and tonumber(state[1]) > tonumber(format) then return {"newer", state[1]} end
  local held = redis.call("GET", p .. "lease")
  if held and held ~= holder then return {"held", held} end
  local time = redis.call("TIME")
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local function end_sessions(holders)
    for _, other in ipairs(holders) do
      local gone = string.match(other, "^%S+")
      redis.call("HDEL", KEYS[1], "s:" .. gone)
      redis.call("UNLINK", p .. "flushes:" .. gone)
      redis.call("ZREM", p .. "sessions", other)
    end
  end
  local function open(next_owner)
    if owner ~= "" then
      redis.call("HDEL", KEYS[1], "s:" .. owner)
      redis.call("UNLINK", p .. "flushes")
    end
    redis.call("HSET", KEYS[1], "format", format, "owner", next_owner)
    redis.call("HSETNX", KEYS[1], "seq", 0)
    redis.call("HSET", KEYS[1], "s:" .. token, redis.call("HGET", KEYS[1], "seq"))
  end`;

const TAKEN = `
  return {"taken", redis.call("HGET", KEYS[1], "gen"), redis.call("HGET", KEYS[1], "seq")}`;

/** Whether there is a store, even an empty one: 1, or 0. Changes nothing. */
export const EXISTS = defineScript(`
  if redis.call("TYPE", KEYS[1])["ok"] ~= "hash" then return 0 end
  return redis.call("HEXISTS", KEYS[1], "format")`);

/** What the fence runs. */
export interface OpeningScripts {
  /** Arguments: token, holder, lease, format. */
  readonly take: Script;
  /** Arguments behind those of the fence: holder, lease. */
  readonly renew: Script;
  /** Argument behind those of the fence: holder. */
  readonly release: Script;
}

export const OWNER_SCRIPTS: OpeningScripts = {
  take: defineScript(`${OPENING}
  if not is_open then
    local sharing = redis.call("ZRANGEBYSCORE", p .. "sessions", now, "+inf", "LIMIT", 0, 1)
    if sharing[1] then return {"shared", sharing[1]} end
    end_sessions(redis.call("ZRANGE", p .. "sessions", 0, -1))
    redis.call("HINCRBY", KEYS[1], "gen", 1)
    open(token)
  end
  redis.call("SET", p .. "lease", holder, "PX", lease)${TAKEN}`),

  renew: defineScript(`${FENCED}
  redis.call("SET", p .. "lease", ARGV[3], "PX", ARGV[4])
  return {"ok", tostring(seq)}`),

  release: defineScript(`${FENCED}
  redis.call("DEL", p .. "lease")
  return {"ok", tostring(seq)}`),
};

export const SHARED_SCRIPTS: OpeningScripts = {
  take: defineScript(`${OPENING}
  if not is_open then
    local gone = now - ${DAY_MS}
    end_sessions(redis.call("ZRANGEBYSCORE", p .. "sessions", "-inf", gone, "LIMIT", 0, ${GONE_AT_ONCE}))
    if owner ~= "" or redis.call("HEXISTS", KEYS[1], "gen") == 0 then redis.call("HINCRBY", KEYS[1], "gen", 1) end
    open("")
  end
  redis.call("ZADD", p .. "sessions", now + lease, holder)${TAKEN}`),

  renew: defineScript(`${FENCED}
  local time = redis.call("TIME")
  redis.call("ZADD", p .. "sessions", time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[4], ARGV[3])
  return {"ok", tostring(seq)}`),

  release: defineScript(`${FENCED}
  redis.call("ZREM", p .. "sessions", ARGV[3])
  redis.call("UNLINK", p .. "flushes:" .. ARGV[1])
  redis.call("HDEL", KEYS[1], session)
  return {"ok", tostring(seq)}`),
};
