/** A simple model of the records of a collection: every version of every record, in a list. */
import { isDeepStrictEqual } from "node:util";

export type Value = string | number | boolean;
/** Values by field, of one entity. Null removes a field. */
export type Patch = Readonly<Record<string, Value | null>>;
export type Content = Readonly<{ fields: Readonly<Record<string, Value>>; tags: readonly string[] }>;

/** A record. Its first version has the index 0. */
export interface ModelRecord {
  readonly id: string;
  readonly versions: Content[];
  isDeleted: boolean;
}

export interface Change {
  readonly patch: Patch;
  /** The tags that replace the stored ones. */
  readonly tags: readonly string[] | undefined;
}

export type Written = { readonly record: ModelRecord | null; readonly isNew: boolean };

const NOTHING: Content = { fields: {}, tags: [] };

function changed(before: Content, { patch, tags = before.tags }: Change): Content {
  const fields = Object.entries({ ...before.fields, ...patch }).flatMap(([name, value]): [string, Value][] =>
    value === null ? [] : [[name, value]],
  );
  return { fields: Object.fromEntries(fields), tags: [...new Set(tags)] };
}

export const current = ({ versions }: ModelRecord): Content => versions.at(-1) ?? NOTHING;
/** The version that callers see. A deletion counts as one. */
export const versionOf = ({ versions, isDeleted }: ModelRecord) => versions.length + (isDeleted ? 1 : 0);

export function createModel() {
  const records: ModelRecord[] = [];
  /** The record of a `key`, and the one that an upsert created for a value. */
  const claims = new Map<string, ModelRecord>();
  const alive = () => records.filter(({ isDeleted }) => !isDeleted).sort((one, other) => (one.id < other.id ? -1 : 1));
  const claimed = (claim: string) => {
    const found = claims.get(claim);
    return found === undefined || found.isDeleted ? null : found;
  };
  const claimOf = (field: string, value: Value) => JSON.stringify(["value", field, value]);

  function insert(id: string, change: Change, claim: string | null): ModelRecord {
    const record = { id, versions: [changed(NOTHING, change)], isDeleted: false };
    records.push(record);
    if (claim !== null) claims.set(claim, record);
    return record;
  }

  function update(record: ModelRecord, change: Change): void {
    const after = changed(current(record), change);
    if (!isDeepStrictEqual(after, current(record))) record.versions.push(after);
  }

  return {
    records,
    /** Oldest first. */
    alive,
    update,
    /** The record that a creation with this key returns, or null if it creates one. */
    ofKey: (key: string) => claimed(JSON.stringify(["key", key])),
    create: (id: string, change: Change, key: string | undefined) =>
      insert(id, change, key === undefined ? null : JSON.stringify(["key", key])),
    /** The record that an upsert changes, or null if it creates one. */
    ofValue(field: string, value: Value): ModelRecord | null {
      const has = (record: ModelRecord) => current(record).fields[field] === value;
      const likely = claimed(claimOf(field, value));
      return likely !== null && has(likely) ? likely : (alive().find(has) ?? null);
    },
    insertFor: (id: string, change: Change, field: string, value: Value) => insert(id, change, claimOf(field, value)),
    remove(record: ModelRecord): void {
      record.isDeleted = true;
    },
  };
}

export type Model = ReturnType<typeof createModel>;

const RANKS = ["undefined", "boolean", "number", "string"];

/** The order of values: none, booleans, numbers, texts. */
export function compareValues(one: Value | undefined, other: Value | undefined): number {
  const rank = RANKS.indexOf(typeof one) - RANKS.indexOf(typeof other);
  if (rank !== 0 || one === undefined || other === undefined || one === other) return rank;
  return one < other ? -1 : 1;
}
