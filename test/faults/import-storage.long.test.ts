/** Storage that fails in any one call during an import: it ends, every row is one record, and no blob is left. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Job } from "../../src/index.ts";
import { quickStorageClock } from "../support/engine/quick-clock.ts";
import { openService } from "../support/engine/service.ts";
import { callsToFail } from "../support/storage/calls-to-fail.ts";
import { expectIntact } from "../support/storage/expect-intact.ts";
import { type Fault, faultyDriver } from "../support/storage/faulty.ts";
import { unlessUnavailable } from "../support/storage/unless-unavailable.ts";

const ROWS = 210;
const CSV = `e:n,e:x\n${Array.from({ length: ROWS }, (_, n) => `${n},x\n`).join("")}bad\n`;

const template = new Map<string, string>();
let app: string;
let collection: string;

const open = (driver: ReturnType<typeof faultyDriver>["driver"]) =>
  openService({ storage: { entities: driver }, clock: quickStorageClock() }, app);

beforeAll(async () => {
  const service = await openService({ storage: { entities: faultyDriver(template, "rejects", 0).driver } });
  app = service.app;
  collection = (await service.stepwell.collections.create(app, { name: "Loans" })).id;
  await service.stepwell.close();
});

/** Runs an import, and checks it in the next process; returns the number of driver calls. */
async function survive(fault: Fault, at: number): Promise<number> {
  const data = new Map(template);
  const faulty = faultyDriver(data, fault, at);
  const service = await open(faulty.driver);
  const job: Job | null = await unlessUnavailable(service.stepwell.records.import(app, collection, CSV), faulty.death);
  if (job !== null) {
    const isOver = async () => {
      if (faulty.dead || faulty.isHanging) return true;
      const now = await unlessUnavailable(service.stepwell.jobs.get(app, job.id), faulty.death);
      return now !== null && now.status !== "running";
    };
    await expect.poll(isOver).toBe(true);
  }
  await unlessUnavailable(service.stepwell.close(), faulty.death);

  const next = await open(faultyDriver(data, "rejects", 0).driver);
  const { stepwell } = next;
  await stepwell.ready();
  const read = async () => (await stepwell.jobs.list(app)).items;
  await expect.poll(async () => (await read()).every(({ status }) => status === "succeeded")).toBe(true);
  const jobs = await read();
  if (job !== null) expect(jobs.map(({ id }) => id)).toEqual([job.id]);
  for (const one of jobs) {
    const written = { created: ROWS, updated: 0, unchanged: 0 };
    expect(one).toMatchObject({ done: ROWS + 1, report: { failed: 1, problems: [{ line: ROWS + 2 }], written } });
  }
  const { items } = await stepwell.records.list(app, collection, { take: 1_000 });
  const found = items.map(({ data }) => Number(data["e"]?.["n"])).sort((one, other) => one - other);
  expect(found).toEqual(jobs.length === 0 ? [] : Array.from({ length: ROWS }, (_, n) => n));
  expect(items.every(({ version }) => version === 1)).toBe(true);
  await expect.poll(() => [...data.keys()].filter((name) => name.startsWith("blob:"))).toEqual([]);
  await stepwell.close();

  await expectIntact(faultyDriver(data, "rejects", 0).driver);
  return faulty.calls;
}

describe("importing 210 rows", () => {
  it.each<Fault>(["rejects", "loses the response", "hangs", "dies", "dies after the call"])(
    "writes each once when any one storage call %s",
    async (fault) => {
      const calls = await survive(fault, Number.POSITIVE_INFINITY);
      expect(calls).toBeGreaterThan(10);
      for (const at of callsToFail(calls, fault)) await survive(fault, at);
    },
  );
});
