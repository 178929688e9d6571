/** Indexes that one process of a cluster builds while another one writes records. */
import { afterEach, describe, expect, it } from "vitest";
import type { RecordFilter, Stepwell } from "../../src/index.ts";
import { type Changes, type HeldProcesses, openHeldProcesses } from "../support/cluster/held-processes.ts";

const opened: HeldProcesses[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((processes) => processes.close()));
});

interface At {
  readonly app: string;
  readonly collection: string;
  readonly record: string;
}

const WRITES: Readonly<Record<string, (stepwell: Stepwell, at: At) => Promise<unknown>>> = {
  creation: ({ records }, { app, collection }) => records.create(app, collection, { data: { loan: { sum: 50 } } }),
  update: ({ records }, { app, collection, record }) =>
    records.update(app, collection, record, { data: { loan: { sum: 50 } } }),
  upsert: ({ records }, { app, collection }) =>
    records.upsert(app, collection, { path: "loan:number", value: "7", data: { loan: { sum: 50 } } }),
  deletion: ({ records }, { app, collection, record }) => records.remove(app, collection, record),
};

async function sums(stepwell: Stepwell, { app, collection }: At, ...filter: RecordFilter[]): Promise<unknown[]> {
  const found = await stepwell.records.list(app, collection, { filter });
  return found.items.map(({ data }) => data["loan"]?.["sum"]).sort();
}

const ofRecords = (changes: Changes) => changes.some(({ key }) => key.startsWith("record:"));

describe.each(Object.entries(WRITES))("a %s of a record in one process", (_, write) => {
  it.each(["builds", "removes and builds"])("is found by the index that another one %s meanwhile", async (how) => {
    const processes = await openHeldProcesses();
    opened.push(processes);
    const { one, other, until, finish } = processes;
    const { id: app } = await one.stepwell.apps.create({ name: "Tests" });
    const before = how === "builds" ? [] : ["loan:sum"];
    const { id: collection } = await one.stepwell.collections.create(app, { name: "C", config: { indexes: before } });
    const created: string[] = [];
    for (let number = 1; number <= 20; number++) {
      const data = { loan: { number: String(number), sum: number } };
      created.push((await one.stepwell.records.create(app, collection, { data })).id);
    }
    const at = { app, collection, record: created[6] ?? "" };
    const index = async (indexes: string[]) => {
      await one.stepwell.collections.update(app, collection, { config: { indexes } });
      await until(async () => {
        const { config } = await one.stepwell.collections.get(app, collection);
        return (
          config.index_states.length === indexes.length && config.index_states.every(({ state }) => state === "ready")
        );
      });
    };

    const commit = other.hold(ofRecords);
    const written = finish(write(other.stepwell, at));
    await until(() => commit.isReached);
    if (before.length > 0) await index([]);
    await index(["loan:sum"]);
    commit.release();
    expect(await written).toMatchObject({ status: "fulfilled" });

    const rows = [...processes.data.lists].filter(([name]) => name.includes(".idx_")).map(([, list]) => list.rows.size);
    expect(rows).toEqual([processes.data.lists.get(`records.${collection}`)?.rows.size]);
    const all = (await sums(one.stepwell, at)).map(Number);
    for (const { stepwell } of [one, other]) {
      for (const [filter, holds] of [
        [{ field: "loan:sum", op: "eq", value: 7 }, (sum: number) => sum === 7],
        [{ field: "loan:sum", op: "eq", value: 50 }, (sum: number) => sum === 50],
        [{ field: "loan:sum", op: "gte", value: 5 }, (sum: number) => sum >= 5],
      ] as const) {
        expect(await sums(stepwell, at, filter)).toEqual(all.filter(holds));
      }
    }
  });
});
