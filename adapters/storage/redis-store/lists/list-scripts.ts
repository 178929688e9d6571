/** The scripts that read lists. None reads more than a bounded number of rows. */
import { PLACE_OF_ROW } from "../commits/row-script.ts";
import { FENCED } from "../fenced.ts";
import { defineScript } from "../script.ts";

/** Rows that a script returns or looks at. */
export const MAX_ROWS = 1_000;

/**
 * A page of one sorted set, by ranks, so that neither an offset nor a total costs more in a long list. Arguments: the set,
 * `low`, `high` and the start as members or empty, `desc` or `asc`, offset, limit. Returns the total within the bounds,
 * whether more rows follow, and the members.
 */
export const RANKED_PAGE = defineScript(`${FENCED}
  local set, low, high, start = p .. ARGV[3], 0, 0, ARGV[6]
  if ARGV[4] ~= "" then low = redis.call("ZLEXCOUNT", set, "-", "(" .. ARGV[4]) end
  if ARGV[5] == "" then high = redis.call("ZCARD", set) else high = redis.call("ZLEXCOUNT", set, "-", "(" .. ARGV[5]) end
  local total = math.max(high - low, 0)
  local is_down, offset, limit = ARGV[7] == "desc", tonumber(ARGV[8]), tonumber(ARGV[9])
  if start ~= "" then
    if is_down then
      high = math.min(high, redis.call("ZLEXCOUNT", set, "-", "(" .. start))
    else
      low = math.max(low, redis.call("ZLEXCOUNT", set, "-", "[" .. start))
    end
  end
  local left = high - low - offset
  local count = math.min(left, limit)
  local rows = {}
  if count > 0 then
    local first = is_down and high - offset - count or low + offset
    rows = redis.call("ZRANGE", set, first, first + count - 1)
  end
  return {"ok", tostring(total), left > limit and "more" or "end", rows}`);

/** Counts the rows of sets within bounds. Arguments: `low` and `high` of `ZLEXCOUNT`, then the sets. */
export const COUNTS = defineScript(`${FENCED}
  local counts = {}
  for n = 5, #ARGV do counts[#counts + 1] = tostring(redis.call("ZLEXCOUNT", p .. ARGV[n], ARGV[3], ARGV[4])) end
  return {"ok", counts}`);

/**
 * The next rows of a set that are in one of the sets of each group, and in none of the excluded sets. Arguments: the set,
 * `low` and `high`, `desc` or `asc`, how many rows to look at, what to return (`count`, `members` or `texts`, each behind
 * its member), the list, the number of excluded sets, those sets, and for each group the number of its sets and those
 * sets. Returns the last row that it looked at, whether more follow, the number of rows that match, and what was asked for.
 */
export const FILTERED_ROWS = defineScript(String.raw`${FENCED}${PLACE_OF_ROW}
  local set, is_down, chunk, wanted = p .. ARGV[3], ARGV[6] == "desc", tonumber(ARGV[7]), ARGV[8]
  local entries, first_group = p .. "e:" .. ARGV[9], 11 + tonumber(ARGV[10])
  local rows
  if is_down then
    rows = redis.call("ZREVRANGEBYLEX", set, ARGV[5], ARGV[4], "LIMIT", 0, chunk)
  else
    rows = redis.call("ZRANGEBYLEX", set, ARGV[4], ARGV[5], "LIMIT", 0, chunk)
  end
  local function is_in_any(member, from, count)
    for n = from, from + count - 1 do
      if redis.call("ZSCORE", p .. ARGV[n], member) then return true end
    end
    return false
  end
  local function matches(member)
    if is_in_any(member, 11, first_group - 11) then return false end
    local at = first_group
    while at <= #ARGV do
      local count = tonumber(ARGV[at])
      if not is_in_any(member, at + 1, count) then return false end
      at = at + 1 + count
    end
    return true
  end
  local count, answer = 0, {}
  for _, member in ipairs(rows) do
    if matches(member) then
      count = count + 1
      if wanted ~= "count" then answer[#answer + 1] = member end
      if wanted == "texts" then
        local id = string.sub(member, string.find(member, "\0", 1, true) + 1)
        local entry = redis.call("HGET", entries, id)
        local _, _, text = place(id, entry)
        answer[#answer + 1] = string.sub(entry, text)
      end
    end
  end
  return {"ok", rows[#rows] or "", #rows < chunk and "end" or "more", tostring(count), answer}`);

/**
 * Which of some rows have no document although they exist. Arguments: the list, then the ID and the key of each row.
 * Returns the keys.
 */
export const MISSING_DOCUMENTS = defineScript(`${FENCED}
  local missing = {}
  for n = 4, #ARGV, 2 do
    local is_row = redis.call("HEXISTS", p .. "e:" .. ARGV[3], ARGV[n]) == 1
    if is_row and redis.call("EXISTS", p .. "d:" .. ARGV[n + 1]) == 0 then missing[#missing + 1] = ARGV[n + 1] end
  end
  return {"ok", missing}`);

/**
 * Reads the start of a document, as `VERSION JSON`. Arguments: its key and the last byte, or -1 for all. An empty text if there is
 * none.
 */
export const DOCUMENT_START = defineScript(`${FENCED}
  return {"ok", redis.call("GETRANGE", p .. "d:" .. ARGV[3], 0, ARGV[4])}`);

/** Reads documents, each `VERSION JSON`. Arguments: their keys. */
export const DOCUMENTS = defineScript(`${FENCED}
  local names = {}
  for n = 3, #ARGV do names[n - 2] = p .. "d:" .. ARGV[n] end
  return {"ok", redis.call("MGET", unpack(names))}`);
