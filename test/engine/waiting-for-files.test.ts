/** Runs that are created before their files are uploaded. */
import { afterEach, describe, expect, it } from "vitest";
import type { Options, Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { memory } from "../support/engine/memory.ts";
import { openService } from "../support/engine/service.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const steps: Step[] = [
  {
    type: "input",
    key: "start",
    input: {
      report: { type: "file", allowed_types: ["text/csv"], extract_contents: true },
      more: { type: "file", array: true, optional: true },
    },
  },
];

async function open(options: Options = {}, app?: string) {
  const service = await openService(options, app);
  closers.push(() => service.stepwell.close());
  const { stepwell } = service;
  return {
    ...service,
    address: (expires_in = 3_600) => stepwell.files.createUpload(service.app, { expires_in }),
    send: (url: string, text = "a,b\n1,2\n", name = "report.csv") =>
      stepwell.files.receive(url, { name, body: new TextEncoder().encode(text) }),
  };
}

describe("a run that waits for files", () => {
  it("starts when the last file is uploaded", async () => {
    const { stepwell, app, deploy, address, send, wait, get } = await open();
    const workflow = await deploy(steps);
    const [first, second] = [await address(), await address()];
    const input = { report: [first.future_file_id], more: [second.future_file_id] };
    const run = await stepwell.runs.create(app, workflow, { input, wait_for_files: true });
    expect(run).toMatchObject({ status: "waiting", started_at: null, input });
    expect(run.steps.map(({ status }) => status)).toEqual(["pending"]);
    await send(first.upload_url);
    expect((await get(run.id)).status).toBe("waiting");
    await send(second.upload_url, "x", "more.txt");
    const done = await wait(run.id);
    expect(done).toMatchObject({
      status: "succeeded",
      output: { report: [{ name: "report.csv", contents: "a,b\n1,2\n" }], more: [{ name: "more.txt" }] },
    });
    expect((await stepwell.runs.list(app, { status: "waiting" })).items).toEqual([]);
  });

  it("is queued when all slots are taken, even if the queue is full", async () => {
    const { stepwell, app, deploy, address, send, start, get, wait } = await open({
      limits: { concurrentRuns: 1, queuedRuns: 1 },
    });
    const hang: Step[] = [{ type: "code", key: "hang", code: "hang" }];
    const workflow = await deploy(steps);
    const { upload_url, future_file_id } = await address();
    const input = { report: [future_file_id] };
    const { id } = await stepwell.runs.create(app, workflow, { input, wait_for_files: true });
    const others = [await start(hang), await start(hang)];
    await send(upload_url);
    await expect.poll(async () => (await get(id)).status).toBe("queued");
    for (const other of others) await stepwell.runs.cancel(app, other.id);
    expect((await wait(id)).status).toBe("succeeded");
  });

  it("takes one slot when its files are uploaded at the same time", async () => {
    const { stepwell, app, deploy, address, send, start, until } = await open({ limits: { concurrentRuns: 1 } });
    const hang: Step = { type: "code", key: "hang", code: "hang" };
    const workflow = await deploy([...steps, hang]);
    const addresses = await Promise.all(Array.from({ length: 6 }, () => address()));
    const [report, ...more] = addresses.map(({ future_file_id }) => future_file_id);
    const input = { report: [report ?? ""], more };
    const { id } = await stepwell.runs.create(app, workflow, { input, wait_for_files: true });
    await Promise.all(addresses.map(({ upload_url }) => send(upload_url)));
    await until(id, ({ steps }) => steps.some(({ key, status }) => key === "hang" && status === "running"));
    const next = await start([hang]);
    expect(next.status).toBe("queued");
    await stepwell.runs.cancel(app, next.id);
    await stepwell.runs.cancel(app, id);
  });

  it("rejects input before it starts and keeps waiting", async () => {
    const { stepwell, app, deploy, address, send, get, wait } = await open();
    const workflow = await deploy(steps);
    const [first, second] = [await address(), await address()];
    const input = { report: [first.future_file_id] };
    const { id } = await stepwell.runs.create(app, workflow, { input, wait_for_files: true });
    await send(second.upload_url);
    const given = stepwell.runs.provide(app, id, "start", { report: [second.future_file_id] });
    await expect(given).rejects.toMatchObject({ code: "conflict" });
    expect(await get(id)).toMatchObject({ status: "waiting", started_at: null });
    await send(first.upload_url);
    expect((await wait(id)).status).toBe("succeeded");
  });

  it("starts when a resumable upload is complete", async () => {
    const { stepwell, app, deploy, address, wait, get } = await open();
    const workflow = await deploy(steps);
    const { upload_url, future_file_id } = await address();
    const input = { report: [future_file_id] };
    const run = await stepwell.runs.create(app, workflow, { input, wait_for_files: true });
    const ask = (method: string, url: string, headers: Record<string, string>, body: string | null = null) =>
      stepwell.fetch(new Request(url, { method, headers: { "tus-resumable": "1.0.0", ...headers }, body }));
    const metadata = `filename ${btoa("report.csv")}`;
    const begun = await ask("POST", upload_url, { "upload-length": "8", "upload-metadata": metadata });
    const location = begun.headers.get("location") ?? "";
    const chunk = { "content-type": "application/offset+octet-stream" };
    await ask("PATCH", location, { ...chunk, "upload-offset": "0" }, "a,b\n");
    expect((await get(run.id)).status).toBe("waiting");
    await ask("PATCH", location, { ...chunk, "upload-offset": "4" }, "1,2\n");
    const output = { report: [{ name: "report.csv", contents: "a,b\n1,2\n" }] };
    expect(await wait(run.id)).toMatchObject({ status: "succeeded", output });
  });

  it("starts at once when the files exist, and is rejected for unknown or foreign ids", async () => {
    const { stepwell, app, deploy, address, send, wait } = await open();
    const workflow = await deploy(steps);
    const upload = await address();
    await expect(
      stepwell.runs.create(app, workflow, { input: { report: [upload.future_file_id] } }),
    ).rejects.toMatchObject({ code: "invalid", errors: [{ pointer: "/input/report/0" }] });
    await send(upload.upload_url);
    const input = { report: [upload.future_file_id] };
    const run = await stepwell.runs.create(app, workflow, { input, wait_for_files: true });
    expect((await wait(run.id)).status).toBe("succeeded");
    await expect(
      stepwell.runs.create(app, workflow, { input: { report: ["afile_unknown"] }, wait_for_files: true }),
    ).rejects.toMatchObject({ code: "invalid", errors: [{ pointer: "/input/report/0" }] });
    const other = await stepwell.apps.create({ name: "Other" });
    const theirs = await stepwell.files.createUpload(other.id);
    await expect(
      stepwell.runs.create(app, workflow, { input: { report: [theirs.future_file_id] }, wait_for_files: true }),
    ).rejects.toMatchObject({ code: "invalid" });
  });

  it("fails with a pointer when the file has a wrong type, and can be canceled while it waits", async () => {
    const { stepwell, app, deploy, address, send, wait } = await open();
    const workflow = await deploy(steps);
    const [wrong, never] = [await address(), await address()];
    const create = (id: string) =>
      stepwell.runs.create(app, workflow, { input: { report: [id] }, wait_for_files: true });
    const [failing, canceled] = [await create(wrong.future_file_id), await create(never.future_file_id)];
    await send(wrong.upload_url, "%PDF-1.7\n%âãÏÓ\n", "report.csv");
    expect(await wait(failing.id)).toMatchObject({
      status: "failed",
      error: { code: "invalid_input", message: expect.stringContaining("/input/report/0") },
    });
    expect((await stepwell.runs.cancel(app, canceled.id)).status).toBe("canceled");
    await send(never.upload_url);
    expect((await stepwell.runs.get(app, canceled.id)).status).toBe("canceled");
  });

  it("fails because of an invalid file while others are still missing", async () => {
    const { stepwell, app, deploy, address, send, wait } = await open();
    const workflow = await deploy(steps);
    const [wrong, later] = [await address(), await address()];
    const input = { report: [wrong.future_file_id], more: [later.future_file_id] };
    const run = await stepwell.runs.create(app, workflow, { input, wait_for_files: true });
    await send(wrong.upload_url, "%PDF-1.7\n%âãÏÓ\n", "report.csv");
    expect(await wait(run.id)).toMatchObject({
      status: "failed",
      error: { code: "invalid_input", message: expect.stringContaining("/input/report/0") },
    });
  });

  it("fails with file_missing when the upload URL expires, and cannot be retried", async () => {
    const clock = createTestClock();
    const { stepwell, app, deploy, address, wait } = await open({ clock });
    const workflow = await deploy(steps);
    const { future_file_id } = await address(1);
    const input = { report: [future_file_id] };
    const run = await stepwell.runs.create(app, workflow, { input, wait_for_files: true });
    await clock.advance("2s");
    expect(await wait(run.id)).toMatchObject({ status: "failed", error: { code: "file_missing" } });
    // The run has not started, so that there is nothing to resume.
    await expect(stepwell.runs.retry(app, run.id)).rejects.toMatchObject({ code: "conflict" });
    expect(await wait(run.id)).toMatchObject({ status: "failed", error: { code: "file_missing" } });
  });

  it("notices uploads and expired upload URLs after a restart", async () => {
    const data = new Map<string, string>();
    const clock = createTestClock();
    const first = await open({ storage: { entities: memory(data).driver }, clock });
    const workflow = await first.deploy(steps);
    const [comes, closes, early] = [await first.address(), await first.address(1), await first.address()];
    const create = (id: string) =>
      first.stepwell.runs.create(first.app, workflow, { input: { report: [id] }, wait_for_files: true });
    const runs = [
      await create(comes.future_file_id),
      await create(closes.future_file_id),
      await create(early.future_file_id),
    ];
    // The process dies before the file is stored.
    const without = new Map(data);
    await first.send(early.upload_url);
    await clock.advance("2s");

    const second = await open({ storage: { entities: memory(without).driver }, clock }, first.app);
    expect((await second.wait(runs[1]?.id ?? "")).error?.code).toBe("file_missing");
    await second.send(comes.upload_url);
    expect((await second.wait(runs[0]?.id ?? "")).status).toBe("succeeded");
    await second.send(early.upload_url);
    expect((await second.wait(runs[2]?.id ?? "")).status).toBe("succeeded");
  });
});
