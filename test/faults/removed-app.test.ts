/** What an app leaves when it is removed: its runs stop, and nothing large of it stays in the storage. */
import memoryDriver from "unstorage/drivers/memory";
import { expect, it, vi } from "vitest";
import { createStepwell, type Step } from "../../src/index.ts";
import { silent } from "../storage/open.ts";

async function filled() {
  const driver = { ...memoryDriver(), dispose: () => undefined };
  const open = () => createStepwell({ storage: { entities: driver }, logger: silent });
  const stepwell = open();
  const app = await stepwell.apps.create({ name: "Gone" });
  const steps: Step[] = [
    { type: "input", key: "start", input: {}, destinations: ["ask"] },
    { type: "input", key: "ask", input: { ok: { type: "boolean" } } },
  ];
  const workflow = await stepwell.workflows.create(app.id, { name: "Waits", steps });
  await stepwell.workflows.deploy(app.id, workflow.id);
  await stepwell.runs.create(app.id, workflow.id);
  const ended = await stepwell.runs.create(app.id, workflow.id);
  await stepwell.runs.cancel(app.id, ended.id);
  const { upload_url } = await stepwell.files.createUpload(app.id);
  await stepwell.files.receive(upload_url, { name: "a.bin", body: new Uint8Array(3_000_000) });
  const collections = [];
  for (const name of ["Deleted", "Kept"]) collections.push(await stepwell.collections.create(app.id, { name }));
  for (const { id } of collections) {
    await stepwell.records.create(app.id, id, { data: { a: { b: 1 } } });
    await stepwell.records.upsert(app.id, id, { path: "a:b", value: 2 });
  }
  await stepwell.collections.remove(app.id, collections[0]?.id ?? "");
  const other = await stepwell.apps.create({ name: "Stays" });
  const kept = await stepwell.files.createUpload(other.id);
  await stepwell.files.receive(kept.upload_url, { name: "b.bin", body: new Uint8Array(10) });
  const keys = async () =>
    (await driver.getKeys("", {}))
      .filter((key) => /^(run|file|blob|journal|output|record|record-claim):/.test(key))
      .sort();
  return { open, stepwell, app, other, keys };
}

it("is removed soon after", async () => {
  const { open, stepwell, app, other, keys } = await filled();
  await stepwell.apps.remove(app.id);
  await vi.waitFor(async () => expect(await keys()).toHaveLength(1), { timeout: 5_000 });
  await stepwell.close();
  const after = await keys();
  expect(after.map((key) => key.split(":")[0])).toEqual(["blob", "file"]);
  const next = open();
  expect((await next.files.list(other.id)).items).toHaveLength(1);
  await next.close();
});

it("is removed by the next start where the process ended before", async () => {
  const { open, stepwell, app, keys } = await filled();
  await Promise.all([stepwell.apps.remove(app.id), stepwell.close()]);
  const next = open();
  await vi.waitFor(async () => expect((await keys()).filter((key) => key.startsWith("blob:"))).toHaveLength(1), {
    timeout: 5_000,
  });
  await next.close();
  expect((await keys()).map((key) => key.split(":")[0])).toEqual(["blob", "file"]);
});
