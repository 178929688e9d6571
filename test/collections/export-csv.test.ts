/** Exports as CSV larger than what stays in memory between the two passes: every record is one row, with all columns. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHeldRows } from "../../src/collections/transfer/held-rows.ts";
import { openService } from "../support/engine/service.ts";

describe("a CSV export of 12 MiB", () => {
  const RECORDS = 120;
  const LONG = "x".repeat(100_000);
  let t: Awaited<ReturnType<typeof openService>>;
  let loans: string;

  beforeEach(async () => {
    t = await openService();
    loans = (await t.stepwell.collections.create(t.app, { name: "Loans" })).id;
    for (let n = 0; n < RECORDS; n++) {
      const last = n === RECORDS - 1 ? { last: "yes" } : {};
      await t.stepwell.records.create(t.app, loans, {
        data: { e: { [n % 2 === 0 ? "even" : "odd"]: n, LONG, ...last } },
      });
    }
  });
  afterEach(() => t.stepwell.close());

  const open = () => t.stepwell.records.export(t.app, loans);
  const rows = async () => (await new Response(await open()).text()).replaceAll(LONG, "*").trimEnd().split("\r\n");
  const expected = Array.from({ length: RECORDS }, (_, n) => {
    return `${n % 2 === 0 ? `${n},*,` : `,*,${n}`},${n === RECORDS - 1 ? "yes" : ""}`;
  });

  it("has each record once, in order, with the columns of all", async () => {
    expect(await rows()).toEqual(['"e:even","e:LONG","e:odd","e:last"', ...expected]);
  });

  it("has them also while others are read, and after others were not read to their end", async () => {
    const others = await Promise.all(Array.from({ length: 6 }, open));
    expect((await rows()).slice(1)).toEqual(expected);
    for (const other of others) await other.cancel();
    expect((await rows()).slice(1)).toEqual(expected);
  });

  it("leaves out a record that is deleted between the passes, or has it as it was", async () => {
    const { items } = await t.stepwell.records.list(t.app, loans, { take: 1_000 });
    const body = await open();
    for (const { id } of items) await t.stepwell.records.remove(t.app, loans, id);
    const [, ...found] = (await new Response(body).text()).replaceAll(LONG, "*").trimEnd().split("\r\n");
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(expected.slice(0, found.length));
  });
});

describe("rows that are held in memory", () => {
  const row = [["abcdef"]]; // 12 characters of JSON

  it("stay within the limit of one export and that of all, and make room once taken or discarded", () => {
    const open = createHeldRows({ perExport: 30, inAll: 40 });
    const [one, other] = [open(), open()];
    expect([one.hold(row), one.hold(row), one.hold(row)]).toEqual([true, true, false]);
    expect([other.hold(row), other.hold(row)]).toEqual([true, false]);
    const taken = one.take();
    expect(taken.next().value).toEqual(row);
    expect([other.hold(row), other.hold(row)]).toEqual([true, false]);
    one.discard();
    one.discard();
    expect(taken.next().done).toBe(true);
    const third = open();
    expect([third.hold(row), third.hold(row)]).toEqual([true, false]);
  });
});

it("a CSV of 10,000 columns lets the event loop turn while it is imported and exported", async () => {
  const t = await openService();
  const { id } = await t.stepwell.collections.create(t.app, { name: "Wide" });
  const lines = Array.from({ length: 40 }, (_, record) => {
    const fields = Array.from({ length: 250 }, (_, field) => [`f${record * 250 + field}`, field]);
    return JSON.stringify({ data: { e: Object.fromEntries(fields) } });
  });
  const job = await t.stepwell.records.import(t.app, id, lines.join("\n"), { format: "jsonl" });
  expect(await t.stepwell.jobs.wait(t.app, job.id)).toMatchObject({ status: "succeeded", done: 40 });
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const text = await new Response(await t.stepwell.records.export(t.app, id)).text();
  isDone = true;
  expect(text.trimEnd().split("\r\n")).toHaveLength(41);
  // 400,000 cells.
  expect(turns).toBeGreaterThan(15);
  await t.stepwell.close();
});
