/**
 * Ids in JSON values. Ids are unique, so they are found wherever they stand: in fields, in the input of actions, in expressions
 * and in code. Pure.
 */

const ID = /\b(?:workv|work|coll|con|tag|trig|sched|whk)_[0-9a-z]{26}\b/g;

/** The ids in a JSON value of everything that an export may contain. */
export function idsIn(value: unknown): ReadonlySet<string> {
  return new Set(JSON.stringify(value).match(ID) ?? []);
}

/** A JSON value with other ids. */
export function withIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  return JSON.parse(JSON.stringify(value).replace(ID, (id) => ids.get(id) ?? id));
}
