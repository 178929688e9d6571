/** Responses that wait (`Prefer: wait`, rules of a record) do not outlast the access of their caller. */
import { describe, expect, it } from "vitest";
import { createTestClock } from "../../src/testing/index.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { ADMIN_KEY, BASE, createTestHost } from "../support/http/transports.ts";
import { ASK, createRunFixture, options } from "../support/workflows/runs.ts";

async function fixture() {
  const clock = createTestClock();
  const room = await createRunFixture(createTestHost(true, { ...options, clock }));
  const { stepwell, appId } = room;
  const inAnHour = new Date(clock.now() + 3_600_000).toISOString();
  const issued = await stepwell.keys.create(appId, { name: "ends", expires_at: inAnHour });
  const hook = { method: "POST" as const, path: "orders" };
  const workflow = await room.deploy([{ type: "input", key: "in", input: {}, webhook: hook }, ASK]);
  const send = (method: string, path: string, key: string, more: Record<string, string> = {}) =>
    stepwell.fetch(
      new Request(`${BASE}${path}`, { method, headers: { authorization: `Bearer ${key}`, ...more }, body: null }),
    );
  const run = await stepwell.runs.create(appId, workflow);
  const prefer = { prefer: "wait=7200" };
  return {
    ...room,
    clock,
    issued,
    create: () => send("POST", `/apps/${appId}/workflows/${workflow}/runs`, issued.key, prefer),
    get: () => send("GET", `/apps/me/runs/${run.id}`, issued.key, prefer),
    deliver: () => send("POST", `/public/apps/hooks/${appId}/orders`, "", prefer),
    revoke: () => stepwell.keys.remove(appId, issued.id),
    deleteApp: () => send("DELETE", `/apps/${appId}`, ADMIN_KEY),
    /** Lets a request get as far as it can. */
    settled: () => turnEventLoop(),
  };
}

describe.each(["create", "get"] as const)("Prefer: wait on %s run", (name) => {
  it("ends with 401 and without the run when the key is revoked", async () => {
    const service = await fixture();
    const answering = service[name]();
    await service.settled();
    await service.revoke();
    const answer = await answering;
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "unauthorized" });
  });

  it("ends with 401 when the key expires", async () => {
    const service = await fixture();
    const answering = service[name]();
    await service.settled();
    await service.clock.advance(3_600_000);
    expect((await answering).status).toBe(401);
  });

  it("ends with 401 or 404 when the app is deleted", async () => {
    const service = await fixture();
    const answering = service[name]();
    await service.settled();
    expect((await service.deleteApp()).status).toBe(204);
    expect([401, 404]).toContain((await answering).status);
  });

  it("keeps waiting when another key is revoked", async () => {
    const service = await fixture();
    const other = await service.stepwell.keys.create(service.appId, { name: "other" });
    const answering = service[name]();
    const runs = async () => (await service.stepwell.runs.list(service.appId)).items;
    await expect.poll(async () => (await runs()).length).toBe(name === "create" ? 2 : 1);
    await service.stepwell.keys.remove(service.appId, other.id);
    for (const { id } of await runs()) await service.stepwell.runs.cancel(service.appId, id);
    expect(await (await answering).json()).toMatchObject({ status: "canceled" });
  });
});

it("Prefer: wait on a webhook ends with 404 when the app is deleted", async () => {
  const service = await fixture();
  const answering = service.deliver();
  await service.settled();
  expect((await service.deleteApp()).status).toBe(204);
  expect((await answering).status).toBe(404);
});
