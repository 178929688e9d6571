/** Runs over HTTP only: Location, Prefer: wait, Idempotency-Key, scopes. */
import { describe, expect, it } from "vitest";
import type { ApiKeyScope, Options, Run, Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { ADMIN_KEY, BASE, createTestHost } from "../support/http/transports.ts";
import { ASK, createRunFixture, give, HANG, IN, options } from "../support/workflows/runs.ts";

describe("runs over HTTP", () => {
  async function client(more: Partial<Options> = {}) {
    const room = await createRunFixture(createTestHost(true, { ...options, ...more }));
    const call = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
      room.stepwell.fetch(
        new Request(`${BASE}/apps/${room.appId}${path}`, {
          method,
          headers: { authorization: `Bearer ${room.key}`, "content-type": "application/json", ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
    return { ...room, call };
  }

  it("POST /runs returns a Location", async () => {
    const { call, appId, deploy } = await client();
    const response = await call("POST", `/workflows/${await deploy([IN])}/runs`, {}, {});
    expect(response.status).toBe(201);
    const { id } = (await response.json()) as Run;
    expect(response.headers.get("location")).toBe(`${BASE}/apps/${appId}/runs/${id}`);
  });

  it("Prefer: wait returns the ended run, or its state after that time", async () => {
    const clock = createTestClock();
    const { call, deploy } = await client({ clock });
    const slow: Step = { ...give("a"), loop: "iteration == 100" };
    const done = await call("POST", `/workflows/${await deploy([IN, slow])}/runs`, { prefer: "wait=10" }, {});
    expect(done.status).toBe(201);
    expect(await done.json()).toMatchObject({ status: "succeeded", output: "a" });

    const [begun, path] = [clock.now(), `/workflows/${await deploy([IN, HANG])}/runs`];
    let isAnswered = false;
    const answering = call("POST", path, { prefer: "respond-async, wait=1" }, {}).finally(() => {
      isAnswered = true;
    });
    while (!isAnswered) await clock.advance(100);
    const hanging = await answering;
    const { id, status } = (await hanging.json()) as Run;
    expect(status).toBe("running");
    expect(clock.now() - begun).toBeGreaterThanOrEqual(1_000);
    const waited = call("GET", `/runs/${id}`, { prefer: "wait=10" });
    await call("POST", `/runs/${id}/cancel`);
    expect(await (await waited).json()).toMatchObject({ id, status: "canceled" });
  });

  it("creates one run for an Idempotency-Key", async () => {
    const { call, deploy, stepwell, appId } = await client();
    const path = `/workflows/${await deploy([IN, give("a")])}/runs`;
    const key = { "idempotency-key": "order-12" };
    const answers = await Promise.all([1, 2, 3].map(() => call("POST", path, key, { input: { n: 1 } })));
    const later = await call("POST", path, { ...key, prefer: "wait=5" }, { input: { n: 1 } });
    const ids = await Promise.all([...answers, later].map(async (one) => ((await one.json()) as Run).id));
    expect(new Set(ids).size).toBe(1);
    expect((await call("POST", path, key, { input: { n: 2 } })).status).toBe(409);
    expect((await stepwell.runs.list(appId)).total).toBe(1);
  });

  it("requires a key with the scope", async () => {
    const { appId, deploy, stepwell } = await client();
    const workflow = await deploy([IN]);
    const { key } = await stepwell.keys.create(appId, { name: "reader", scopes: ["runs:read"] });
    const status = async (method: string, path: string, token: string) =>
      (
        await stepwell.fetch(
          new Request(`${BASE}/apps/${appId}${path}`, { method, headers: { authorization: `Bearer ${token}` } }),
        )
      ).status;
    expect(await status("GET", "/runs", key)).toBe(200);
    expect(await status("POST", `/workflows/${workflow}/runs`, key)).toBe(403);
    expect(await status("GET", "/runs", `${key}x`)).toBe(401);
    expect(await status("GET", "/runs", ADMIN_KEY)).not.toBe(500);
  });

  it("shows no data of a run to a key without runs:read", async () => {
    const { appId, deploy, stepwell, wait } = await client();
    const secret = { n: "in-the-input" };
    const workflow = await deploy([IN, give("in-the-output")]);
    const ended = await stepwell.runs.create(appId, workflow, { input: secret });
    await wait(ended.id);
    const waiting = await stepwell.runs.create(appId, await deploy([IN, ASK]), { input: secret });
    const failed = await stepwell.runs.create(appId, await deploy([IN, HANG]), { input: secret });
    await stepwell.runs.cancel(appId, failed.id);
    const send = async (key: string, path: string, body: object) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", prefer: "wait=5" };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      return (await stepwell.fetch(new Request(`${BASE}/apps/${appId}${path}`, init))).json();
    };
    const { key: writer } = await stepwell.keys.create(appId, { name: "writer", scopes: ["runs:write"] });
    const { key: both } = await stepwell.keys.create(appId, { name: "both", scopes: ["runs:write", "runs:read"] });
    const requests: [string, object][] = [
      [`/runs/${ended.id}/cancel`, {}],
      [`/runs/${ended.id}/replay`, {}],
      [`/workflows/${workflow}/runs`, { input: secret }],
      [`/runs/${waiting.id}/inputs/ask`, { ok: true }],
      [`/runs/${failed.id}/retry`, {}],
    ];
    for (const [path, body] of requests) {
      const run = await send(writer, path, body);
      expect(run, path).toMatchObject({ app_id: appId, input: {}, output: null, steps: [] });
      expect(JSON.stringify(run)).not.toMatch(/in-the-(in|out)put/);
    }
    expect(await send(both, `/runs/${ended.id}/cancel`, {})).toMatchObject({ output: "in-the-output", input: secret });
  });

  it("gives no link to the output of a run to a key without runs:read", async () => {
    const { appId, deploy, stepwell, wait } = await client();
    const { id } = await stepwell.runs.create(appId, await deploy([IN, give("in-the-output")]), { input: { n: 1 } });
    await wait(id);
    const link = async (scopes: ApiKeyScope[], body: object) => {
      const { key } = await stepwell.keys.create(appId, { name: "some", scopes });
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      return stepwell.fetch(new Request(`${BASE}/apps/${appId}/runs/${id}/links`, init));
    };
    const refused = await link(["runs:write"], { output: true });
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { detail: expect.stringContaining("runs:read") },
    ]);
    expect((await link(["runs:write"], {})).status).toBe(201);
    expect((await link(["runs:write"], { output: false })).status).toBe(201);
    expect((await link(["runs:write", "runs:read"], { output: true })).status).toBe(201);
  });
});
