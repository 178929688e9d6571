/** `Idempotency-Key`: a resource is created once, even across crashes. */
import memoryDriver from "unstorage/drivers/memory";
import { expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import { createExpirySweeper } from "../../src/documents/expiring-documents.ts";
import { StepwellError } from "../../src/errors.ts";
import { createIds } from "../../src/ids.ts";
import type { Store } from "../../src/ports/store.ts";
import { createDriverStore } from "../../src/storage/store.ts";
import { ALL_DUTIES } from "../../src/time/duties.ts";
import { ADMIN_KEY, createTable, json, problemOf } from "../support/http/http-table.ts";

const logger = { debug() {}, info() {}, warn() {}, error() {} };
const DAY = 24 * 3_600_000;

function movable(start = Date.parse("2026-06-01T12:00:00Z")) {
  const clock = { now: () => clock.time, after: () => () => {}, time: start };
  return clock;
}

async function seen(response: Response) {
  return { status: response.status, location: response.headers.get("location"), body: await response.text() };
}

it("repeats the response to a repeated Idempotency-Key and creates once", async () => {
  const { call, app } = await createTable();
  const things = `/apps/${app.id}/things`;
  const post = () => call(things, json({ name: "x", size: 3 }, { "idempotency-key": "k 1" }));
  const first = await seen(await post());
  expect(first.status).toBe(201);
  for (let again = 0; again < 3; again++) expect(await seen(await post())).toEqual(first);
  expect(await seen(await call("/apps/me/things", json({ name: "x", size: 3 }, { "idempotency-key": "k 1" })))).toEqual(
    first,
  );
  expect((await call(things)).headers.get("x-total-count")).toBe("1");
});

it("rejects an Idempotency-Key with another body and keeps the first response", async () => {
  const { call, app } = await createTable();
  const post = (name: string) => call(`/apps/${app.id}/things`, json({ name }, { "idempotency-key": "k" }));
  const first = await seen(await post("x"));
  const other = await post("y");
  expect([other.status, (await problemOf(other)).code]).toEqual([409, "idempotency_mismatch"]);
  expect(await seen(await post("x"))).toEqual(first);
});

it("scopes an Idempotency-Key to its app and path", async () => {
  const table = await createTable();
  const other = await table.another();
  const post = async (app: { id: string; key: string }) =>
    (
      await seen(
        await table.call(`/apps/${app.id}/things`, {
          ...json({ name: "x" }, { "idempotency-key": "k" }),
          key: app.key,
        }),
      )
    ).body;
  expect(await post(table.app)).not.toBe(await post(other));
  const app = await table.call("/apps", { ...json({ name: "x" }, { "idempotency-key": "k" }), key: ADMIN_KEY });
  expect(app.status).toBe(201);
});

it("creates once when 50 requests with one Idempotency-Key arrive at once", async () => {
  const { call, app } = await createTable();
  const things = `/apps/${app.id}/things`;
  const post = () => call(things, json({ name: "x" }, { "idempotency-key": "k" }));
  const answers = await Promise.all(Array.from({ length: 50 }, async () => seen(await post())));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect((await call(things)).headers.get("x-total-count")).toBe("1");
});

it("keeps an Idempotency-Key free when its request was rejected", async () => {
  const { call, app } = await createTable();
  const post = (body: unknown) => call(`/apps/${app.id}/things`, json(body, { "idempotency-key": "k" }));
  expect((await post({ name: 7 })).status).toBe(422);
  expect((await post({ name: "x" })).status).toBe(201);
});

it("creates once when a crash loses the response to an Idempotency-Key", async () => {
  const driver = memoryDriver();
  const clock = movable();
  const open = () => createDriverStore({ driver, clock, ids: createIds(clock), logger, hash: nodeHash });
  const store = open();
  const table = await createTable({ store, clock });
  const things = `/apps/${table.app.id}/things`;
  const request = () => json({ name: "x" }, { "idempotency-key": "k" });

  // The process dies after the commit, before the response.
  let crashed = false;
  const dying: Store = {
    ...store,
    async commit(changes) {
      await store.commit(changes);
      crashed = true;
      throw new StepwellError("unavailable", "the process is gone");
    },
  };
  const before = await createTable({ store: dying, clock, app: table.app });
  expect((await before.call(things, request())).status).toBe(503);
  expect(crashed).toBe(true);

  const after = await createTable({ store: open(), clock, app: table.app });
  const answer = await after.call(things, request());
  expect(answer.status).toBe(201);
  const list = await after.call(things);
  expect(list.headers.get("x-total-count")).toBe("1");
  expect(JSON.parse(await list.text())).toEqual([JSON.parse(await answer.text())]);
});

it("answers a repeated creation of an API key with 409 instead of the secret", async () => {
  const { call, app, store } = await createTable();
  const post = () =>
    call(`/apps/${app.id}/keys`, { ...json({ name: "x" }, { "idempotency-key": "k" }), key: ADMIN_KEY });
  const first = await post();
  const { key } = JSON.parse(await first.text());
  expect([first.status, key]).toEqual([201, expect.stringMatching(/^sw_/)]);
  const again = await post();
  expect([again.status, (await problemOf(again)).code]).toEqual([409, "conflict"]);
  expect((await call(`/apps/${app.id}/keys`, { key: ADMIN_KEY })).headers.get("x-total-count")).toBe("2");
  const { ids } = await store.list("expiring", { limit: 10 });
  expect(ids).toHaveLength(1);
});

it("forgets an Idempotency-Key after a day, and the sweep deletes its receipt", async () => {
  const clock = movable();
  const table = await createTable({ clock });
  const { call, app, store } = table;
  const post = async (key: string) =>
    JSON.parse(await (await call(`/apps/${app.id}/things`, json({ name: key }, { "idempotency-key": key }))).text());
  const expiry = createExpirySweeper({ store, clock, logger, duties: ALL_DUTIES });
  const kept = async () => (await store.list("expiring", { limit: 1_000 })).ids.length;
  const first = await post("a");
  for (let n = 0; n < 250; n++) await post(`n${n}`);

  clock.time += DAY - 1;
  expect((await post("a")).id).toBe(first.id);
  expect(await expiry.sweep()).toBe(0);

  clock.time += 1;
  const second = await post("a");
  expect(second.id).not.toBe(first.id);
  expect((await post("a")).id).toBe(second.id);
  expect(await kept()).toBe(251);
  expect(await expiry.sweep()).toBe(250);
  expect(await kept()).toBe(1);
  expect((await post("a")).id).toBe(second.id);
});

it("sweeps expired receipts at startup and every hour until it is stopped", async () => {
  const due: (() => void)[] = [];
  const clock = {
    ...movable(),
    after(_: number, callback: () => void) {
      due.push(callback);
      return () => due.splice(0);
    },
  };
  let swept = 0;
  const { store } = await createTable();
  const counting: Store = {
    ...store,
    list(name, query) {
      swept++;
      return store.list(name, query);
    },
  };
  const expiry = createExpirySweeper({ store: counting, clock, logger, duties: ALL_DUTIES });
  const settled = () => expect.poll(() => due.length).toBe(1);
  expiry.start();
  await settled();
  expect(swept).toBe(1);
  due.pop()?.();
  await settled();
  expect(swept).toBe(2);
  await expiry.stop();
  expect(due).toEqual([]);
});

it.each(["", "x".repeat(256), "é", "a\tb", "a, b"])("rejects the Idempotency-Key %j", async (key) => {
  const { call, app } = await createTable();
  const response = await call(`/apps/${app.id}/things`, json({ name: "x" }, { "idempotency-key": key }));
  expect(response.status).toBe(400);
  expect(await problemOf(response)).toMatchObject({
    code: "malformed",
    errors: [{ in: "header", pointer: "/idempotency-key" }],
  });
});
