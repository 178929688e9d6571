/** Outgoing webhooks to receivers on real sockets, whatever they do. */
import { afterEach, describe, expect, it } from "vitest";
import type { StepwellEvent } from "../../src/index.ts";
import {
  answers,
  type Behavior,
  floods,
  hangs,
  openReceiver,
  resets,
  writes,
} from "../support/webhooks/http-receiver.ts";
import { type Answer, createReceiver } from "../support/webhooks/receiver.ts";
import { openSending, versionsOf } from "../support/webhooks/sending.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** A receiver, and a webhook that sends all events of records to it. */
async function open(behavior: Behavior) {
  const receiver = await openReceiver(behavior);
  opened.push(receiver);
  const service = await openSending({ net: { allow: [`127.0.0.1:${receiver.port}`] } });
  opened.push(service);
  const { id } = await service.stepwell.webhooks.create(service.app, { url: receiver.url, events: ["record.*"] });
  return { ...service, receiver, id, webhook: () => service.stepwell.webhooks.get(service.app, id) };
}

describe("a delivery to a receiver", () => {
  it.each<[string, Behavior, { status: number | null; error: string; takes?: string }]>([
    ["that answers 500", answers(500), { status: 500, error: "status 500" }],
    ["that answers 404", answers(404), { status: 404, error: "status 404" }],
    ["that redirects", answers(301, { location: "http://127.0.0.1:1/" }), { status: null, error: "redirect" }],
    ["that resets the connection", resets, { status: null, error: "could not be fetched" }],
    ["that speaks no HTTP", writes("220 mail.example ESMTP\r\n"), { status: null, error: "could not be fetched" }],
    ["that hangs", hangs, { status: null, error: "within 15 seconds", takes: "5s" }],
    [
      "that hangs in the head of its response",
      writes("HTTP/1.1 200 OK\r\nx: "),
      { status: null, error: "within 15", takes: "5s" },
    ],
  ])(
    "%s fails with the reason, and is repeated with the same id",
    async (_, behavior, { status, error, takes = 0 }) => {
      const { write, pass, passAttempts, deliveries, receiver, id, webhook } = await open(behavior);
      await write(1);
      const first = async () => (await deliveries(id))[0];
      await pass(takes, async () => ((await first())?.attempts_count ?? 0) > 0);
      expect((await first())?.attempts[0]).toMatchObject({ status, error: expect.stringContaining(error) });
      expect((await webhook()).failing_since).not.toBeNull();
      receiver.behave(answers(204));
      await passAttempts(id, async () => (await first())?.status === "delivered");
      expect(new Set(receiver.received.map((event) => event.id)).size).toBe(1);
      expect((await webhook()).failing_since).toBeNull();
    },
  );

  it("that sends a body without end succeeds by its status, and the connection is closed", async () => {
    const { write, pass, deliveries, receiver, id } = await open(floods);
    await write(1);
    await pass(0, async () => (await deliveries(id))[0]?.status === "delivered");
    await expect.poll(receiver.cut).toBe(1);
  });

  it("that is down waits until it is up again", async () => {
    const { write, pass, passAttempts, deliveries, receiver, id } = await open(answers(200));
    await receiver.close();
    await write(1);
    await pass(0, async () => ((await deliveries(id))[0]?.attempts_count ?? 0) > 0);
    expect((await deliveries(id))[0]?.attempts[0]).toMatchObject({
      status: null,
      error: expect.stringContaining("ECONNREFUSED"),
    });
    opened.push(await openReceiver(answers(200), receiver.port));
    await passAttempts(id, async () => (await deliveries(id))[0]?.status === "delivered");
  });
});

it("a record that a receiver hangs on does not hold up the other records", async () => {
  const stuck = new Set<string>();
  const isStuck = ({ data }: StepwellEvent) => "id" in data && stuck.has(String(data.id));
  const { write, pass, receiver, stepwell } = await open((response, event) =>
    isStuck(event) ? hangs(response, event) : answers(200)(response, event),
  );
  stepwell.on("record.created", ({ data }) => void (stuck.size === 0 && stuck.add(data.id)));
  const [first = "", ...others] = await write(5, 3);
  const all = () => others.map((record) => versionsOf(receiver.received, record));
  await pass(0, () => all().flat().length === 12);
  expect(all()).toEqual(others.map(() => [1, 2, 3]));
  expect(versionsOf(receiver.received, first)).toEqual([1]);
});

describe("a receiver that was down for a day", () => {
  const DAY = 86_400_000;

  it("gets what waits at once after the first success, in order for each record", async () => {
    const { write, pass, passAttempts, deliveries, receiver, id, clock, webhook } = await open(answers(503));
    const begun = clock.now();
    const records = await write(12, 3);
    await passAttempts(id, () => clock.now() - begun > DAY / 2);
    const waiting = async () => (await deliveries(id)).filter(({ status }) => status === "pending").length;
    expect(await waiting()).toBe(36);
    await pass(0, async () =>
      (await deliveries(id)).every(({ due_at }) => due_at === null || due_at > iso(clock.now())),
    );
    await clock.advance("1h"); // not yet the next attempt
    const before = receiver.received.length;
    receiver.behave(answers(200));
    await write(1); // succeeds at once
    await pass(0, async () => (await waiting()) === 0);
    const arrived = receiver.received.slice(before);
    expect(arrived).toHaveLength(37);
    for (const record of records) expect(versionsOf(arrived, record)).toEqual([1, 2, 3]);
    expect(await webhook()).toMatchObject({ enabled: true, failing_since: null });
  });

  it("and again after a single success gets what waits at once after both", async () => {
    const { write, pass, passAttempts, deliveries, receiver, id, clock } = await open(answers(503));
    const begun = clock.now();
    await write(3);
    await passAttempts(id, () => clock.now() - begun > DAY / 2);
    let requests = 0;
    receiver.behave((response, event) => answers(requests++ === 0 ? 200 : 503)(response, event));
    await write(1);
    await passAttempts(id, () => clock.now() - begun > DAY);
    receiver.behave(answers(200));
    await write(1);
    await pass(0, async () => (await deliveries(id)).every(({ status }) => status === "delivered"));
    expect(requests).toBeGreaterThan(4);
  });

  it("is asked no earlier than it said in Retry-After", async () => {
    const { write, pass, passAttempts, deliveries, receiver, id, clock } = await open(answers(503));
    const begun = clock.now();
    const [record = ""] = await write(1);
    const first = async () => (await deliveries(id))[0];
    await passAttempts(id, () => clock.now() - begun > DAY / 8);
    const attempts = receiver.received.length;
    receiver.behave(answers(503, { "retry-after": "43200" }));
    await passAttempts(id, async () => ((await first())?.attempts_count ?? 0) > attempts);
    const asked = clock.now();
    receiver.behave(answers(200));
    await write(1);
    await pass(0, async () => (await deliveries(id))[1]?.status === "delivered");
    await clock.advance("1h");
    expect((await first())?.due_at).toBe(iso(asked + DAY / 2));
    await passAttempts(id, async () => (await first())?.status === "delivered");
    expect(versionsOf(receiver.received, record)).toHaveLength(attempts + 2);
    expect(clock.now() - asked).toBe(DAY / 2);
  });
});

const iso = (time: number) => new Date(time).toISOString();

it("an event that a receiver never accepts keeps its pauses while others are delivered", async () => {
  const isRefused = (event: StepwellEvent) => "version" in event.data && event.data.version === 2;
  const { write, pass, deliveries, receiver, id, clock } = await open((response, event) =>
    answers(isRefused(event) ? 422 : 200)(response, event),
  );
  await write(1, 2);
  const isSettled = async () => {
    const waiting = (await deliveries(id)).filter(({ status }) => status === "pending");
    return waiting.length === 1 && (waiting[0]?.due_at ?? "") > iso(clock.now());
  };
  for (let tenth = 0; tenth < 36; tenth++) {
    await pass(0, isSettled);
    await clock.advance("10m");
    await write(1);
  }
  await pass(0, isSettled);
  // Eight times in six hours by its pauses, and earlier once, after the first success.
  const attempts = receiver.received.filter(isRefused).length;
  expect(attempts).toBeGreaterThan(5);
  expect(attempts).toBeLessThan(12);
});

it("the immediate retry after an outage is made once, and does not lengthen the pauses", async () => {
  const isRefused = (event: StepwellEvent) => "version" in event.data && event.data.version === 1 && isFirst(event);
  let first = "";
  const isFirst = ({ data }: StepwellEvent) => {
    if (first === "" && "id" in data && typeof data.id === "string") first = data.id;
    return "id" in data && data.id === first;
  };
  const { write, pass, deliveries, id, clock } = await open((response, event) =>
    answers(isRefused(event) ? 500 : 200)(response, event),
  );
  const oldest = async () => (await deliveries(id))[0];
  const pauseAfter = async (attempts: number) => {
    await pass(0, async () => (await oldest())?.attempts_count === attempts);
    return Date.parse((await oldest())?.due_at ?? "") - clock.now();
  };
  /** Lets others be delivered, which ends the outage. */
  const succeed = async (count: number) => {
    await write(2);
    await pass(0, async () => (await deliveries(id)).filter(({ status }) => status === "delivered").length === count);
  };
  await write(1);
  expect(await pauseAfter(1)).toBe(5_000);
  await succeed(2);
  expect(await pauseAfter(2)).toBe(5_000); // the immediate retry failed
  await succeed(4);
  expect(await pauseAfter(2)).toBe(5_000); // not made again: it began this outage
  await clock.advance("5s");
  expect(await pauseAfter(3)).toBe(30_000);
  await succeed(6);
  await clock.advance("30s");
  expect(await pauseAfter(4)).toBe(120_000);
});

describe("a webhook", () => {
  it("is turned off with the reason when its receiver was down for three days", async () => {
    const { write, passAttempts, deliveries, receiver, id, webhook, clock } = await open(resets);
    const begun = clock.now();
    await write(1);
    await passAttempts(id, async () => !(await webhook()).enabled);
    expect(await webhook()).toMatchObject({ enabled: false, off_reason: "failing", failing_since: iso(begun) });
    expect(await deliveries(id)).toMatchObject([{ status: "failed", attempts_count: 15, due_at: null }]);
    expect(receiver.received).toHaveLength(15);
    expect(clock.now() - begun).toBe(3 * 86_400_000);
  });

  it("that its receiver answered 410 sends what waits, in order, once it is turned on again", async () => {
    const { write, pass, passAttempts, deliveries, receiver, id, webhook, clock, stepwell, app } = await open(
      answers(410),
    );
    const records = await write(6, 2);
    await pass(0, async () => !(await webhook()).enabled);
    expect(await webhook()).toMatchObject({ off_reason: "gone" });
    await clock.advance("4d"); // longer than a delivery is tried
    const before = receiver.received.length;
    receiver.behave(answers(500));
    await stepwell.webhooks.update(app, id, { enabled: true });
    await pass(0, () => receiver.received.length > before);
    receiver.behave(answers(200));
    await passAttempts(id, async () => (await deliveries(id)).every(({ status }) => status === "delivered"));
    for (const record of records) expect(versionsOf(receiver.received, record).slice(-2)).toEqual([1, 2]);
    expect(await webhook()).toMatchObject({ enabled: true, off_reason: null, failing_since: null });
  });
});

it("webhooks whose receivers hang hold up only each other", async () => {
  const isHanging = new Set<string>();
  const { stepwell, app, write, pass, received } = await openInMemory(({ url }) => {
    if (!url.endsWith("/good")) return new Promise(() => isHanging.add(url));
    return 204;
  });
  for (let count = 0; count < 40; count++) {
    await stepwell.webhooks.create(app, { url: `https://receiver.test/${count}`, events: ["record.*"] });
  }
  await stepwell.webhooks.create(app, { url: "https://receiver.test/good", events: ["record.*"] });
  await write(1);
  const good = () => received.filter(({ url }) => url.endsWith("/good")).length;
  await pass("5s", () => isHanging.size === 40 && good() === 1);
  await pass("5s", () => received.length > 60); // they are tried again
  await write(10);
  await pass(0, () => good() === 11);
  expect(isHanging.size).toBe(40);
});

async function openInMemory(answer: Answer) {
  const receiver = createReceiver(answer);
  const service = await openSending({ fetch: receiver.fetch });
  opened.push(service);
  return { ...service, ...receiver };
}

describe("a redelivery", () => {
  it("of a delivery in progress leads to one outcome", async () => {
    let release = () => {};
    const { stepwell, app, write, pass, deliveries, received } = await openInMemory(
      () =>
        new Promise((resolve) => {
          release = () => resolve(204);
        }),
    );
    const { id } = await stepwell.webhooks.create(app, { url: "https://receiver.test/", events: ["record.*"] });
    await write(1);
    await pass(0, () => received.length === 1);
    const [delivery] = await deliveries(id);
    const again = Array.from({ length: 5 }, () => stepwell.webhooks.redeliver(app, id, delivery?.id ?? ""));
    for (const one of await Promise.all(again)) expect(one.status).toBe("pending");
    release();
    await pass(0, async () => (await deliveries(id))[0]?.status === "delivered");
    expect(received).toHaveLength(1);
  });

  it("goes before later events of its record, and a test of the webhook waits for neither", async () => {
    const answersOf: (() => void)[] = [];
    const { stepwell, app, collection, write, pass, deliveries, received } = await openInMemory(({ event }) =>
      String(event.type) === "webhook.test" ? 204 : new Promise((resolve) => answersOf.push(() => resolve(200))),
    );
    const { id } = await stepwell.webhooks.create(app, { url: "https://receiver.test/", events: ["record.*"] });
    const [record = ""] = await write(1, 2);
    const answerAll = () => {
      for (const answer of answersOf.splice(0)) answer();
    };
    const isOver = async (count: number) => {
      answerAll();
      return (await deliveries(id)).filter(({ status }) => status === "delivered").length === count;
    };
    await pass(0, () => isOver(2));
    const [first] = await deliveries(id);
    await Promise.all([
      stepwell.webhooks.redeliver(app, id, first?.id ?? ""),
      stepwell.records.update(app, collection, record, { data: { a: { b: 9 } } }),
    ]);
    expect(await stepwell.webhooks.test(app, id)).toMatchObject({ status: 204 });
    await pass(0, () => isOver(3));
    const sent = received.map(({ event }) => event).filter(({ type }) => type.startsWith("record."));
    expect(versionsOf(sent, record).slice(0, 2)).toEqual([1, 2]);
    expect(versionsOf(sent, record).slice(2).sort()).toEqual([1, 3]);
  });

  it("of a webhook that is deleted meanwhile leaves nothing", async () => {
    const { stepwell, app, write, pass, deliveries } = await openInMemory(() => 204);
    const { id } = await stepwell.webhooks.create(app, { url: "https://receiver.test/", events: ["record.*"] });
    await write(3);
    await pass(0, async () => {
      const all = await deliveries(id);
      return all.length === 3 && all.every(({ status }) => status === "delivered");
    });
    const ids = (await deliveries(id)).map((delivery) => delivery.id);
    const outcomes = await Promise.allSettled([
      ...ids.map((delivery) => stepwell.webhooks.redeliver(app, id, delivery)),
      stepwell.webhooks.remove(app, id),
      ...ids.map((delivery) => stepwell.webhooks.redeliver(app, id, delivery)),
    ]);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected")
        expect(outcome.reason).toMatchObject({ code: expect.stringMatching(/^(not_found|conflict)$/) });
    }
    await expect(stepwell.webhooks.get(app, id)).rejects.toMatchObject({ code: "not_found" });
  });
});
