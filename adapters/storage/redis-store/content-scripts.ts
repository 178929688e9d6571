/** The scripts that read everything that a store contains, a bounded part at a time. */
import { FENCED } from "./fenced.ts";
import { defineScript } from "./script.ts";

/** Seconds after which the sets of a reader that has stopped are removed. */
const INDEX_SECONDS = 86_400;
/** Keys that one script looks at, roughly. */
const KEYS_AT_ONCE = 1_000;

/**
 * Puts the keys of documents and the names of lists into sorted sets, `x:d` and `x:l`. Argument: the cursor. Returns the next
 * one, which is 0 at the end.
 */
export const INDEX_CONTENTS = defineScript(String.raw`${FENCED}
  if ARGV[3] == "0" then redis.call("UNLINK", p .. "x:d", p .. "x:l") end
  local pattern = string.gsub(p, "[%*%?%[%]\\]", "\\%0") .. "[dl]:*"
  local found = redis.call("SCAN", ARGV[3], "MATCH", pattern, "COUNT", ${KEYS_AT_ONCE})
  for _, name in ipairs(found[2]) do
    local kind = string.sub(name, #p + 1, #p + 1)
    redis.call("ZADD", p .. "x:" .. kind, 0, string.sub(name, #p + 3))
  end
  redis.call("EXPIRE", p .. "x:d", ${INDEX_SECONDS})
  redis.call("EXPIRE", p .. "x:l", ${INDEX_SECONDS})
  return {"ok", found[1]}`);

/** Documents behind a key, each `VERSION JSON`. Arguments: the lowest key for `ZRANGEBYLEX`, how many. Returns keys and texts. */
export const CONTENT_DOCUMENTS = defineScript(`${FENCED}
  local keys = redis.call("ZRANGEBYLEX", p .. "x:d", ARGV[3], "+", "LIMIT", 0, ARGV[4])
  local texts = {}
  for n, key in ipairs(keys) do texts[n] = redis.call("GET", p .. "d:" .. key) end
  return {"ok", keys, texts}`);

/** Names of lists behind a name. Arguments as above. */
export const CONTENT_NAMES = defineScript(`${FENCED}
  return {"ok", redis.call("ZRANGEBYLEX", p .. "x:l", ARGV[3], "+", "LIMIT", 0, ARGV[4])}`);

/** Rows of a list behind a member. Arguments: the list, then as above. Returns members and entries. */
export const CONTENT_ROWS = defineScript(String.raw`${FENCED}
  local members = redis.call("ZRANGEBYLEX", p .. "l:" .. ARGV[3], ARGV[4], "+", "LIMIT", 0, ARGV[5])
  local entries = {}
  for n, member in ipairs(members) do
    local id = string.sub(member, string.find(member, "\0", 1, true) + 1)
    entries[n] = redis.call("HGET", p .. "e:" .. ARGV[3], id)
  end
  return {"ok", members, entries}`);
