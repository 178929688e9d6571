/**
 * How a row is stored. In the sorted set of a list, `l:LIST`, all scores are 0, so that members are in the order of their
 * bytes: a member is `ORDER\0ID`. Each mark has such a set, too, `m:LIST:MARK`. The hash `e:LIST` has an entry for each ID:
 * the order (empty if it is the ID, otherwise behind "="), the document to which the row belongs, the number of marks, and the
 * marks, each with a NUL behind it, then the text. The document is its key, without what is the ID; empty in a derived list.
 */
import { StepwellError } from "../../../../src/errors.ts";
import type { Row } from "../../../../src/ports/store.ts";

/** Lua: where a row is, from its entry, and where its text begins. */
export const PLACE_OF_ROW = String.raw`
  local function place(id, entry)
    local stop = string.find(entry, "\0", 1, true)
    local order = stop == 1 and id or string.sub(entry, 2, stop - 1)
    local from = string.find(entry, "\0", stop + 1, true) + 1
    stop = string.find(entry, "\0", from, true)
    local marks = {}
    for n = 1, tonumber(string.sub(entry, from, stop - 1)) do
      from = stop + 1
      stop = string.find(entry, "\0", from, true)
      marks[n] = string.sub(entry, from, stop - 1)
    end
    return order .. "\0" .. id, marks, stop + 1
  end`;

/** Lua: puts a row, or deletes it if the entry is empty. Returns the entry before, or an empty one. */
export const CHANGE_ROW = `${PLACE_OF_ROW}
  local function change_row(list, id, entry)
    local entries = p .. "e:" .. list
    local before = redis.call("HGET", entries, id) or ""
    if before == entry then return before end
    local member, marks, old, old_marks = nil, {}, nil, {}
    if entry ~= "" then member, marks = place(id, entry) end
    if before ~= "" then old, old_marks = place(id, before) end
    if entry ~= "" then redis.call("HSET", entries, id, entry) else redis.call("HDEL", entries, id) end
    -- Most changes leave a row where it is, with other marks.
    local had, kept = {}, {}
    if old ~= member then
      if old then redis.call("ZREM", p .. "l:" .. list, old) end
      if member then redis.call("ZADD", p .. "l:" .. list, 0, member) end
    else
      for _, mark in ipairs(old_marks) do had[mark] = true end
      for _, mark in ipairs(marks) do kept[mark] = true end
    end
    for _, mark in ipairs(marks) do
      if not had[mark] then redis.call("ZADD", p .. "m:" .. list .. ":" .. mark, 0, member) end
    end
    for _, mark in ipairs(old_marks) do
      if not kept[mark] then redis.call("ZREM", p .. "m:" .. list .. ":" .. mark, old) end
    end
    return before
  end`;

const isSortable = (text: string) => /^\p{ASCII}*$/u.test(text) && !text.includes("\0");

/**
 * @param document Key of the document to which the row belongs. Null in a derived list.
 * @throws StepwellError `internal` for a row that Redis would order in another way
 */
export function entryOf({ id, order = id, text = "", marks = [] }: Row, document: string | null): string {
  if (!isSortable(id) || !isSortable(order)) {
    const where = JSON.stringify({ id, order });
    throw new StepwellError("internal", `The ID and the order of a row must be ASCII without NUL. Received ${where}.`);
  }
  const distinct = [...new Set(marks)].map(markOf);
  const owner = document?.endsWith(`:${id}`) === true ? document.slice(0, -id.length) : (document ?? "");
  return [order === id ? "" : `=${order}`, owner, distinct.length, ...distinct, text].join("\0");
}

/** What {@link entryOf} was given. The document is empty in a derived list. */
export function givenEntry(
  id: string,
  entry: string,
): { readonly document: string; readonly marks: readonly string[]; readonly text: string } {
  const [, owner = "", count = "0", ...rest] = entry.split("\0");
  const marks = rest.slice(0, Number(count)).map(givenMark);
  return { document: owner.endsWith(":") ? owner + id : owner, marks, text: rest.slice(Number(count)).join("\0") };
}

/** The mark of {@link markOf}. */
function givenMark(stored: string): string {
  return stored.includes("\\") ? String(JSON.parse(`"${stored}"`)) : stored;
}

/** Control characters, lone surrogates, and what escapes them. */
const SPECIAL = /["\\\p{Cc}\p{Cs}]/u;

/** A mark as a part of keys and entries, which contain no NUL, and of keys in UTF-8, which has no lone surrogates. */
export function markOf(mark: string): string {
  return SPECIAL.test(mark) ? JSON.stringify(mark).slice(1, -1) : mark;
}
