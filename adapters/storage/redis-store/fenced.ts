/** The start of every script but those that open the store. */

/**
 * Lua. Arguments: the token of the session, and two numbers of commits: the latest of this session that was acknowledged, and
 * the latest that it has seen. If Redis has lower ones, commits are lost. Then all who share the store must stop, because the
 * number of commits soon looks right again to the others, who write on.
 */
export const FENCED = `
  local p, session = string.sub(KEYS[1], 1, -5), "s:" .. ARGV[1]
  local state = redis.call("HMGET", KEYS[1], "seq", session)
  if not state[2] then return {"fenced", redis.call("HGET", KEYS[1], "gen") or "0"} end
  local own, seen = string.match(ARGV[2], "^(%d+) (%d+)$")
  if tonumber(state[2]) < tonumber(own) or tonumber(state[1]) < tonumber(seen) then
    for n, other in ipairs(redis.call("ZRANGE", p .. "sessions", 0, -1)) do
      if n == 1 then redis.call("HINCRBY", KEYS[1], "gen", 1) end
      local token = string.match(other, "^%S+")
      redis.call("HDEL", KEYS[1], "s:" .. token)
      redis.call("UNLINK", p .. "flushes:" .. token)
    end
    redis.call("DEL", p .. "sessions")
    return {"behind", state[1]}
  end
  local seq = tonumber(state[1])`;

/** Arguments that it uses. */
export const FENCE_ARGUMENTS = 2;
