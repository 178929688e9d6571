/** Storage that fails in any one call while a job runs: the job ends, and every record is evaluated. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Job } from "../../src/index.ts";
import { quickStorageClock } from "../support/engine/quick-clock.ts";
import { openService } from "../support/engine/service.ts";
import { callsToFail } from "../support/storage/calls-to-fail.ts";
import { expectIntact } from "../support/storage/expect-intact.ts";
import { type Fault, faultyDriver } from "../support/storage/faulty.ts";
import { unlessUnavailable } from "../support/storage/unless-unavailable.ts";

const RECORDS = 25;

const template = new Map<string, string>();
let app: string;
let collection: string;

const open = (driver: ReturnType<typeof faultyDriver>["driver"]) =>
  openService({ storage: { entities: driver }, clock: quickStorageClock() }, app);

beforeAll(async () => {
  const service = await openService({ storage: { entities: faultyDriver(template, "rejects", 0).driver } });
  app = service.app;
  const { stepwell } = service;
  collection = (await stepwell.collections.create(app, { name: "Loans" })).id;
  for (let n = 0; n < RECORDS; n++) await stepwell.records.create(app, collection, { data: { e: { n } } });
  const workflow_id = await service.deploy([{ type: "note", key: "n", note: "" }]);
  await stepwell.rules.create(app, collection, { key: "r", name: "R", workflow_id });
  await stepwell.close();
});

/** Runs a job, and checks it in the next process; returns the number of driver calls. */
async function survive(fault: Fault, at: number): Promise<number> {
  const data = new Map(template);
  const faulty = faultyDriver(data, fault, at);
  const service = await open(faulty.driver);
  let job: Job | null = null;
  for (let tries = 0; job === null && tries < 3 && !faulty.dead; tries++) {
    job = await unlessUnavailable(service.stepwell.records.evaluateMany(app, collection), faulty.death);
  }
  if (job !== null) {
    const { id } = job;
    const isOver = async () => {
      if (faulty.dead || faulty.isHanging) return true;
      const now = await unlessUnavailable(service.stepwell.jobs.get(app, id), faulty.death);
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
  if (job !== null) expect(jobs.map(({ id }) => id)).toContain(job.id);
  for (const one of jobs) expect(one).toMatchObject({ done: RECORDS, total: RECORDS, report: { failed: 0 } });
  if (jobs.length > 0) {
    const { items } = await stepwell.records.list(app, collection);
    expect(items.map(({ rule_results }) => rule_results[0]?.result)).toEqual(Array(RECORDS).fill("WARN"));
  }
  await stepwell.close();
  await expectIntact(faultyDriver(data, "rejects", 0).driver);
  return faulty.calls;
}

describe("evaluating 25 records", () => {
  it.each<Fault>(["rejects", "loses the response", "hangs", "dies", "dies after the call"])(
    "ends with all of them evaluated when any one storage call %s",
    async (fault) => {
      const calls = await survive(fault, Number.POSITIVE_INFINITY);
      expect(calls).toBeGreaterThan(10);
      for (const at of callsToFail(calls, fault)) await survive(fault, at);
    },
  );
});
