/** The stream of an app in one process: what it tells, whom, and when it ends. */
import { afterEach, describe, expect, it } from "vitest";
import type { ApiKeyScope, Options, Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { follow, type Reader, readResponse } from "../support/app-stream.ts";
import { closeInTestTime } from "../support/close-in-test-time.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { BASE, createTestHost } from "../support/http/transports.ts";

const ASK: Step = { type: "input", key: "ask", input: { ok: { type: "boolean" } } };
const START: Step = { type: "input", key: "start", input: {}, destinations: ["ask"] };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(options: Partial<Options> = {}) {
  const clock = createTestClock();
  const host = createTestHost(true, { clock, secret: "s".repeat(40), ...options });
  const { stepwell } = host;
  closing.push(() => closeInTestTime(stepwell, clock));
  const { id: app, key } = await host.app();
  const readers: Reader[] = [];

  /** What a reader has learned since the last time. */
  async function news(reader: Reader): Promise<string[]> {
    await turnEventLoop();
    await clock.advance("100ms");
    await turnEventLoop();
    return reader.news();
  }

  async function get(path: string, token = key): Promise<Response> {
    return stepwell.fetch(new Request(`${BASE}${path}`, { headers: { authorization: `Bearer ${token}` } }));
  }

  async function keyWith(...scopes: ApiKeyScope[]): Promise<string> {
    return (await stepwell.keys.create(app, { name: "some", scopes })).key;
  }

  async function start(id = app): Promise<Reader> {
    const reader = follow(stepwell, id);
    readers.push(reader);
    await turnEventLoop();
    return reader;
  }
  return { stepwell, clock, app, key, news, get, keyWith, start };
}

describe("the stream of an app tells", () => {
  it("that it is open, then the statuses of runs and their inputs", async () => {
    const { stepwell, app, news, start } = await open();
    const { id: workflow } = await stepwell.workflows.create(app, { name: "W", steps: [START, ASK] });
    await stepwell.workflows.deploy(app, workflow);
    const reader = await start();
    expect(await news(reader)).toEqual(["stream.opened"]);

    const { id } = await stepwell.runs.create(app, workflow, { tags: ["a"], input: {} });
    expect(await news(reader)).toEqual(["run.created waiting", "input.waiting ask"]);
    const { items } = await stepwell.runs.list(app);
    expect(reader.seen[1]).toMatchObject({ id, run: items[0] });
    expect(reader.seen[2]).toMatchObject({ run_id: id, workflow_id: workflow, until: null });

    await stepwell.runs.provide(app, id, "ask", { ok: true });
    expect(await news(reader)).toEqual(["run.changed succeeded", "input.ended ask"]);
    await stepwell.runs.remove(app, id);
    expect(await news(reader)).toEqual([`run.removed ${id}`]);
    expect(reader.seen.at(-1)).toMatchObject({ workflow_id: workflow });
  });

  it("that a canceled run no longer waits for input", async () => {
    const { stepwell, app, news, start } = await open();
    const { id: workflow } = await stepwell.workflows.create(app, { name: "W", steps: [START, ASK] });
    await stepwell.workflows.deploy(app, workflow);
    const { id } = await stepwell.runs.create(app, workflow);
    const reader = await start();
    await news(reader);
    await stepwell.runs.cancel(app, id);
    expect(await news(reader)).toEqual(["run.changed canceled", "input.ended ask"]);
  });

  it("changes of workflows, drafts and deployments", async () => {
    const { stepwell, app, news, start } = await open();
    const reader = await start();
    await news(reader);
    const { id } = await stepwell.workflows.create(app, { name: "W", steps: [START, ASK] });
    expect(await news(reader)).toEqual([`workflow.created ${id}`]);
    await stepwell.workflows.update(app, id, { name: "V" });
    await stepwell.workflows.putDraft(app, id, { steps: [{ ...START, destinations: [] }] });
    expect(await news(reader)).toEqual([`workflow.changed ${id}`, `draft.saved ${id}`]);
    expect(reader.seen.at(-1)).toMatchObject({ revision: 2 });
    const version = await stepwell.as({ id: "u_1", name: "Ann" }).workflows.deploy(app, id);
    expect((await news(reader)).toSorted()).toEqual([`version.deployed ${id}`, `workflow.changed ${id}`]);
    expect(reader.seen).toContainEqual({
      ...{ type: "version.deployed", id, at: expect.any(String), workflow_version_id: version.id, version: 1 },
      by: { id: "u_1", name: "Ann" },
    });
    await stepwell.workflows.remove(app, id);
    expect(await news(reader)).toContain(`workflow.removed ${id}`);
  });

  it("changes of collections, records, tags, files, schedules, connections and webhooks", async () => {
    const { stepwell, app, news, start } = await open();
    const reader = await start();
    await news(reader);
    const collection = await stepwell.collections.create(app, { name: "C" });
    const tag = await stepwell.tags.create(app, { name: "T" });
    expect(await news(reader)).toEqual([`collection.created ${collection.id}`, `tag.created ${tag.id}`]);

    const { id: record } = await stepwell.records.create(app, collection.id, { data: { a: { b: 1 } } });
    expect(await news(reader)).toEqual([`record.created ${record}`]);
    await stepwell.records.update(app, collection.id, record, { data: { a: { b: 2 } } });
    expect(await news(reader)).toEqual([`record.changed ${record}`]);
    expect(reader.seen.at(-1)).toMatchObject({ collection_id: collection.id, version: 2, pending_rules: 0 });
    await stepwell.records.remove(app, collection.id, record);
    expect(await news(reader)).toEqual([`record.removed ${record}`]);
    await stepwell.collections.remove(app, collection.id);
    expect(await news(reader)).toContain(`collection.removed ${collection.id}`);

    const file = await stepwell.files.create(app, { name: "a.txt", body: new Uint8Array([97]) });
    expect(await news(reader)).toEqual([`file.created ${file.id}`]);
    await stepwell.files.remove(app, file.id);
    expect(await news(reader)).toEqual([`file.removed ${file.id}`]);

    const webhook = await stepwell.webhooks.create(app, { url: "https://example.com/", events: ["file.*"] });
    expect(await news(reader)).toEqual([`webhook.created ${webhook.id}`]);
    await stepwell.webhooks.remove(app, webhook.id);
    expect(await news(reader)).toContain(`webhook.removed ${webhook.id}`);
  });

  it("the last of several quick changes of a run, and that it is new", async () => {
    const { stepwell, app, news, start } = await open();
    const steps: Step[] = [{ ...START, destinations: [] }];
    const { id: workflow } = await stepwell.workflows.create(app, { name: "W", steps });
    await stepwell.workflows.deploy(app, workflow);
    const reader = await start();
    await news(reader);
    await stepwell.runs.create(app, workflow);
    await stepwell.runs.create(app, workflow);
    expect(await news(reader)).toEqual(["run.created succeeded", "run.created succeeded"]);
  });

  it("nothing of other apps", async () => {
    const { stepwell, news, start } = await open();
    const other = await stepwell.apps.create({ name: "Other" });
    const reader = await start();
    await stepwell.workflows.create(other.id, { name: "W" });
    const { id } = await stepwell.tags.create(other.id, { name: "T" });
    await stepwell.tags.remove(other.id, id);
    expect(await news(reader)).toEqual(["stream.opened"]);
  });
});

describe("over HTTP, the stream of an app", () => {
  it("tells what the scopes of the key allow", async () => {
    const { stepwell, app, news, get, keyWith } = await open();
    const response = await get(`/apps/${app}/stream`, await keyWith("runs:read", "collections:read"));
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    const reader = readResponse(response);
    await news(reader);
    const tag = await stepwell.tags.create(app, { name: "T" });
    const { id: workflow } = await stepwell.workflows.create(app, { name: "W", steps: [START, ASK] });
    await stepwell.workflows.deploy(app, workflow);
    await stepwell.runs.create(app, workflow);
    expect(await news(reader)).toEqual([`tag.created ${tag.id}`, "run.created waiting", "input.waiting ask"]);
    reader.stop();
  });

  it("needs runs:read, and the key of the app", async () => {
    const { stepwell, app, get, keyWith } = await open();
    const other = await stepwell.apps.create({ name: "Other" });
    const none = await stepwell.fetch(new Request(`${BASE}/apps/${app}/stream`));
    const [scope, foreign] = [
      await get(`/apps/${app}/stream`, await keyWith("workflows:read")),
      await get(`/apps/${other.id}/stream`),
    ];
    expect([none.status, scope.status, foreign.status]).toEqual([401, 403, 404]);
  });

  it.each(["the key is revoked", "the app is deleted", "the instance is closed"])("ends when %s", async (cause) => {
    const { stepwell, clock, app, news, get } = await open();
    const issued = await stepwell.keys.create(app, { name: "ends" });
    const reader = readResponse(await get(`/apps/me/stream`, issued.key));
    const inProcess = follow(stepwell, app);
    expect([await news(reader), inProcess.isOver, reader.isOver]).toEqual([["stream.opened"], false, false]);
    if (cause === "the key is revoked") await stepwell.keys.remove(app, issued.id);
    if (cause === "the app is deleted") await stepwell.apps.remove(app);
    if (cause === "the instance is closed") await closeInTestTime(stepwell, clock);
    await turnEventLoop();
    expect([reader.isOver, inProcess.isOver]).toEqual([true, cause !== "the key is revoked"]);
    inProcess.stop();
  });
});

it("a reader that falls behind gets a stream.reset, and no more messages than the limit", async () => {
  const { stepwell, clock, app } = await open();
  const changes = stepwell.apps.stream(app)[Symbol.asyncIterator]();
  expect((await changes.next()).value).toMatchObject({ type: "stream.opened" });
  for (let n = 0; n < 600; n++) {
    await stepwell.tags.create(app, { name: `tag ${n}` });
    if (n % 100 === 0) await clock.advance("100ms");
  }
  await clock.advance("100ms");
  expect((await changes.next()).value).toMatchObject({ type: "stream.reset" });
  const tag = await stepwell.tags.create(app, { name: "last" });
  await clock.advance("100ms");
  let left = 0;
  for (let last = ""; last !== tag.id; left++) last = (await changes.next()).value?.id;
  expect(left).toBeLessThanOrEqual(500);
  await changes.return?.();
});
