/** A document that the storage lost while a service uses it: an error names it, and no second record is created. */
import { beforeEach, expect, it } from "vitest";
import { type RunEvent, repairStorage } from "../../src/index.ts";
import { give, input, openService, silent } from "../support/engine/service.ts";
import { faultyDriver } from "../support/storage/faulty.ts";
import { loseDocument, storedDocuments } from "../support/storage/stored-documents.ts";

let data: Map<string, string>;
let app: string;
let collection: string;

const driver = () => faultyDriver(data, "rejects", 0).driver;
const open = (more: object = {}) => openService({ storage: { entities: driver() }, ...more }, app);
const isLost = (id: string) => ({ code: "unavailable", message: expect.stringContaining(`record:${id}`) });

const upsert = { path: "loan:number", value: "L-1", data: { loan: { amount: 1 } } };
const create = { key: "L-2", data: { loan: { number: "L-2" } } };

beforeEach(async () => {
  data = new Map();
  const { stepwell, app: made } = await openService({ storage: { entities: driver() } });
  app = made;
  collection = (await stepwell.collections.create(app, { name: "Loans" })).id;
  await stepwell.close();
});

/** Writes a record, and removes its document directly from the storage. */
async function lose(write: (service: Awaited<ReturnType<typeof open>>) => Promise<{ id: string }>): Promise<string> {
  const service = await open();
  const { id } = await write(service);
  await service.stepwell.close();
  expect(loseDocument(data, `record:${id}`)).toBe(true);
  return id;
}

it("an upsert by the value of a lost record fails instead of creating a second one", async () => {
  const id = await lose(({ stepwell }) => stepwell.records.upsert(app, collection, upsert));
  const { stepwell } = await open();
  for (let times = 0; times < 2; times++) {
    await expect(stepwell.records.upsert(app, collection, upsert)).rejects.toMatchObject(isLost(id));
  }
  // Also when the record is found by its index mark, without the unique key.
  await stepwell.close();
  for (const key of storedDocuments(data).keys()) if (key.startsWith("record-unique-key:")) loseDocument(data, key);
  const next = await open();
  await expect(next.stepwell.records.upsert(app, collection, upsert)).rejects.toMatchObject(isLost(id));
  await next.stepwell.close();
});

it("creating a record with the key of a lost one fails until the storage is repaired", async () => {
  const id = await lose(({ stepwell }) => stepwell.records.create(app, collection, create));
  const { stepwell } = await open();
  await expect(stepwell.records.create(app, collection, create)).rejects.toMatchObject(isLost(id));
  await stepwell.close();

  const report = await repairStorage({ driver: driver(), logger: silent });
  expect(report).toMatchObject({ lost: [`record:${id}`], rebuilt: [`records.${collection}`] });
  const uniqueKey = expect.stringMatching(/^record-unique-key:/);
  expect(report.orphaned).toEqual([uniqueKey, `records.${collection}/${id}`]);
  const next = await open();
  expect(await next.stepwell.records.list(app, collection)).toMatchObject({ items: [], total: 0 });
  expect((await next.stepwell.records.create(app, collection, create)).id).not.toBe(id);
  await next.stepwell.close();
});

it("listing records returns 503 when one of them is lost, and the log names it", async () => {
  const id = await lose(({ stepwell }) => stepwell.records.create(app, collection, {}));
  const errors: unknown[] = [];
  const { stepwell } = await open({ logger: { ...silent, error: (_: string, more: object) => errors.push(more) } });
  const { key } = await stepwell.keys.create(app, { name: "K" });
  const url = `http://localhost:3000/apps/${app}/collections/${collection}/records`;
  const response = await stepwell.fetch(new Request(url, { headers: { authorization: `Bearer ${key}` } }));
  expect(response.status).toBe(503);
  expect(await response.text()).not.toContain(id);
  expect(errors).toMatchObject([{ error: isLost(id) }]);
  await stepwell.close();
});

it("a run whose version is lost fails with an event number that no earlier event had", async () => {
  const before = await open();
  const { id, workflow_version_id } = await before.start([input("in"), give("a"), input("ask"), give("b")]);
  await before.until(id, ({ status }) => status === "waiting");
  await before.stepwell.close();
  expect(loseDocument(data, `version:${workflow_version_id}`)).toBe(true);
  const { stepwell } = await open();
  expect(await stepwell.runs.cancel(app, id)).toMatchObject({ status: "failed" });
  const seen: RunEvent[] = [];
  for await (const event of stepwell.runs.events(app, id, { after: 2 })) seen.push(event);
  expect(seen).toMatchObject([{ type: "run.failed", error: { code: "version_missing" } }]);
  expect(seen[0]?.id).toBeGreaterThan(2);
  await stepwell.close();
});

it("repairStorage removes the history of a lost record, and keeps those of others and of deleted records", async () => {
  const write = async ({ stepwell }: Awaited<ReturnType<typeof open>>) => {
    const made = await Promise.all(
      [1, 2, 3].map((n) => stepwell.records.create(app, collection, { data: { a: { n } } })),
    );
    const [lost, kept, deleted] = made.map(({ id }) => id);
    for (const id of [lost, kept, deleted]) {
      // Too large for an entry, so the version is stored as a whole.
      await stepwell.records.update(app, collection, id ?? "", { data: { a: { text: "x".repeat(10_000) } } });
    }
    await stepwell.records.remove(app, collection, deleted ?? "");
    return { id: lost ?? "", kept: kept ?? "", deleted: deleted ?? "" };
  };
  let written = { id: "", kept: "", deleted: "" };
  const id = await lose(async (service) => {
    written = await write(service);
    return written;
  });
  const report = await repairStorage({ driver: driver(), logger: silent });
  const history = [`record-change:${id}.1`, `record-change:${id}.2`, `record-version:${id}.2`];
  expect(report.orphaned).toEqual([...history, `records.${collection}/${id}`]);
  const histories = [...storedDocuments(data).keys()].filter((key) => /^record-(change|version):/.test(key));
  expect(histories.filter((key) => key.includes(id))).toEqual([]);
  expect(await repairStorage({ driver: driver(), logger: silent })).toMatchObject({ damaged: [], orphaned: [] });
  const { stepwell } = await open();
  const versions = async (of: string) =>
    (await stepwell.records.history(app, collection, of)).items.map(({ version }) => version);
  expect(await versions(written.kept)).toEqual([2, 1]);
  expect(await versions(written.deleted)).toEqual([3, 2, 1]);
  await stepwell.close();
});
