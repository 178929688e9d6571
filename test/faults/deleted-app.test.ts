/** Deleting an app: its runs stop, its uploads end, and its data leaves the storage. */
import memoryDriver from "unstorage/drivers/memory";
import { describe, expect, it } from "vitest";
import { createStepwell, type Step } from "../../src/index.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { begun, content, dying, patch } from "../support/files/tus.ts";
import { silent } from "../support/storage/open.ts";
import { storedItems } from "../support/storage/stored-documents.ts";
import { until } from "../support/until.ts";

async function filled() {
  const driver = { ...memoryDriver(), dispose: () => undefined };
  const open = () => createStepwell({ storage: { entities: driver }, logger: silent });
  const stepwell = open();
  const app = await stepwell.apps.create({ name: "Gone" });
  await stepwell.keys.create(app.id, { name: "key" });
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
    [...(await storedItems(driver)).keys()]
      .filter((key) => /^(key|run|file|blob|journal|output|record|record-unique-key):/.test(key))
      .sort();
  return { open, stepwell, app, other, keys };
}

it("deleting an app purges its data in the background, and no data of other apps", async () => {
  const { open, stepwell, app, other, keys } = await filled();
  await stepwell.apps.remove(app.id);
  await expect.poll(keys).toHaveLength(1);
  await stepwell.close();
  const after = await keys();
  expect(after.map((key) => key.split(":")[0])).toEqual(["blob", "file"]);
  const next = open();
  expect((await next.files.list(other.id)).items).toHaveLength(1);
  await next.close();
});

it("the next start purges a deleted app when the process ended before", async () => {
  const { open, stepwell, app, keys } = await filled();
  await Promise.all([stepwell.apps.remove(app.id), stepwell.close()]);
  const next = open();
  await expect.poll(async () => (await keys()).filter((key) => key.startsWith("blob:"))).toHaveLength(1);
  await next.close();
  expect((await keys()).map((key) => key.split(":")[0])).toEqual(["blob", "file"]);
});

describe("deleting an app", () => {
  async function openService() {
    const driver = { ...memoryDriver(), dispose: () => undefined };
    let now = Date.UTC(2030, 0, 1);
    const clock: Clock = { now: () => now, after: systemClock.after };
    const stepwell = createStepwell({ storage: { entities: driver }, logger: silent, clock });
    const app = await stepwell.apps.create({ name: "Gone" });
    const { upload_url: url } = await stepwell.files.createUpload(app.id);
    const left = async () =>
      (await driver.getKeys("", {})).filter((key) => /^(upload|partial|future|blob|orphan|file):/.test(key));
    /** The purge ends with the deletion of its own document: seen in the log. */
    const purged = () =>
      until(async () => {
        const texts = await Promise.all((await driver.getKeys("log:", {})).map((key) => driver.getItem(key)));
        return texts.join("").includes(`["deleted-app:${app.id}",null`);
      });
    const pass = (ms: number) => {
      now += ms;
    };
    const expectNothingLeft = async () => {
      await purged();
      await stepwell.close();
      expect(await left()).toEqual([]);
    };
    return { stepwell, app, url, expectNothingLeft, pass };
  }

  it("deletes a partial upload with its bytes and its upload URL", async () => {
    const service = await openService();
    const at = await begun(service.stepwell, service.url, 2_000_000);
    await patch(service.stepwell, at, 0, content(1_500_000));
    await service.stepwell.apps.remove(service.app.id);
    await service.expectNothingLeft();
  });

  it("ends a running tus upload with 404 and leaves no bytes", async () => {
    const service = await openService();
    const at = await begun(service.stepwell, service.url, 2_000_000);
    const { body, taken } = dying(content(1_500_000));
    const response = patch(service.stepwell, at, 0, body);
    await taken;
    await service.stepwell.apps.remove(service.app.id);
    expect((await response).status).toBe(404);
    await service.expectNothingLeft();
  });

  it("ends a running upload with not_found and leaves no bytes", async () => {
    const service = await openService();
    const pieces = (async function* () {
      yield content(700_000);
      await service.stepwell.apps.remove(service.app.id);
      yield content(700_000);
    })();
    const received = service.stepwell.files.receive(service.url, { name: "a.bin", body: pieces });
    await expect(received).rejects.toMatchObject({ code: "not_found" });
    await service.expectNothingLeft();
  });

  // The storage holds up each of the larger pieces.
  it.each([1_000, 2_500_000])("ends an endless upload in pieces of %i bytes with not_found", async (size) => {
    const service = await openService();
    const pieces = (async function* () {
      yield content(size);
      await service.stepwell.apps.remove(service.app.id);
      for (;;) {
        service.pass(100);
        yield content(size);
      }
    })();
    const received = service.stepwell.files.receive(service.url, { name: "a.bin", body: pieces });
    await expect(received).rejects.toMatchObject({ code: "not_found" });
    await service.expectNothingLeft();
  });

  it("deletes a used upload URL and its file", async () => {
    const service = await openService();
    await service.stepwell.files.receive(service.url, { name: "a.bin", body: new Uint8Array(10) });
    await service.stepwell.apps.remove(service.app.id);
    await service.expectNothingLeft();
  });
});
