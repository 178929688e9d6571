/** The trigger type loan_origination with a connection: it polls a loan-origination system with a cursor. */
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { createStepwell, type Options, type Stepwell, type TriggerUpdate } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { openServer, type Received, type Reply } from "../support/servers/http-server.ts";
import { faultyDriver } from "../support/storage/faulty.ts";
import { silent } from "../support/storage/open.ts";
import { until } from "../support/until.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const TOKEN = "the_token_of_the_lender";
const MAPPINGS = [
  { type: "key", entity_path: "loan:number", input_path: ["loan", "number"], name: "Number" },
  { type: "field", entity_path: "loan:amount", input_path: ["loan", "amount"], name: "Amount" },
];
const CONFIG = {
  type: "loan_origination",
  mappings: MAPPINGS,
  pull_on_millestones: ["Submittal"],
  pull_on_folders: [],
};

interface Change {
  readonly id: string;
  readonly milestone: string;
  readonly loan: { readonly number: string; readonly amount: number };
}
const change = (id: number, number: string, amount: number, milestone = "Submittal"): Change => ({
  ...{ id: `change_${id}`, milestone },
  loan: { number, amount },
});

/** A loan-origination system: a log of changes, of which a page has at most three. */
function createLender() {
  const log: Change[] = [];
  const asked: (string | null)[] = [];
  return {
    log,
    asked,
    reply(url: string, authorization: string | undefined): { status: number; body: unknown } {
      const after = new URL(url).searchParams.get("after");
      asked.push(after);
      if (authorization !== `Bearer ${TOKEN}`) return { status: 401, body: {} };
      const start = Number(after ?? 0);
      const events = log.slice(start, start + 3);
      const end = start + events.length;
      return { status: 200, body: { events, cursor: String(end), more: end < log.length } };
    },
  };
}

/** A collection with a trigger that polls through its connection. */
async function open(url: string, more: Partial<Options>, trigger: object = {}) {
  const clock = createTestClock();
  const data = new Map<string, string>();
  const start = (): Stepwell => {
    const storage = { entities: faultyDriver(data, "rejects", 0).driver };
    const started = createStepwell({ clock, logger: silent, storage, secret: "s".repeat(32), ...more });
    opened.push(started);
    return started;
  };
  const stepwell = start();
  const app = (await stepwell.apps.create({ name: "Lending" })).id;
  const account = { name: "Lender", service: "loan_origination" };
  const credentials = { url, token: TOKEN };
  const { id: connection_id } = await stepwell.connections.create(app, { ...account, credentials });
  const collection = (await stepwell.collections.create(app, { name: "Loans" })).id;
  const input = { type: "loan_origination", name: "Loans", config: CONFIG, connection_id, ...trigger };
  const { id } = await stepwell.triggers.create(app, collection, input);
  return { stepwell, app, collection, id, connection_id, clock, start };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function deliveriesOf({ app, collection, id }: Opened, stepwell: Stepwell) {
  const read = async () => (await stepwell.triggers.deliveries(app, collection, id, { take: 1_000 })).items;
  await expect.poll(async () => (await read()).every(({ status }) => status !== "pending")).toBe(true);
  return [...(await read())].reverse();
}

async function loansOf({ app, collection }: Opened, stepwell: Stepwell) {
  const { items } = await stepwell.records.list(app, collection, { take: 1_000 });
  return items.map(({ data }) => `${data["loan"]?.["number"]}: ${data["loan"]?.["amount"]}`).sort();
}

describe("a trigger of the type loan_origination with a connection", () => {
  /** Over real sockets of the loopback interface. */
  async function polling(reply: (received: Received) => Reply, trigger: object = {}) {
    const server = await openServer(reply);
    opened.push(server);
    const t = await open(`${server.url}/changes?lender=1`, { net: server.net }, trigger);
    const status = () => t.stepwell.triggers.polling(t.app, t.collection, t.id);
    /** Moves the clock while it waits for the sockets: what is due at once needs a clock that moves, too. */
    const eventually = <T>(read: () => T | Promise<T>) =>
      expect.poll(async () => {
        await t.clock.advance(1);
        return read();
      });
    return { ...t, server, status, eventually };
  }

  function lending() {
    const lender = createLender();
    const reply = ({ path, headers }: Received): Reply => {
      const { status, body } = lender.reply(`http://lender.test${path}`, headers.authorization);
      return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    };
    return { lender, reply };
  }

  it("reads all pages, filters and maps them, and continues at its cursor, also in the next process", async () => {
    const { lender, reply } = lending();
    for (let n = 1; n <= 7; n++) lender.log.push(change(n, `L-${n % 4}`, n, n === 7 ? "Closing" : "Submittal"));
    const t = await polling(reply);
    await t.eventually(() => t.server.received.length).toBe(3);
    await t.eventually(async () => (await deliveriesOf(t, t.stepwell)).length).toBe(7);
    expect(lender.asked).toEqual([null, "3", "6"]);
    expect(t.server.received.map(({ path }) => path)[1]).toBe("/changes?lender=1&after=3");
    const statuses = (await deliveriesOf(t, t.stepwell)).map(({ event_id, status }) => `${event_id} ${status}`);
    expect(statuses).toContain("change_7 filtered");
    expect(await loansOf(t, t.stepwell)).toEqual(["L-0: 4", "L-1: 5", "L-2: 6", "L-3: 3"]);

    await t.stepwell.close();
    lender.log.push(change(8, "L-0", 8));
    const next = t.start();
    await next.ready();
    await t.clock.advance("301s");
    await t.eventually(() => t.server.received.length).toBe(4);
    expect(lender.asked.at(-1)).toBe("7");
    await t.eventually(async () => (await deliveriesOf(t, next)).length).toBe(8);
    expect(await loansOf(t, next)).toEqual(["L-0: 8", "L-1: 5", "L-2: 6", "L-3: 3"]);
  });

  it("handles an event once that is sent as well as polled", async () => {
    const { lender, reply } = lending();
    const sent = change(1, "L-1", 1);
    lender.log.push(sent, change(2, "L-2", 2));
    const t = await polling(reply);
    const url = `http://localhost:3000/public/apps/triggers/${t.id}/events`;
    const headers = { "content-type": "application/json" };
    const response = await t.stepwell.fetch(new Request(url, { method: "POST", headers, body: JSON.stringify(sent) }));
    expect(response.status).toBe(202);
    await t.eventually(async () => (await deliveriesOf(t, t.stepwell)).length).toBe(2);
    expect(await loansOf(t, t.stepwell)).toEqual(["L-1: 1", "L-2: 2"]);
  });

  it.each([
    ["the status 500", { status: 500, body: "{}" }, "status 500"],
    ["no JSON", { body: "<html>" }, "not valid JSON"],
    ["no cursor", { body: JSON.stringify({ events: [] }) }, "/cursor"],
    ["an empty cursor", { body: JSON.stringify({ events: [], cursor: "" }) }, "/cursor"],
    ["an event without an id", { body: JSON.stringify({ events: [{}], cursor: "1" }) }, "/events/0/id"],
    ["too many events", { body: JSON.stringify({ events: Array(1_001).fill({ id: "1" }), cursor: "1" }) }, "/events"],
  ])("stores nothing when the response has %s, and tries again from the same cursor", async (_, broken, reason) => {
    const { lender, reply } = lending();
    lender.log.push(change(1, "L-1", 1));
    let isBroken = true;
    const t = await polling((received) => (isBroken ? broken : reply(received)));
    await t.eventually(async () => (await t.status()).failures).toBe(1);
    const { error } = await t.status();
    expect(error?.message).toContain(reason);
    expect(JSON.stringify(error)).not.toContain(TOKEN);
    expect(await deliveriesOf(t, t.stepwell)).toEqual([]);
    isBroken = false;
    // The next poll may not have been scheduled yet.
    await until(async () => {
      await t.clock.advance("1m");
      return (await deliveriesOf(t, t.stepwell)).length === 1;
    });
    expect(lender.asked[0]).toBeNull();
  });

  it("fails instead of polling forever when a response announces more at the same cursor", async () => {
    const body = JSON.stringify({ events: [], cursor: "1", more: true });
    const t = await polling(() => ({ body }));
    await t.eventually(() => t.server.received.length).toBe(1);
    await t.clock.advance("2s");
    await t.eventually(async () => (await t.status()).failures).toBe(1);
    await t.eventually(() => t.server.received.length).toBe(2);
    expect((await t.status()).error?.message).toContain("repeats the cursor of the request");
  });

  it("is refused a wrong token, which the status says without the token", async () => {
    const { lender, reply } = lending();
    const t = await polling(reply);
    await t.eventually(async () => (await t.status()).polled_at).not.toBeNull();
    const credentials = { url: t.server.url, token: "wrong_token" };
    await t.stepwell.connections.update(t.app, t.connection_id, { credentials });
    await t.clock.advance("301s");
    await t.eventually(async () => (await t.status()).error?.message).toContain("status 401");
    expect(JSON.stringify(await t.status())).not.toContain("wrong_token");
    expect(lender.asked).toEqual([null, "0"]);
  });

  it("is not polled without a connection, and then has no interval", async () => {
    const { lender, reply } = lending();
    const t = await polling(reply, { connection_id: undefined });
    await t.clock.advance("1d");
    expect(lender.asked).toEqual([]);
    expect(await t.status()).toEqual({ polled_at: null, next_at: null, failures: 0, error: null });
    const update = (input: TriggerUpdate) => t.stepwell.triggers.update(t.app, t.collection, t.id, input);
    const withInterval = { ...CONFIG, interval: 60 };
    const refused = await update({ config: withInterval }).catch((error) => error);
    expect(refused.errors).toMatchObject([{ pointer: "/config/interval" }]);

    // A connection starts the polls, and its removal ends them.
    await update({ config: withInterval, connection_id: t.connection_id });
    await t.eventually(() => lender.asked.length).toBe(1);
    await update({ config: CONFIG, connection_id: null });
    expect((await t.status()).next_at).toBeNull();
    await t.clock.advance("1d");
    expect(lender.asked).toHaveLength(1);
  });

  it("refuses connections of other services, and credentials of another form", async () => {
    const { reply } = lending();
    const t = await polling(reply);
    const create = (credentials: object) =>
      t.stepwell.connections
        .create(t.app, { name: "Lender", service: "loan_origination", credentials: { ...credentials } })
        .catch((error) => error.errors.map(({ pointer }: { pointer: string }) => pointer));
    expect(await create({ url: "ftp://lender.test", token: "t" })).toEqual(["/credentials/url"]);
    expect(await create({ url: "https://lender.test" })).toEqual(["/credentials/token"]);
    expect(await create({ url: "https://lender.test", token: "a\nb" })).toEqual(["/credentials/token"]);
    const given = {
      type: "webhook",
      name: "x",
      config: { ...CONFIG, type: "webhook" },
      connection_id: t.connection_id,
    };
    const refused = await t.stepwell.triggers.create(t.app, t.collection, given).catch((error) => error);
    expect(refused.errors).toMatchObject([{ pointer: "/connection_id" }]);
  });
});

/** What happens between two polls. */
const event = fc.oneof(
  fc.record({ type: fc.constant("changes" as const), count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ type: fc.constantFrom("fails" as const, "poll" as const, "restart" as const) }),
);

it("polls every change of any log once and in order, whatever fails in between", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 8 }), async (happened) => {
      const lender = createLender();
      let isDown = false;
      const fetch: NonNullable<Options["fetch"]> = async (url, request) => {
        if (isDown) return new Response("down", { status: 503 });
        const { status, body } = lender.reply(url, request?.headers?.["authorization"]);
        return Response.json(body, { status });
      };
      const t = await open("https://lender.test/changes", { fetch });
      let stepwell = t.stepwell;
      const poll = async () => {
        await t.clock.advance("1h");
        const due = async () => {
          await t.clock.advance(1);
          return (await stepwell.triggers.polling(t.app, t.collection, t.id)).next_at ?? "";
        };
        await expect.poll(async () => Date.parse(await due()) > t.clock.now()).toBe(true);
      };
      for (const one of [...happened, { type: "poll" } as const]) {
        isDown = one.type === "fails";
        if (one.type === "changes") {
          for (let n = 0; n < one.count; n++) {
            const number = lender.log.length + 1;
            lender.log.push(change(number, `L-${number % 3}`, number));
          }
        } else if (one.type === "restart") {
          await stepwell.close();
          stepwell = t.start();
          await stepwell.ready();
        } else await poll();
      }
      // The last poll may have begun while the source was down.
      await until(async () => {
        await t.clock.advance("1m");
        return (await deliveriesOf(t, stepwell)).length >= lender.log.length;
      });
      const deliveries = await deliveriesOf(t, stepwell);
      expect(deliveries.map(({ event_id }) => event_id).sort()).toEqual(lender.log.map(({ id }) => id).sort());
      const last = new Map(lender.log.map(({ loan }) => [loan.number, `${loan.number}: ${loan.amount}`]));
      expect(await loansOf(t, stepwell)).toEqual([...last.values()].sort());
      await stepwell.close();
    }),
    { numRuns: 10 },
  );
});
