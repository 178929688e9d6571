/** Outgoing webhooks: nothing is lost, the events of a resource stay in order, and no resource holds up others. */
import { expect, it } from "vitest";
import type { StepwellEvent } from "../../src/index.ts";
import { type Answer, createReceiver, signatureOf } from "../support/webhooks/receiver.ts";
import { openSending, versionsOf } from "../support/webhooks/sending.ts";

const URL = "https://receiver.test/in";
const DAY = 86_400_000;

async function openWebhooks(given?: Answer) {
  const receiver = createReceiver(given);
  return { ...(await openSending({ fetch: receiver.fetch })), ...receiver };
}

const versions = (received: readonly { readonly event: StepwellEvent }[], id: string) =>
  versionsOf(
    received.map(({ event }) => event),
    id,
  );

it("sends each event once, signed, in order for each record", async () => {
  const { stepwell, app, write, pass, received, close } = await openWebhooks();
  const { id, secret } = await stepwell.webhooks.create(app, { url: URL, events: ["record.*"] });
  const ids = await write(5, 4);
  await pass(0, () => received.length === 20);
  for (const record of ids) expect(versions(received, record)).toEqual([1, 2, 3, 4]);
  for (const one of received) {
    expect(one.headers.get("webhook-id")).toBe(one.event.id);
    expect(one.headers.get("webhook-signature")).toBe(signatureOf(secret, one));
    expect(one.headers.get("content-type")).toBe("application/json");
  }
  await pass(0, async () => (await stepwell.webhooks.deliveries(app, id, { status: "delivered" })).total === 20);
  const { items } = await stepwell.webhooks.deliveries(app, id, { take: 1 });
  expect(items).toMatchObject([{ attempts_count: 1, attempts: [{ status: 204, error: null }], due_at: null }]);
  await close();
});

it("keeps the order of a record while it fails, does not delay others, and continues after three days", async () => {
  const bad = new Set<string>();
  const isBad = (data: object) => "id" in data && typeof data.id === "string" && bad.has(data.id);
  const { stepwell, app, write, pass, passAttempts, received, accepted, close } = await openWebhooks(({ event }) =>
    isBad(event.data) && event.type === "record.created" ? 500 : 200,
  );
  const { id } = await stepwell.webhooks.create(app, { url: URL, events: ["record.*"] });
  stepwell.on("record.created", ({ data }) => void (bad.size === 0 && bad.add(data.id)));
  const [first = "", ...others] = await write(4, 3);
  await pass(0, () => accepted.length === 9);
  for (const record of others) expect(versions(accepted, record)).toEqual([1, 2, 3]);
  expect(versions(accepted, first)).toEqual([]);
  await passAttempts(id, () => accepted.length === 11);
  expect(versions(accepted, first)).toEqual([2, 3]);
  const { items } = await stepwell.webhooks.deliveries(app, id, { status: "failed" });
  expect(items).toMatchObject([{ type: "record.created", resource_id: first }]);
  const times = received.filter(({ event }) => isBad(event.data) && event.type === "record.created");
  expect(times).toHaveLength(items[0]?.attempts_count ?? 0);
  expect(times.length).toBeGreaterThan(13);
  await close();
});

it("sends what is pending to the current URL, even if a new filter excludes it", async () => {
  const { stepwell, app, collection, write, pass, passAttempts, received, accepted, answer, close } =
    await openWebhooks(() => 503);
  const { id } = await stepwell.webhooks.create(app, { url: URL, events: ["record.*"] });
  const [record = ""] = await write(1, 2);
  await pass(0, () => received.length === 1);
  const other = (await stepwell.collections.create(app, { name: "Other" })).id;
  const moved = "https://receiver.test/moved";
  await stepwell.webhooks.update(app, id, { url: moved, events: ["record.deleted"], collection_id: other });
  answer(() => 204);
  await passAttempts(id, () => accepted.length === 2);
  expect(versions(accepted, record)).toEqual([1, 2]);
  expect(accepted.map(({ url }) => url)).toEqual([moved, moved]);
  await write(1);
  await stepwell.records.remove(app, collection, record);
  const created = await stepwell.records.create(app, other, { data: {} });
  await stepwell.records.remove(app, other, created.id);
  await pass(0, () => accepted.length === 3);
  expect(accepted[2]?.event).toMatchObject({ type: "record.deleted", data: { id: created.id } });
  await close();
});

it("loses nothing while the receiver is down for a day", async () => {
  const { stepwell, app, write, passAttempts, accepted, answer, close, clock } = await openWebhooks(() => 503);
  const { id } = await stepwell.webhooks.create(app, { url: URL, events: ["record.*"] });
  const begun = clock.now();
  const ids = await write(10, 3);
  await passAttempts(id, () => clock.now() - begun > DAY);
  expect(accepted).toEqual([]);
  answer(() => 200);
  await passAttempts(id, () => accepted.length === 30);
  for (const record of ids) expect(versions(accepted, record)).toEqual([1, 2, 3]);
  await close();
});

it("turns a webhook off after three days without success, and sends what is left when it is on again", async () => {
  const { stepwell, app, write, passAttempts, accepted, answer, close, clock } = await openWebhooks(() =>
    Promise.reject(new Error("down")),
  );
  const { id } = await stepwell.webhooks.create(app, { url: URL, events: ["record.*"] });
  const [record = ""] = await write(1, 3);
  await passAttempts(id, async () => !(await stepwell.webhooks.get(app, id)).enabled);
  expect(await stepwell.webhooks.get(app, id)).toMatchObject({ off_reason: "failing" });
  await write(1, 1); // not stored for it
  answer(() => 200);
  await clock.advance("1d");
  await stepwell.webhooks.update(app, id, { enabled: true });
  await passAttempts(id, () => accepted.length === 2);
  expect(versions(accepted, record)).toEqual([2, 3]);
  expect(await stepwell.webhooks.get(app, id)).toMatchObject({ enabled: true, off_reason: null, failing_since: null });
  await close();
});

it("turns a webhook off when it answers 410", async () => {
  const { stepwell, app, write, pass, received, close } = await openWebhooks(() => 410);
  const { id } = await stepwell.webhooks.create(app, { url: URL, events: ["record.*"] });
  await write(1, 2);
  await pass(0, async () => !(await stepwell.webhooks.get(app, id)).enabled);
  expect(await stepwell.webhooks.get(app, id)).toMatchObject({ off_reason: "gone" });
  await pass("1d", async () => true);
  expect(received).toHaveLength(1);
  await close();
});

it("waits as long as Retry-After says, at most a day", async () => {
  let count = 0;
  const { stepwell, app, write, passAttempts, received, close } = await openWebhooks(() => {
    const headers = { "retry-after": ["3600", "999999999", "nonsense"][count++] ?? "" };
    return new Response(null, { status: 429, headers });
  });
  const { id } = await stepwell.webhooks.create(app, { url: URL, events: ["record.*"] });
  await write(1, 1);
  const attempts = async () => (await stepwell.webhooks.deliveries(app, id)).items[0]?.attempts ?? [];
  await passAttempts(id, async () => (await attempts()).length >= 4);
  expect(received.length).toBeGreaterThanOrEqual(4);
  const times = (await attempts()).map(({ at }) => Date.parse(at));
  const waits = times.slice(1).map((time, index) => Math.round((time - (times[index] ?? 0)) / 60_000));
  expect(waits.slice(0, 3)).toEqual([60, 1_440, 2]);
  await close();
});

it("sends several at once, but not more than four to one webhook", async () => {
  let open = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const { stepwell, app, write, pass, accepted, close } = await openWebhooks(async () => {
    most = Math.max(most, ++open);
    await new Promise<void>((resolve) => waiting.push(resolve));
    open--;
    return 200;
  });
  await stepwell.webhooks.create(app, { url: URL, events: ["record.*"] });
  await write(12, 1);
  await pass(0, () => open === 4);
  await pass(0, () => {
    for (const end of waiting.splice(0)) end();
    return accepted.length === 12;
  });
  expect(most).toBe(4);
  await close();
});

it("ends a request after 15 seconds, and others are not held up", async () => {
  const { stepwell, app, write, pass, accepted, close } = await openWebhooks(({ url }) =>
    url === URL ? new Promise(() => undefined) : 200,
  );
  const slow = await stepwell.webhooks.create(app, { url: URL, events: ["record.*"] });
  await stepwell.webhooks.create(app, { url: `${URL}/other`, events: ["record.*"] });
  await write(3, 1);
  await pass(0, () => accepted.length === 3);
  await pass("1s", async () => {
    const { items } = await stepwell.webhooks.deliveries(app, slow.id);
    return items.every(({ attempts_count }) => attempts_count > 0);
  });
  const { items } = await stepwell.webhooks.deliveries(app, slow.id, { take: 1 });
  expect(items[0]?.attempts[0]).toMatchObject({ status: null, error: expect.stringContaining("15 seconds") });
  await close();
});
