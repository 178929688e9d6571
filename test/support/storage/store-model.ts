/** Random commits, reads and restarts, compared with a simple model of a store. */
import fc from "fast-check";
import { expect } from "vitest";
import type { Change, DerivedChange, Key, ListQuery, Row, RowChange, Store, Stored } from "../../../src/ports/store.ts";

/** A simple model of a store. */
export interface Model {
  readonly documents: Map<string, Stored<object>>;
  readonly lists: Map<string, Map<string, Row>>;
}

const KEYS = ["thing:a", "thing:b", "thing:c", "thing:d"] as const;
const DERIVED = "derived.x";
const LISTS = ["one", "two.x", DERIVED] as const;

const copyOf = ({ documents, lists }: Model): Model => ({
  documents: new Map(documents),
  lists: new Map([...lists].map(([name, rows]) => [name, new Map(rows)])),
});

/** Returns the key of a conflict, or null when the commit succeeded. */
export function commitTo({ documents, lists }: Model, changes: readonly (Change | DerivedChange)[]): string | null {
  const version = (key: string) => documents.get(key)?.version ?? null;
  const late = changes.find(({ key, expected }) => expected !== undefined && expected !== version(key));
  if (late !== undefined) return late.key;
  for (const change of changes) {
    const { key, expected, rows = [] } = change;
    if ("document" in change) {
      if (change.document === null) documents.delete(key);
      else documents.set(key, { version: (expected ?? 0) + 1, document: change.document });
    }
    for (const row of rows) {
      const list = lists.get(row.list) ?? new Map<string, Row>();
      lists.set(row.list, list);
      if ("put" in row) list.set(row.put.id, row.put);
      else list.delete(row.delete);
    }
  }
  return null;
}

const orderOf = (row: Row) => row.order ?? row.id;
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

function listFrom({ lists }: Model, name: string, query: ListQuery) {
  const { search, marks = [], from, until, descending = true, offset = 0, limit } = query;
  const rows = [...(lists.get(name)?.values() ?? [])]
    .filter((row) => from === undefined || orderOf(row) >= from)
    .filter((row) => until === undefined || orderOf(row) <= until)
    .filter((row) => search === undefined || (row.text ?? "").includes(search))
    .filter((row) => marks.every((group) => group.some((mark) => row.marks?.includes(mark))))
    .sort((one, other) => compare(orderOf(one), orderOf(other)) || compare(one.id, other.id));
  if (descending) rows.reverse();
  const page = rows.slice(offset, offset + limit);
  return {
    ids: page.map(({ id }) => id),
    orders: page.some((row) => orderOf(row) !== row.id) ? page.map(orderOf) : undefined,
    ...(search === undefined ? { total: rows.length } : {}),
    more: rows.length > offset + limit,
  };
}

const small = fc.constantFrom("a", "b", "c", "d", "e");
const row = fc.record(
  {
    id: small,
    order: small,
    text: fc.string({ unit: fc.constantFrom("x", "y", "ü"), maxLength: 4 }),
    marks: fc.uniqueArray(fc.constantFrom("m:1", "m:2"), { maxLength: 2 }),
  },
  { requiredKeys: ["id"] },
);
const rowChange: fc.Arbitrary<RowChange> = fc.oneof(
  fc.record({ list: fc.constantFrom(...LISTS), put: row }),
  fc.record({ list: fc.constantFrom(...LISTS), delete: small }),
);
/** A change whose expected version is usually right. */
const intent = fc.record({
  key: fc.constantFrom(...KEYS),
  // Through JSON, which has no -0.
  document: fc.option(
    fc.dictionary(small, fc.jsonValue({ maxDepth: 2 })).map((document) => JSON.parse(JSON.stringify(document))),
    { freq: 4 },
  ),
  wrong: fc.option(fc.constantFrom(null, 1, 7), { freq: 4 }),
  isWrong: fc.nat(5),
  rows: fc.array(rowChange, { maxLength: 3 }),
  /** Whether only rows of the derived list change, if the document exists. */
  isDerived: fc.nat(3).map((n) => n === 0),
});
type Intent = typeof intent extends fc.Arbitrary<infer T> ? T : never;
const commit = fc.uniqueArray(intent, { selector: ({ key }) => key, minLength: 1, maxLength: 3 });
const query = fc.record(
  {
    limit: fc.integer({ min: 1, max: 6 }),
    offset: fc.nat(3),
    descending: fc.boolean(),
    from: small,
    until: small,
    search: fc.string({ unit: fc.constantFrom("x", "y", "ü"), maxLength: 2 }),
    marks: fc.array(fc.array(fc.constantFrom("m:1", "m:2", "m:3"), { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
  },
  { requiredKeys: ["limit"] },
);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant("commit" as const), intents: commit }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("list" as const), name: fc.constantFrom(...LISTS), query }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("restart" as const) }) },
  // Several commits at once on keys of their own; the process dies after a number of driver calls.
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant("crash" as const),
      commits: fc.nat(4),
      calls: fc.nat(12),
      torn: fc.boolean(),
    }),
  },
);

function changesOf(model: Model, intents: readonly Intent[]): (Change | DerivedChange)[] {
  return intents.map(({ key, document, wrong, isWrong, rows, isDerived }) => {
    const expected = isWrong === 0 ? wrong : (model.documents.get(key)?.version ?? null);
    if (!isDerived || expected === null) return { key, document, expected, rows };
    return { key, expected, rows: rows.map((row) => ({ ...row, list: DERIVED })) };
  });
}

/** A creation whose document shows whether it took place. */
export function creation(number: number): readonly [Change, Change] {
  const id = `new${number}`;
  return [
    { key: `thing:${id}`, document: { id }, rows: [{ list: "one", put: { id, marks: ["m:1"] } }] },
    { key: `other:${id}`, document: { id }, rows: [{ list: "two.x", put: { id, order: "b" } }] },
  ];
}

export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Sequences of steps. */
export const steps = fc.array(step, { maxLength: 25, size: "max" });

export const emptyModel = (): Model => ({ documents: new Map(), lists: new Map() });

/**
 * Compares a store with the model. A crash is only a restart.
 * @param open Opens the store on what the one before has stored and closed.
 */
export async function compareWithModel(steps: readonly Step[], open: () => Store): Promise<void> {
  let store = open();
  let model = emptyModel();
  for (const one of steps) {
    if (one.does === "commit") {
      model = await commitToBoth(store, model, one.intents);
    } else if (one.does === "list") {
      await compareList(store, model, one);
    } else {
      await store.close();
      store = open();
    }
    await compareAll(store, model, 0);
  }
  await store.close();
}

/** @returns The model after the commit, which is the same if the commit conflicts. */
export async function commitToBoth(store: Store, model: Model, intents: readonly Intent[]): Promise<Model> {
  const changes = changesOf(model, intents);
  const next = copyOf(model);
  const conflict = commitTo(next, changes);
  if (conflict === null) {
    await store.commit(changes);
    return next;
  }
  await expect(store.commit(changes)).rejects.toMatchObject({ code: "conflict" });
  return model;
}

export async function compareList(store: Store, model: Model, { name, query }: Extract<Step, { does: "list" }>) {
  const { next, ...page } = await store.list(name, query);
  expect({ ...page, more: next !== undefined }).toEqual(listFrom(model, name, query));
}

export async function compareAll(store: Store, model: Model, created: number): Promise<void> {
  const news = Array.from({ length: created }, (_, n): Key[] => [`thing:new${n}`, `other:new${n}`]).flat();
  const keys: Key[] = [...KEYS, ...news];
  expect(await store.getMany(keys)).toEqual(keys.map((key) => model.documents.get(key) ?? null));
  for (const name of LISTS) {
    const { ids, orders, total } = await store.list(name, { limit: 1_000 });
    expect({ ids, orders, total, more: false }).toEqual(listFrom(model, name, { limit: 1_000 }));
  }
  expect(await store.totals(LISTS)).toEqual(LISTS.map((name) => model.lists.get(name)?.size ?? 0));
}
