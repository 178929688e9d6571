/** Storage that fails in any one call while a record is written: the record and the runs of its rules exist once. */
import { beforeAll, describe, expect, it } from "vitest";
import type { CollectionRecord } from "../../src/index.ts";
import { quickStorageClock } from "../support/engine/quick-clock.ts";
import { openService } from "../support/engine/service.ts";
import { callsToFail } from "../support/storage/calls-to-fail.ts";
import { expectIntact } from "../support/storage/expect-intact.ts";
import { type Fault, faultyDriver } from "../support/storage/faulty.ts";
import { unlessUnavailable } from "../support/storage/unless-unavailable.ts";

const template = new Map<string, string>();
let app: string;
let workflow: string;
let collection: string;

const open = (driver: ReturnType<typeof faultyDriver>["driver"]) =>
  openService({ storage: { entities: driver }, clock: quickStorageClock() }, app);

beforeAll(async () => {
  const service = await openService({ storage: { entities: faultyDriver(template, "rejects", 0).driver } });
  app = service.app;
  const looks = { service: "records", action: "list", input: { collection_id: "{{ input.record.collection_id }}" } };
  workflow = await service.deploy([{ type: "service", key: "looks", service: looks }]);
  const rules = ["one", "two"].map((key) => ({ name: key, key, workflow_id: workflow }));
  collection = (await service.stepwell.collections.create(app, { name: "Loans", config: { rules } })).id;
  await service.stepwell.close();
});

const input = { key: "once", data: { loan: { amount: 7 } } };
const results = ({ rule_results }: CollectionRecord) => rule_results.map(({ key, result }) => `${key} ${result}`);

/** Writes a record, and checks it in the next process; returns the number of driver calls. */
async function survive(fault: Fault, at: number): Promise<number> {
  const data = new Map(template);
  const faulty = faultyDriver(data, fault, at);
  const service = await open(faulty.driver);
  let created: CollectionRecord | null = null;
  for (let tries = 0; created === null && tries < 3 && !faulty.dead; tries++) {
    created = await unlessUnavailable(service.stepwell.records.create(app, collection, input), faulty.death);
  }
  await unlessUnavailable(service.stepwell.close(), faulty.death);

  const next = await open(faultyDriver(data, "rejects", 0).driver);
  const { id } = await next.stepwell.records.create(app, collection, input);
  if (created !== null) expect(id).toBe(created.id);
  const read = () => next.stepwell.records.get(app, collection, id);
  await expect.poll(async () => results(await read())).toEqual(["one PASS", "two PASS"]);
  expect((await read()).data).toEqual(input.data);
  expect((await next.stepwell.records.list(app, collection)).items).toHaveLength(1);
  expect((await next.stepwell.runs.listOfWorkflow(app, workflow)).items).toHaveLength(2);
  await next.stepwell.close();
  await expectIntact(faultyDriver(data, "rejects", 0).driver);
  return faulty.calls;
}

describe("creating a record with two rules", () => {
  it.each<Fault>(["rejects", "loses the response", "hangs", "dies", "dies after the call"])(
    "stores it once with one run for each rule when any one storage call %s",
    async (fault) => {
      // The number of calls without a fault.
      const calls = await survive(fault, Number.POSITIVE_INFINITY);
      expect(calls).toBeGreaterThan(3);
      for (const at of callsToFail(calls, fault)) await survive(fault, at);
    },
  );
});
