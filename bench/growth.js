/**
 * What each operation on records costs with few and with many records in the collection: the processor's time, in turns, so
 * that it can be compared on a machine that does other things too. `node --expose-gc growth.js [memory|fs] [many]`
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStepwell } from "stepwell";
import fsDriver from "stepwell/storage/fs";
import { at, median, report } from "./measure.js";

const [, , driver = "memory", count = "100000"] = process.argv;
const FEW = 1_000;
const MANY = Number(count);
const ROUNDS = 5;

const STATES = ["open", "closed", "funded", "declined"];
function loan(n, shuffled = n) {
  return {
    amount: shuffled,
    state: STATES[n % STATES.length],
    number: `A-${n}`,
    borrower: `Person ${n % 9_973}`,
    city: `City ${n % 997}`,
    note: `Received by mail on day ${n % 365}, to be reviewed by desk ${n % 31}`,
  };
}

const heap = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

async function atOnce(lanes, count, work) {
  let next = 0;
  const lane = async () => {
    for (let n = next++; n < count; n = next++) await work(n);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Milliseconds of the processor and of the clock for each of so many calls. */
async function costOf(work, { calls, lanes = 1 }) {
  const times = [];
  const before = process.cpuUsage();
  await atOnce(lanes, calls, async (n) => {
    const start = performance.now();
    await work(n);
    times.push(performance.now() - start);
  });
  const { user, system } = process.cpuUsage(before);
  times.sort((one, other) => one - other);
  return { cpu: (user + system) / 1_000 / calls, wall: at(times, 0.5), worst: times.at(-1) };
}

async function side(stepwell, size) {
  const app = (await stepwell.apps.create({ name: String(size) })).id;
  const tag = (await stepwell.tags.create(app, { name: "some" })).id;
  const { id } = await stepwell.collections.create(app, { name: "Loans", config: { indexes: ["loan:amount"] } });
  const made = [];
  let next = 0;
  const { records, collections } = stepwell;
  const create = async () => {
    const n = next++;
    const data = { loan: loan(n, (n * 7_919) % size) };
    made.push((await records.create(app, id, { data, tags: n % 100 === 0 ? [tag] : [] })).id);
  };
  await atOnce(256, size, create);
  let turn = 0;
  const any = () => made[(turn++ * 7_907) % size];
  const list = (query) => () => records.list(app, id, { take: 100, ...query });
  async function job() {
    const ids = Array.from({ length: 40 }, any);
    const { id: jobId } = await stepwell.records.evaluateMany(app, id, { ids });
    for (;;) {
      if ((await stepwell.jobs.get(app, jobId)).status !== "running") return;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  return {
    operations: {
      "create, 32 at once": [create, { calls: 640, lanes: 32 }],
      "create, alone": [create, { calls: 100 }],
      "update, 32 at once": [
        () => records.update(app, id, any(), { data: { loan: { amount: turn } } }),
        { calls: 640, lanes: 32 },
      ],
      delete: [() => records.remove(app, id, made.pop()), { calls: 100 }],
      get: [() => records.get(app, id, any()), { calls: 300 }],
      "upsert of a record": [
        () =>
          records.upsert(app, id, {
            path: "loan:number",
            value: `A-${(turn++ * 7_907) % (size >> 1)}`,
            data: { loan: { day: turn } },
          }),
        { calls: 100 },
      ],
      "upsert of a new record": [
        () => records.upsert(app, id, { path: "loan:number", value: `N-${turn++}`, data: { loan: { day: turn } } }),
        { calls: 100 },
      ],
      "create with a key": [
        () => records.create(app, id, { key: `key ${turn++}`, data: { loan: { day: turn } } }),
        { calls: 100 },
      ],
      "first page": [list({}), { calls: 50 }],
      "page by tag": [list({ tags: [tag] }), { calls: 50 }],
      "page by search": [list({ search: "city 99" }), { calls: 20 }],
      "page by value (eq)": [list({ filter: [{ field: "loan:number", op: "eq", value: "A-500" }] }), { calls: 50 }],
      "page by two values (eq)": [
        list({
          filter: [
            { field: "loan:state", op: "eq", value: "open" },
            { field: "loan:city", op: "eq", value: "City 500" },
          ],
        }),
        { calls: 50 },
      ],
      "page by index, sorted": [
        list({ filter: [{ field: "loan:amount", op: "gte", value: size / 2 }], sort: "-loan:amount" }),
        { calls: 50 },
      ],
      "page without index (2,000 examined)": [
        list({ filter: [{ field: "loan:day", op: "lt", value: -1 }] }),
        { calls: 5 },
      ],
      "history page": [() => records.history(app, id, any()), { calls: 100 }],
      "get collection": [() => collections.get(app, id), { calls: 100 }],
      "page of collections": [() => collections.list(app, {}), { calls: 50 }],
      "delete and restore collection": [
        async () => {
          await collections.remove(app, id);
          await collections.restore(app, id);
        },
        { calls: 20 },
      ],
      "evaluate job of 40": [job, { calls: 3 }],
    },
    async updateHot(updates) {
      const hot = made.slice(0, Math.min(1_000, size >> 1));
      await atOnce(32, updates, (n) => records.update(app, id, hot[n % hot.length], { data: { loan: { day: n } } }));
    },
  };
}

const base = mkdtempSync(join(tmpdir(), "stepwell-bench-"));
const open = (name) =>
  driver === "fs" ? createStepwell({ storage: { entities: fsDriver({ base: join(base, name) }) } }) : createStepwell();

try {
  const empty = heap();
  const large = open("many");
  const many = await side(large, MANY);
  report(`${driver}: heap of ${MANY} records`, heap() - empty, "MB");
  const small = open("few");
  const few = await side(small, FEW);
  const cost = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, [, options]] of Object.entries(few.operations)) {
      for (const [title, { operations }] of [
        ["few", few],
        ["many", many],
      ]) {
        const seen = await costOf(operations[name][0], options);
        cost[name] ??= { few: [], many: [] };
        cost[name][title].push(seen);
      }
    }
  }
  for (const [name, { few: f, many: m }] of Object.entries(cost)) {
    const of = (seen, what) => median(seen.map((one) => one[what]));
    const line = (title, seen) =>
      `${title} ${of(seen, "cpu").toFixed(3)} cpu ms, ${of(seen, "wall").toFixed(3)} ms, worst ${Math.max(...seen.map(({ worst }) => worst)).toFixed(1)}`;
    console.log(
      `${driver} ${name.padEnd(38)} ratio ${(of(m, "cpu") / of(f, "cpu")).toFixed(2).padStart(6)}   ${line(FEW, f)} | ${line(MANY, m)}`,
    );
  }
  report(`${driver}: heap after all operations`, heap() - empty, "MB");
  for (let part = 0; part < 3; part++) {
    await many.updateHot(20_000);
    report(`${driver}: heap after ${(part + 1) * 20_000} updates of 1,000 records`, heap() - empty, "MB");
  }
  await small.close();
  await large.close();
} finally {
  rmSync(base, { recursive: true, force: true });
}
