/**
 * Ids in JSON values. Ids are unique, so they are found wherever they stand: in fields, in the input of actions, in expressions
 * and in code. Pure.
 */

const ID_CHARACTERS = /^[0-9a-z]{26}$/;
const ID = /\b(?:workv|work|coll|con|tag|trig|sched|whk)_[0-9a-z]{26}\b/g;

/** Whether a text is an id with this prefix. */
export function isId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}_`) && ID_CHARACTERS.test(text.slice(prefix.length + 1));
}

/** The ids in a JSON value of everything that an export may contain. */
export function idsIn(value: unknown): ReadonlySet<string> {
  return new Set(JSON.stringify(value).match(ID) ?? []);
}

/** A JSON value with other ids. */
export function withIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  return JSON.parse(JSON.stringify(value).replace(ID, (id) => ids.get(id) ?? id));
}
