/** Outgoing webhooks as resources, in process and over HTTP. */
import { afterEach, expect, it } from "vitest";
import { createStepwell } from "../../src/index.ts";
import { silent } from "../support/engine/service.ts";
import { describeEachTransport, type TestHost } from "../support/http/transports.ts";
import { createReceiver, signatureOf } from "../support/webhooks/receiver.ts";

const URL = "https://receiver.test/in";
const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((service) => service.close()));
});

describeEachTransport("outgoing webhooks", (open) => {
  async function openWebhooks() {
    const receiver = createReceiver();
    const host: TestHost = open({ secret: "s".repeat(40), fetch: receiver.fetch });
    closing.push(host.stepwell);
    return { call: host.callApi, ...receiver, app: (await host.app()).id, other: (await host.app()).id };
  }

  it("are created with a secret that no later call returns", async () => {
    const { call, app } = await openWebhooks();
    const created = await call("webhooks.create", app, { url: URL, events: ["record.*", "run.failed"] });
    expect(created).toMatchObject({
      ...{ id: expect.stringMatching(/^whk_/), app_id: app, url: URL, events: ["record.*", "run.failed"] },
      ...{ collection_id: null, workflow_id: null, enabled: true, off_reason: null, failing_since: null },
      secret: expect.stringMatching(/^whsec_/),
    });
    const { secret, ...shown } = created;
    expect(await call("webhooks.get", app, created.id)).toEqual(shown);
    expect((await call("webhooks.list", app)).items).toEqual([shown]);
    const off = await call("webhooks.update", app, created.id, { enabled: false, events: ["*"] });
    expect(off).toMatchObject({ enabled: false, off_reason: "paused", events: ["*"] });
    await call("webhooks.remove", app, created.id);
    await expect(call("webhooks.get", app, created.id)).rejects.toMatchObject({ status: 404 });
    expect((await call("webhooks.list", app)).items).toEqual([]);
  });

  it("reject addresses, types and filters that could never work", async () => {
    const { call, app } = await openWebhooks();
    const collection = (await call("collections.create", app, { name: "Loans" })).id;
    const gone = (await call("collections.create", app, { name: "Gone" })).id;
    await call("collections.remove", app, gone);
    const workflow = (await call("workflows.create", app, { name: "Asks" })).id;
    const events = ["*"];
    for (const [body, pointer] of [
      [{ url: "ftp://receiver.test/", events }, "/url"],
      [{ url: "https://user:pass@receiver.test/", events }, "/url"],
      [{ url: "https://receiver.test/#part", events }, "/url"],
      [{ url: "javascript:alert(1)", events }, "/url"],
      [{ url: `https://receiver.test/${"a".repeat(2_048)}`, events }, "/url"],
      [{ url: `https://${"a".repeat(2_000)}/`, events }, "/url"],
      [{ url: "receiver", events }, "/url"],
      [{ url: 7, events }, "/url"],
      [{ url: URL, events: [] }, "/events"],
      [{ url: URL, events: ["record.moved"] }, "/events/0"],
      [{ url: URL, events: ["run.*", "webhook.test"] }, "/events/1"],
      [{ url: URL, events: Array.from({ length: 101 }, () => "*") }, "/events"],
      [{ url: URL, events, collection_id: collection }, "/events/0"],
      [{ url: URL, events: ["record.*", "run.*"], collection_id: collection }, "/events/1"],
      [{ url: URL, events: ["record.*"], workflow_id: workflow }, "/events/0"],
      [{ url: URL, events: ["run.*"], workflow_id: collection }, "/workflow_id"],
      [{ url: URL, events: ["record.*"], collection_id: gone }, "/collection_id"],
      [{ url: URL, events: ["record.*"], collection_id: collection, workflow_id: workflow }, "/workflow_id"],
      [{ url: URL, events, secret: "mine" }, "/secret"],
    ] as const) {
      await expect(call("webhooks.create", app, body), JSON.stringify(body).slice(0, 200)).rejects.toMatchObject({
        status: 422,
        errors: expect.arrayContaining([expect.objectContaining({ pointer })]),
      });
    }
    expect((await call("webhooks.list", app)).items).toEqual([]);
    // An update is checked like a creation.
    const { id } = await call("webhooks.create", app, { url: URL, events: ["run.*"] });
    for (const filter of [{ workflow_id: gone }, { collection_id: "", workflow_id: gone }, { workflow_id: "" }]) {
      await expect(call("webhooks.update", app, id, filter)).rejects.toMatchObject({ status: 422 });
    }
    expect(await call("webhooks.get", app, id)).toMatchObject({ collection_id: null, workflow_id: null });
  });

  it("of another app do not exist", async () => {
    const { call, app, other } = await openWebhooks();
    const { id } = await call("webhooks.create", other, { url: URL, events: ["*"] });
    for (const [operation, ...more] of [
      ["get"],
      ["update", {}],
      ["remove"],
      ["rotate", {}],
      ["test"],
      ["deliveries"],
      ["redeliver", "dlv_1"],
    ] as const) {
      await expect(call(`webhooks.${operation}`, app, id, ...more), operation).rejects.toMatchObject({ status: 404 });
    }
    await expect(call("webhooks.redeliver", other, id, "dlv_1")).rejects.toMatchObject({ status: 404 });
  });

  it("are tested with a signed event, and sign with both secrets after a rotation", async () => {
    const { call, app, received } = await openWebhooks();
    const { id, secret } = await call("webhooks.create", app, { url: URL, events: ["*"] });
    expect(await call("webhooks.test", app, id)).toMatchObject({ status: 204, error: null });
    expect(received[0]?.event).toMatchObject({ type: "webhook.test", app_id: app, data: { webhook_id: id } });
    const rotated = await call("webhooks.rotate", app, id, { overlap: 60 });
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.previous_until > rotated.updated_at).toBe(true);
    await call("webhooks.test", app, id);
    const [, both] = received;
    if (both === undefined) throw new Error("nothing was sent");
    expect(both.headers.get("webhook-signature")?.split(" ")).toEqual([
      signatureOf(rotated.secret, both),
      signatureOf(secret, both),
    ]);
    const last = await call("webhooks.rotate", app, id, { overlap: 0 });
    await call("webhooks.test", app, id);
    const [, , alone] = received;
    if (alone === undefined) throw new Error("nothing was sent");
    expect(alone.headers.get("webhook-signature")).toBe(signatureOf(last.secret, alone));
    expect(last.previous_until).toBeNull();
  });

  it("sign with five earlier secrets while they overlap, and refuse to drop one", async () => {
    const { call, app, received } = await openWebhooks();
    const { id, secret } = await call("webhooks.create", app, { url: URL, events: ["*"] });
    const first = await call("webhooks.rotate", app, id, { overlap: 60 });
    let last = first;
    for (let count = 2; count <= 5; count++) last = await call("webhooks.rotate", app, id);
    await call("webhooks.test", app, id);
    const [sent] = received;
    if (sent === undefined) throw new Error("nothing was sent");
    const signatures = sent.headers.get("webhook-signature")?.split(" ") ?? [];
    expect(signatures).toHaveLength(6);
    expect(signatures[0]).toBe(signatureOf(last.secret, sent));
    expect(signatures[4]).toBe(signatureOf(first.secret, sent));
    expect(signatures[5]).toBe(signatureOf(secret, sent));
    const before = await call("webhooks.get", app, id);
    await expect(call("webhooks.rotate", app, id)).rejects.toMatchObject({
      ...{ status: 409, code: "conflict", message: expect.stringContaining(first.previous_until) },
    });
    expect(await call("webhooks.get", app, id)).toEqual(before);
    expect((await call("webhooks.rotate", app, id, { overlap: 0 })).previous_until).toBeNull();
  });

  it("send a delivery again, unless they are off", async () => {
    const { call, app, received } = await openWebhooks();
    const { id } = await call("webhooks.create", app, { url: URL, events: ["collection.created"] });
    await call("collections.create", app, { name: "Loans" });
    const delivered = async () => (await call("webhooks.deliveries", app, id, { status: "delivered" })).items;
    await expect.poll(delivered).toHaveLength(1);
    const [first] = await delivered();
    expect(await call("webhooks.redeliver", app, id, first.id)).toMatchObject({ status: "pending" });
    await expect.poll(delivered).toMatchObject([{ id: first.id, attempts_count: 2 }]);
    expect(received.map(({ event }) => event.id)).toEqual([first.event_id, first.event_id]);
    await call("webhooks.update", app, id, { enabled: false });
    await expect(call("webhooks.redeliver", app, id, first.id)).rejects.toMatchObject({ status: 409 });
    expect((await call("webhooks.deliveries", app, id, { status: "pending" })).items).toEqual([]);
  });
});

it("an app can have 1,000, of which one write stores one event", async () => {
  const { fetch, received } = createReceiver();
  const stepwell = createStepwell({ logger: silent, secret: "s".repeat(40), fetch });
  closing.push(stepwell);
  const app = (await stepwell.apps.create({ name: "Tests" })).id;
  for (let count = 0; count < 1_000; count++) {
    await stepwell.webhooks.create(app, { url: `${URL}/${count}`, events: ["collection.created"] });
  }
  await expect(stepwell.webhooks.create(app, { url: URL, events: ["*"] })).rejects.toMatchObject({ code: "conflict" });
  await stepwell.collections.create(app, { name: "Loans" });
  await expect.poll(() => new Set(received.map(({ url }) => url)).size).toBe(1_000);
  expect(received).toHaveLength(1_000);
});

it("needs the option `secret`", async () => {
  const stepwell = createStepwell({ logger: silent });
  closing.push(stepwell);
  const app = (await stepwell.apps.create({ name: "Tests" })).id;
  await expect(stepwell.webhooks.create(app, { url: URL, events: ["*"] })).rejects.toMatchObject({
    code: "not_configured",
  });
});
