/** A form whose values were stored while somebody went on typing. Pure. */
import { type Entry, type ExtraEntry, nextId } from "./entry.ts";

/**
 * What was changed since the form was sent stays. Everything else becomes what was stored.
 * @param sent The form when it was sent.
 * @param now The form as it is.
 * @param stored The form with the values that were stored.
 */
export function mergedEntry(sent: Entry, now: Entry, stored: Entry): Entry {
  if (isSameEntry(sent, now)) return stored;
  if (sent.kind !== "object" || now.kind !== "object" || stored.kind !== "object") return now;
  const { fields: before } = sent;
  const { fields: after } = stored;
  const fields = Object.entries(now.fields).map(([key, entry]): [string, Entry] => {
    const [old, next] = [before[key], after[key]];
    return [key, old === undefined || next === undefined ? entry : mergedEntry(old, entry, next)];
  });
  return {
    kind: "object",
    fields: Object.fromEntries(fields),
    extra: mergedExtra(sent.extra, now.extra, stored.extra),
  };
}

export const isSameEntry = (one: Entry, other: Entry) => one === other || JSON.stringify(one) === JSON.stringify(other);

function mergedExtra(
  sent: readonly ExtraEntry[],
  now: readonly ExtraEntry[],
  stored: readonly ExtraEntry[],
): readonly ExtraEntry[] {
  const before = new Map(sent.map((row) => [row.id, row]));
  const storedRows = new Map(stored.map((row) => [row.name, row]));
  const kept = now.flatMap((row): ExtraEntry[] => {
    const old = before.get(row.id);
    // A row without a name is not filled in yet, so that nothing of it was sent.
    if (row.name === "" || old === undefined || old.name !== row.name) return [row];
    const next = storedRows.get(row.name);
    if (next !== undefined) return [{ ...row, entry: mergedEntry(old.entry, row.entry, next.entry) }];
    return isSameEntry(old.entry, row.entry) ? [] : [row];
  });
  const known = new Set([...sent, ...now].map(({ name }) => name));
  const first = nextId(now);
  const added = stored.filter(({ name }) => !known.has(name)).map((row, index) => ({ ...row, id: first + index }));
  return [...kept, ...added];
}
