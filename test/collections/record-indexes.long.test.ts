/** Indexes of collections: queries agree with a plain loop over all records, whatever is written and built meanwhile. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import type { CollectionRecord, Stepwell } from "../../src/index.ts";
import { openService } from "../support/engine/service.ts";
import { faultyDriver } from "../support/storage/faulty.ts";
import { until } from "../support/until.ts";

const FIELDS = ["loan:a", "loan:b"] as const;
type Value = unknown;

const text = fc.string({
  unit: fc.constantFrom("a", "b", "A", " ", "!", "~", "é", "\u{ffff}", "\u{10000}", "\ud800", "\u0000"),
  maxLength: 4,
});
const scalar = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  text,
  fc.boolean(),
);
const value = fc.oneof({ weight: 6, arbitrary: scalar }, fc.constant([1, "a"]), fc.constant({ a: 1 }));
const data = fc.record({ a: value, b: value }, { requiredKeys: [] });
const field = fc.constantFrom(...FIELDS);
const condition = fc.oneof(
  fc.record({ field, op: fc.constantFrom("eq", "ne", "contains"), value: scalar }),
  fc.record({
    field,
    op: fc.constantFrom("gt", "gte", "lt", "lte"),
    value: fc.oneof(fc.integer({ min: -3, max: 3 }), text),
  }),
  fc.record({ field, op: fc.constant("in"), value: fc.array(scalar, { minLength: 1, maxLength: 4 }) }),
  fc.record({ field, op: fc.constant("exists"), value: fc.boolean() }),
);
const query = fc.record(
  {
    filter: fc.array(condition, { maxLength: 3 }),
    sort: fc.record({ field, descending: fc.boolean() }),
    take: fc.integer({ min: 1, max: 4 }),
  },
  { requiredKeys: ["filter", "take"] },
);
const at = fc.nat(40);
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("create" as const), data }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("update" as const), at, data }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("index" as const), fields: fc.subarray([...FIELDS]) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("build" as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("query" as const), query, meanwhile: fc.boolean() }) },
);

type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;

const valueIn = ({ data }: CollectionRecord, path: string): Value => data["loan"]?.[path.slice(5)];
const points = (of: string) => Array.from(of, (one) => one.codePointAt(0) ?? 0);
const RANKS = ["undefined", "object", "boolean", "number", "string"];

function compareValues(one: Value, other: Value): number {
  const rank = RANKS.indexOf(typeof one) - RANKS.indexOf(typeof other);
  if (rank !== 0 || typeof one === "object" || one === undefined) return rank;
  if (typeof one !== "string") return Number(one) - Number(other);
  const [left, right] = [points(one), points(String(other))];
  const different = left.findIndex((point, index) => point !== right[index]);
  if (different === -1) return left.length - right.length;
  return right[different] === undefined ? 1 : (left[different] ?? 0) - right[different];
}

function meets(found: Value, op: string, wanted: Value): boolean {
  const isComparable = typeof found === typeof wanted && (typeof found === "number" || typeof found === "string");
  const difference = compareValues(found, wanted);
  switch (op) {
    case "eq":
      return found === wanted;
    case "ne":
      return found !== wanted;
    case "in":
      return (wanted as Value[]).includes(found === 0 ? 0 : found) || (wanted as Value[]).some((one) => one === found);
    case "exists":
      return (found !== undefined) === wanted;
    case "contains":
      if (typeof found === "string") return typeof wanted === "string" && found.includes(wanted);
      return Array.isArray(found) && found.includes(wanted);
    case "gt":
      return isComparable && difference > 0;
    case "gte":
      return isComparable && difference >= 0;
    case "lt":
      return isComparable && difference < 0;
    default:
      return isComparable && difference <= 0;
  }
}

/** What the query must find, by a loop over all records. */
function expected(all: readonly CollectionRecord[], { filter, sort }: Query): string[] {
  const found = all.filter((record) => filter.every((one) => meets(valueIn(record, one.field), one.op, one.value)));
  const sign = sort === undefined || sort.descending ? -1 : 1;
  const byId = (one: CollectionRecord, other: CollectionRecord) => (one.id < other.id ? -1 : 1);
  found.sort((one, other) => {
    const difference = sort === undefined ? 0 : compareValues(valueIn(one, sort.field), valueIn(other, sort.field));
    return sign * (difference || byId(one, other));
  });
  return found.map(({ id }) => id);
}

interface World {
  stepwell: Stepwell;
  readonly app: string;
  readonly collection: string;
}

async function pagesOf({ stepwell, app, collection }: World, wanted: Query, between: () => Promise<void>) {
  const ids: string[] = [];
  for (let page_token: string | undefined; ; ) {
    const page = await stepwell.records.list(app, collection, {
      ...(wanted as object),
      ...(page_token === undefined ? {} : { page_token }),
    });
    ids.push(...page.items.map(({ id }) => id));
    expect(page.more).toBe(page.next_page_token !== undefined);
    if (page.next_page_token === undefined) return ids;
    page_token = page.next_page_token;
    await between();
  }
}

async function everything({ stepwell, app, collection }: World) {
  return (await stepwell.records.list(app, collection, { take: 1_000 })).items;
}

async function built({ stepwell, app, collection }: World) {
  await until(async () => {
    const { config } = await stepwell.collections.get(app, collection);
    return config.index_states.every(({ state }) => state === "ready");
  });
}

describe.each([
  [
    "memory",
    () => {
      const stored = new Map<string, string>();
      return () => faultyDriver(stored, "rejects", 0).driver;
    },
  ],
  [
    "fs",
    () => {
      const base = mkdtempSync(join(tmpdir(), "stepwell-indexes-"));
      return () => fsDriver({ base });
    },
  ],
])("queries of records on %s", (_, storage) => {
  it("agree with a loop over all records while indexes come and go", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 50 }), async (actions) => {
        const driver = storage();
        const first = await openService({ storage: { entities: driver() } });
        const { id: collection } = await first.stepwell.collections.create(first.app, { name: "Loans" });
        const world: World = { stepwell: first.stepwell, app: first.app, collection };
        const records: string[] = [];
        const touched = new Set<string>();
        const write = async (act: (typeof actions)[number]) => {
          const { stepwell, app } = world;
          if (act.do === "create") {
            const { id } = await stepwell.records.create(app, collection, {
              data: { loan: act.data as object } as never,
            });
            records.push(id);
            touched.add(id);
          } else if (act.do === "update" || act.do === "delete") {
            const id = records[act.at % Math.max(1, records.length)];
            if (id === undefined) return;
            touched.add(id);
            if (act.do === "update") {
              await stepwell.records.update(app, collection, id, {
                data: { loan: { a: null, b: null, ...(act.data as object) } } as never,
              });
            } else {
              records.splice(records.indexOf(id), 1);
              await stepwell.records.remove(app, collection, id);
            }
          } else if (act.do === "index") {
            await stepwell.collections.update(app, collection, { config: { indexes: act.fields } });
          }
        };
        for (const [index, act] of actions.entries()) {
          if (act.do === "restart") {
            await world.stepwell.close();
            world.stepwell = (await openService({ storage: { entities: driver() } }, world.app)).stepwell;
          } else if (act.do === "build") await built(world);
          else if (act.do === "query") {
            touched.clear();
            const before = await everything(world);
            let next = index;
            const between = async () => {
              const other = actions[++next];
              if (act.meanwhile && other !== undefined && other.do !== "query" && next < index + 3) await write(other);
            };
            const found = await pagesOf(world, act.query, between);
            const kept = (ids: readonly string[]) => ids.filter((id) => !touched.has(id));
            expect(kept(found)).toEqual(kept(expected(before, act.query)));
          } else await write(act);
        }
        await world.stepwell.close();
      }),
      { numRuns: 8 },
    );
  });

  it("agree with it after writes that raced with the building of an index", async () => {
    const { stepwell, app } = await openService({ storage: { entities: storage()() } });
    const { id: collection } = await stepwell.collections.create(app, { name: "Loans" });
    const world: World = { stepwell, app, collection };
    const made: string[] = [];
    const create = async (n: number) => {
      made.push((await stepwell.records.create(app, collection, { data: { loan: { a: n, b: n % 7 } } })).id);
    };
    await Promise.all(Array.from({ length: 300 }, (_, n) => create(n)));
    const writes: Promise<unknown>[] = [];
    for (const indexes of [["loan:a"], ["loan:b"], ["loan:a", "loan:b"]]) {
      for (let n = 0; n < 40; n++) {
        const id = made[(n * 7) % 200] ?? "";
        writes.push(create(-n), stepwell.records.update(app, collection, id, { data: { loan: { a: n * 31 } } }));
        if (n % 10 === 0)
          writes.push(
            stepwell.records.remove(app, collection, made[200 + (writes.length % 99)] ?? "").catch(() => undefined),
          );
        if (n === 20) writes.push(stepwell.collections.update(app, collection, { config: { indexes } }));
        if (n % 5 === 0) await writes.at(-2);
      }
    }
    await Promise.allSettled(writes);
    await built(world);
    const all = await everything(world);
    for (const field of FIELDS) {
      const wanted: Query = { filter: [], sort: { field, descending: false }, take: 100 };
      expect(await pagesOf(world, wanted, async () => undefined)).toEqual(expected(all, wanted));
    }
    await stepwell.close();
  });
});
