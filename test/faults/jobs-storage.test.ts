/** Storage that fails in any one call while a job runs: the job ends, and every record is evaluated. */
import { beforeAll, describe, expect, it } from "vitest";
import { isStepwellError, type Job, repairStorage } from "../../src/index.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { openService, silent } from "../support/engine/service.ts";
import { type Fault, faultyDriver } from "../support/storage/faulty.ts";

/** Tests every seventh call. */
const STRIDE = 7;
const RECORDS = 25;

const template = new Map<string, string>();
let app: string;
let collection: string;

const open = (driver: ReturnType<typeof faultyDriver>["driver"]) =>
  openService({ storage: { entities: driver }, clock: quickClock() }, app);

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

/** The result of a call; null if it rejects, which must be with `unavailable`, or if the process died. */
function answered<T>(answer: Promise<T>, death: Promise<void>): Promise<T | null> {
  const refused = answer.catch((error: unknown) => {
    expect(isStepwellError(error, "unavailable"), String(error)).toBe(true);
    return null;
  });
  return Promise.race([refused, death.then(() => null)]);
}

/** Runs a job, and checks it in the next process; returns the number of driver calls. */
async function survive(fault: Fault, at: number): Promise<number> {
  const data = new Map(template);
  const faulty = faultyDriver(data, fault, at);
  const service = await open(faulty.driver);
  let job: Job | null = null;
  for (let tries = 0; job === null && tries < 3 && !faulty.dead; tries++) {
    job = await answered(service.stepwell.records.evaluateMany(app, collection), faulty.death);
  }
  if (job !== null) {
    const { id } = job;
    const isOver = async () => {
      if (faulty.dead) return true;
      const now = await answered(service.stepwell.jobs.get(app, id), faulty.death);
      return now !== null && now.status !== "running";
    };
    await expect.poll(isOver).toBe(true);
  }
  await answered(service.stepwell.close(), faulty.death);

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
  const left = { driver: faultyDriver(data, "rejects", 0).driver, logger: silent, isDryRun: true };
  const { checked: _, ...wrong } = await repairStorage(left);
  expect(wrong).toEqual({ damaged: [], rebuilt: [], lost: [], orphaned: [], shared: [] });
  return faulty.calls;
}

describe("evaluating 25 records", () => {
  it.each<[Fault, number]>([
    ["rejects", 1],
    ["loses the response", 2],
    ["dies", 3],
    ["dies after the call", 4],
  ])("ends with all of them evaluated when any one storage call %s", async (fault, first) => {
    const calls = await survive(fault, Number.POSITIVE_INFINITY);
    expect(calls).toBeGreaterThan(10);
    for (let at = first; at <= calls; at += STRIDE) await survive(fault, at);
  });
});
