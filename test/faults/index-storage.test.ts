/** Storage that fails in any one call while an index is built or removed: the index is right in the end. */
import { beforeAll, describe, expect, it } from "vitest";
import { quickStorageClock } from "../support/engine/quick-clock.ts";
import { openService, type Service } from "../support/engine/service.ts";
import { callsToFail } from "../support/storage/calls-to-fail.ts";
import { expectIntact } from "../support/storage/expect-intact.ts";
import { type Fault, faultyDriver } from "../support/storage/faulty.ts";
import { unlessUnavailable } from "../support/storage/unless-unavailable.ts";
import { until } from "../support/until.ts";

/** Records of one commit of the building, and some more. */
const RECORDS = 80;
const template = new Map<string, string>();
let app: string;
let collection: string;
let records: string[];

const open = (driver: ReturnType<typeof faultyDriver>["driver"]) =>
  openService({ storage: { entities: driver }, clock: quickStorageClock() }, app);

beforeAll(async () => {
  const service = await openService({ storage: { entities: faultyDriver(template, "rejects", 0).driver } });
  app = service.app;
  const config = { indexes: ["loan:old"] };
  collection = (await service.stepwell.collections.create(app, { name: "Loans", config })).id;
  const created = Array.from({ length: RECORDS }, (_, n) =>
    service.stepwell.records.create(app, collection, { data: { loan: { amount: (n * 7) % RECORDS, old: n } } }),
  );
  records = (await Promise.all(created)).map(({ id }) => id);
  await service.stepwell.close();
});

async function isReady({ stepwell }: Service): Promise<boolean> {
  const { config } = await stepwell.collections.get(app, collection);
  return config.index_states.every(({ state }) => state === "ready");
}

const isRows = (key: string, text: string) => key.startsWith("list:derived.record-index.") && text.includes("rec_");

/** Replaces one index by another, and checks it in the next process; returns the number of driver calls. */
async function survive(fault: Fault, at: number): Promise<number> {
  const data = new Map(template);
  const faulty = faultyDriver(data, fault, at);
  const service = await open(faulty.driver);
  const change = () => service.stepwell.collections.update(app, collection, { config: { indexes: ["loan:amount"] } });
  let isChanged = false;
  for (let tries = 0; !isChanged && tries < 3 && !faulty.dead; tries++) {
    isChanged = (await unlessUnavailable(change(), faulty.death)) !== null;
  }
  // Written while the index is built.
  const [one = "", other = ""] = records;
  const update = service.stepwell.records.update(app, collection, one, { data: { loan: { amount: -1 } } });
  const isUpdated = (await unlessUnavailable(update, faulty.death)) !== null;
  const isRemoved =
    (await unlessUnavailable(service.stepwell.records.remove(app, collection, other), faulty.death)) !== null;
  if (isChanged && !faulty.dead)
    await unlessUnavailable(
      until(async () => faulty.isHanging || (await isReady(service))),
      faulty.death,
    );
  await unlessUnavailable(service.stepwell.close(), faulty.death);

  const next = await open(faultyDriver(data, "rejects", 0).driver);
  const { config } = await next.stepwell.collections.get(app, collection);
  if (isChanged) expect(config.indexes).toEqual(["loan:amount"]);
  else await next.stepwell.collections.update(app, collection, { config: { indexes: ["loan:amount"] } });
  await until(() => isReady(next));
  if (!isUpdated) await next.stepwell.records.update(app, collection, one, { data: { loan: { amount: -1 } } });
  if (!isRemoved) await next.stepwell.records.remove(app, collection, other).catch(() => undefined);
  const query = { sort: "loan:amount", take: 40 };
  const found: unknown[] = [];
  for (let page_token: string | undefined; ; ) {
    const page = await next.stepwell.records.list(app, collection, page_token ? { ...query, page_token } : query);
    found.push(...page.items.map(({ data }) => data["loan"]?.["amount"]));
    page_token = page.next_page_token;
    if (page_token === undefined) break;
  }
  const amounts = Array.from({ length: RECORDS }, (_, n) => n).filter((amount) => amount !== 0 && amount !== 7);
  expect(found).toEqual([-1, ...amounts]);
  await next.stepwell.close();
  await expectIntact(faultyDriver(data, "rejects", 0).driver, `${fault} ${at}`);
  // Removing the old one may need another process.
  await until(async () => {
    const lists = new Set([...data].flatMap(([key, text]) => (isRows(key, text) ? [key.split(":")[1]] : [])));
    if (lists.size <= 1) return true;
    const another = await open(faultyDriver(data, "rejects", 0).driver);
    await another.stepwell.records.list(app, collection, { sort: "loan:amount" });
    await another.stepwell.close();
    return false;
  });
  return faulty.calls;
}

describe("replacing an index", () => {
  it.each<Fault>(["rejects", "loses the response", "hangs", "dies", "dies after the call"])(
    "builds the new one and removes the old one when any one storage call %s",
    async (fault) => {
      const calls = await survive(fault, Number.POSITIVE_INFINITY);
      expect(calls).toBeGreaterThan(3);
      for (const at of callsToFail(calls, fault)) await survive(fault, at);
    },
  );
});
