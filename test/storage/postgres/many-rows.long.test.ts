/** A long list, compared with a plain loop over its rows. */
import { expect, it } from "vitest";
import type { ListQuery, Row } from "../../../src/ports/store.ts";
import { postgresFixture } from "../../support/storage/postgres.ts";

const ROWS = 30_000;
const ROWS_OF_COMMIT = 3_000;
const ID = "id000000";

const rowOf = (
  n: number,
): Row & { readonly order: string; readonly text: string; readonly marks: readonly string[] } => ({
  id: `id${String(n).padStart(6, "0")}`,
  // Several rows have the same order.
  order: String((n * 7_919) % 10_007).padStart(5, "0"),
  text: n % 3_001 === 5 ? "a white whale" : n % 2 === 0 ? "a red house with 100% of_it" : "",
  marks: [`kind:${n % 3}`, ...(n % 5_000 === 1 ? ["rare"] : []), ...(n % 2 === 0 ? ["even"] : []), `own:${n}`],
});

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

it(`pages of ${ROWS} rows on PostgreSQL are those of a plain loop`, async () => {
  const fixture = postgresFixture();
  const store = fixture.open();
  let rows = Array.from({ length: ROWS }, (_, n) => rowOf(n));
  for (let first = 0; first < ROWS; first += ROWS_OF_COMMIT) {
    const part = rows.slice(first, first + ROWS_OF_COMMIT);
    const changes = part.map((put) => ({ list: "things", put }));
    await store.commit([{ key: `thing:${first}`, document: {}, rows: changes }]);
  }
  const check = async (query: ListQuery) => {
    const { search, marks = [], from, until, descending = true, after, offset = 0, limit } = query;
    const chosen = rows
      .filter(({ order }) => (from === undefined || order >= from) && (until === undefined || order <= until))
      .filter(({ text }) => search === undefined || text.includes(search))
      .filter((row) => marks.every((group) => group.some((mark) => row.marks.includes(mark))))
      .sort((one, other) => compare(one.order, other.order) || compare(one.id, other.id));
    if (descending) chosen.reverse();
    const [id = "", order = ""] = after?.split(":") ?? [];
    const behind = chosen.filter((row) => {
      const difference = compare(row.order, order) || compare(row.id, id);
      return after === undefined || (descending ? difference < 0 : difference > 0);
    });
    const page = behind.slice(offset, offset + limit);
    const found = await store.list("things", query);
    expect(found.ids, JSON.stringify(query)).toEqual(page.map((row) => row.id));
    expect(found.total, JSON.stringify(query)).toBe(search === undefined ? chosen.length : undefined);
    expect(found.next !== undefined, JSON.stringify(query)).toBe(behind.length > offset + limit && limit > 0);
    return found.next;
  };
  const checkAll = async () => {
    const groups = [[], [["even"]], [["rare"]], [["kind:1", "kind:2"]], [["even", "rare"], ["kind:0"]], [["own:77"]]];
    for (const marks of groups) {
      for (const search of [undefined, "whale", "red", "0% of_", "no such text", "of"]) {
        const query = { limit: 20, marks, ...(search === undefined ? {} : { search }) };
        const next = await check(query);
        if (next !== undefined) await check({ ...query, after: next });
        await check({ ...query, descending: false, from: "01000", until: "02000", offset: 7 });
        await check({ ...query, descending: false, after: `${ID}:05000` });
      }
    }
    await check({ limit: 0 });
    await check({ limit: 50, offset: ROWS / 2 });
  };
  await checkAll();
  // Every third row goes, and others get another order and other marks.
  const gone = rows.filter((_, n) => n % 3 === 0);
  rows = rows
    .filter((_, n) => n % 3 !== 0)
    .map((row, n) => (n % 10 === 0 ? { ...row, order: "00500", marks: ["rare", "kind:1"] } : row));
  const moved = rows.filter((_, n) => n % 10 === 0);
  await store.commit([
    {
      key: "thing:later",
      document: {},
      rows: [
        ...gone.map(({ id }) => ({ list: "things", delete: id })),
        ...moved.map((put) => ({ list: "things", put })),
      ],
    },
  ]);
  await checkAll();
  await store.close();
  await fixture.clean();
});
