/**
 * A commit as one script, and its revocation.
 *
 * A commit has a number and a slot. The hash `flushes`, or `flushes:SESSION` if the store is shared, holds for each slot the
 * latest number and what became of it, so that a commit whose answer was lost can be sent again: it takes effect once, and its
 * answer is the first one. Field `SLOT` is `NUMBER:a:SEQ` (applied), `NUMBER:c:INDEX:VERSION` (conflict) or `NUMBER:v:`
 * (revoked), and field `uSLOT` is what the commit replaced. In a shared store nothing is revoked, because others may have
 * read it.
 */
import type { PreparedChanges } from "../../../../src/storage/commits/prepare-changes.ts";
import { FENCED } from "../fenced.ts";
import { defineScript } from "../script.ts";
import { CHANGE_ROW, entryOf } from "./row-script.ts";

/** Lua: reads the number, the slot and what became of the number. Others with a later number may use the slot. */
const NUMBERED = `${FENCED}${CHANGE_ROW}
  local number, slot, flushes, is_revocable = ARGV[3], ARGV[4], p .. ARGV[5], ARGV[5] == "flushes"
  local expectations, writes, rows = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
  local first_write = 9 + 2 * expectations
  local first_row = first_write + 2 * writes
  local known = redis.call("HGET", flushes, slot)
  local known_number, became, first, second
  if known then
    known_number, became, first, second = string.match(known, "^(%d+):(%a):([^:]*):?(.*)$")
    if tonumber(known_number) > tonumber(number) then return {"revoked", tostring(seq)} end
  end`;

export const COMMIT = defineScript(`${NUMBERED}
  if known_number == number then
    if became == "a" then return {"applied", first} end
    if became == "c" then return {"conflict", first, second} end
    return {"revoked", tostring(seq)}
  end

  local documents = {}
  for n = 0, expectations - 1 do
    local key, expected = ARGV[9 + 2 * n], ARGV[10 + 2 * n]
    local document = redis.call("GET", p .. "d:" .. key)
    local version = document and string.match(document, "^%d+") or ""
    if version ~= expected then
      redis.pcall("HSET", flushes, slot, number .. ":c:" .. n .. ":" .. version)
      return {"conflict", tostring(n), version}
    end
    documents[key] = document
  end

  seq = seq + 1
  redis.call("HSET", flushes, slot, number .. ":a:" .. seq)
  local replaced, has_replaced = {}, false
  for n = 0, writes - 1 do
    local key, value = ARGV[first_write + 2 * n], ARGV[first_write + 2 * n + 1]
    local name, before = p .. "d:" .. key, documents[key]
    if before == nil then before = redis.call("GET", name) end
    if value == "" then redis.call("DEL", name) else redis.call("SET", name, value) end
    replaced[#replaced + 1] = before or ""
    has_replaced = has_replaced or before
  end
  for n = 0, rows - 1 do
    local at = first_row + 3 * n
    local before = change_row(ARGV[at], ARGV[at + 1], ARGV[at + 2])
    replaced[#replaced + 1] = before
    has_replaced = has_replaced or before ~= ""
  end
  if has_replaced and is_revocable then redis.call("HSET", flushes, "u" .. slot, number .. ":" .. cmsgpack.pack(replaced)) end
  redis.call("HSET", KEYS[1], "seq", seq, session, seq)
  return {"applied", tostring(seq)}`);

/** Makes sure that a commit has no effect, whether it was applied or not. What others have changed since stays. */
export const REVOKE = defineScript(`${NUMBERED}
  redis.call("HSET", flushes, slot, number .. ":v:")
  if known_number ~= number or became ~= "a" then return {"revoked", tostring(seq)} end
  local saved = redis.call("HGET", flushes, "u" .. slot)
  local prefix = number .. ":"
  local replaced = {}
  if saved and string.sub(saved, 1, #prefix) == prefix then replaced = cmsgpack.unpack(string.sub(saved, #prefix + 1)) end
  for n = rows - 1, 0, -1 do
    local at = first_row + 3 * n
    local now = redis.call("HGET", p .. "e:" .. ARGV[at], ARGV[at + 1]) or ""
    if now == ARGV[at + 2] then change_row(ARGV[at], ARGV[at + 1], replaced[writes + n + 1] or "") end
  end
  for n = 0, writes - 1 do
    local name, before = p .. "d:" .. ARGV[first_write + 2 * n], replaced[n + 1] or ""
    if (redis.call("GET", name) or "") == ARGV[first_write + 2 * n + 1] then
      if before == "" then redis.call("DEL", name) else redis.call("SET", name, before) end
    end
  end
  redis.call("HSET", KEYS[1], "seq", seq + 1, session, seq + 1)
  return {"revoked", tostring(seq + 1)}`);

/** Arguments of both scripts behind the fence, the number, the slot and the key of the record. A document is `VERSION JSON`. */
export function commitArguments({ expectations, writes, derived }: PreparedChanges): readonly (string | number)[] {
  const owned = writes.flatMap(({ key, rows }) => rows.map((change) => ({ change, document: key })));
  const rows = [...owned, ...derived.map((change) => ({ change, document: null }))];
  return [
    expectations.length,
    writes.length,
    rows.length,
    ...expectations.flatMap(({ key, expected }) => [key, expected ?? ""]),
    ...writes.flatMap(({ key, version, json }) => [key, version === null ? "" : `${version} ${json}`]),
    ...rows.flatMap(({ change, document }) =>
      "put" in change ? [change.list, change.put.id, entryOf(change.put, document)] : [change.list, change.delete, ""],
    ),
  ];
}
