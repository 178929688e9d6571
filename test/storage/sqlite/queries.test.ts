/** Pages of many rows in a SQLite store, compared with a plain loop: each way to find rows has its turn. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ListQuery, Row, Store } from "../../../src/ports/store.ts";
import { createStoreFile, type StoreFile } from "./open.ts";

const COUNT = 12_000;
const WORDS = [
  "amount",
  "borrower",
  '"quoted"',
  "100%",
  "a*b",
  "NEAR(x)",
  "ünïcode",
  "🌊🌊🌊",
  "under_score",
  "日本語",
];

/** Marks from one that all rows have to one that none has, and texts from one that most contain to one that a few do. */
function rowOf(n: number): Row {
  const id = `id${String(n).padStart(6, "0")}`;
  const marks = ["all", `half:${n % 2}`, `tenth:${n % 10}`, ...(n % 3_000 === 0 ? ["rare"] : [])];
  const text = `${WORDS[n % WORDS.length]} common number ${n}`;
  // Some orders occur often, so that the id decides.
  const order = n % 2 === 0 ? id : `order${String(n % 500).padStart(3, "0")}`;
  return { id, order, marks: marks.slice(n % 97 === 0 ? 1 : 0), text: n % 5 === 0 ? undefined : text };
}

const rows = Array.from({ length: COUNT }, (_, n) => rowOf(n));
let storage: StoreFile;
let store: Store;

beforeAll(async () => {
  storage = createStoreFile();
  store = storage.open();
  for (let start = 0; start < COUNT; start += 1_000) {
    const changes = rows.slice(start, start + 1_000).map((row) => ({
      key: `thing:${row.id}` as const,
      document: {},
      rows: [
        { list: "things", put: row },
        // Another list with the same texts, which a search must not find.
        { list: "others", put: { ...row, marks: [] } },
      ],
    }));
    await store.commit(changes);
  }
});
afterAll(async () => {
  await store.close();
  await storage.clean();
});

const orderOf = ({ id, order = id }: Row) => order;
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
const sorted = [...rows].sort((one, other) => compare(orderOf(one), orderOf(other)) || compare(one.id, other.id));

function expected({ search, marks = [], from, until, descending = true }: Partial<ListQuery>): readonly string[] {
  const found = sorted
    .filter((row) => from === undefined || orderOf(row) >= from)
    .filter((row) => until === undefined || orderOf(row) <= until)
    .filter((row) => search === undefined || (row.text ?? "").includes(search))
    .filter((row) => marks.every((group) => group.some((mark) => row.marks?.includes(mark))))
    .map(({ id }) => id);
  return descending ? found.reverse() : found;
}

/** Reads all pages, each from where the one before ended. */
async function allPages(query: Omit<ListQuery, "limit">, limit: number) {
  const found: string[] = [];
  const totals = new Set<number | undefined>();
  let after: string | undefined;
  do {
    const page = await store.list("things", { ...query, limit, after });
    found.push(...page.ids);
    totals.add(page.total);
    after = page.next;
  } while (after !== undefined);
  return { found, totals: [...totals] };
}

const mark = fc.constantFrom("all", "half:0", "half:1", "tenth:3", "tenth:4", "rare", "none");
const search = fc.constantFrom(
  ...["common", "number 11", "number 119", "a", "🌊", "🌊🌊🌊", '"quoted"', "100%", "a*b", "NEAR(x)", "nothing", "本"],
);
const order = fc.constantFrom("id003000", "id009999", "order100", "order250", "zzz");
const query = fc.record(
  {
    descending: fc.boolean(),
    from: order,
    until: order,
    search,
    marks: fc.array(fc.uniqueArray(mark, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

it("returns the rows that a plain loop finds, page after page, and their number", async () => {
  const check = async (given: Omit<ListQuery, "limit">) => {
    const all = expected(given);
    const { found, totals } = await allPages(given, Math.max(1, Math.ceil(all.length / 7)));
    expect(found).toEqual(all);
    expect(totals).toEqual([given.search === undefined ? all.length : undefined]);
  };
  await fc.assert(fc.asyncProperty(query, check), { numRuns: 150 });
});

it.each<[string, Omit<ListQuery, "limit">]>([
  ["one mark", { marks: [["half:1"]] }],
  ["some marks", { marks: [["tenth:1", "tenth:2", "rare"]] }],
  ["two groups", { marks: [["half:0"], ["tenth:3", "tenth:4"]] }],
  ["groups without a common row", { marks: [["half:0"], ["tenth:3"]] }],
  ["a text that many rows contain", { search: "common" }],
  ["a text that few rows contain", { search: "number 119" }],
  ["a short text", { search: "🌊" }],
  ["a text with marks", { search: "common", marks: [["tenth:4"], ["half:0", "rare"]] }],
])("returns any part by its offset: %s", async (_, given) => {
  const all = expected(given);
  for (const offset of [0, 1, 37, 499, 500, 501, 4_990, all.length - 1, all.length]) {
    if (offset < 0) continue;
    const page = await store.list("things", { ...given, offset, limit: 10 });
    expect([offset, page.ids]).toEqual([offset, all.slice(offset, offset + 10)]);
    expect([offset, page.next !== undefined]).toEqual([offset, offset + 10 < all.length]);
  }
});

it("counts without reading rows if the limit is 0", async () => {
  expect(await store.list("things", { limit: 0, marks: [["tenth:4"]] })).toMatchObject({ ids: [], total: 1_200 });
});
