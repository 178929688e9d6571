/** Webhooks of a cluster: every event reaches the webhooks of its app once, whichever processes take part. */
import { afterEach, describe, expect, it } from "vitest";
import type { GuardedFetch } from "../../src/ports/fetch.ts";
import { openProcesses, type Process, type Processes } from "../support/cluster/processes.ts";

let processes: Processes;
afterEach(() => processes.close());

/** Receives requests of all processes. */
function receiver() {
  const received: string[] = [];
  const fetchOf =
    (process: string): GuardedFetch =>
    async (_, request) => {
      const body = request?.body;
      const { type } = JSON.parse(body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body));
      received.push(`${process} ${type}`);
      return new Response(null, { status: 204 });
    };
  return { received, fetchOf };
}

async function open(losesMessages = false) {
  processes = openProcesses();
  processes.queue.losesMessages = losesMessages;
  const { received, fetchOf } = receiver();
  const keeper = await processes.start("keeper", { fetch: fetchOf("keeper") });
  const one = await processes.start("one", { work: false, fetch: fetchOf("one") });
  const two = await processes.start("two", { fetch: fetchOf("two") });
  const app = (await keeper.stepwell.apps.create({ name: "Shop" })).id;
  const collection = (await keeper.stepwell.collections.create(app, { name: "Orders" })).id;
  const subscribe = ({ stepwell }: Process) =>
    stepwell.webhooks.create(app, { url: "https://receiver.test/", events: ["record.created"] });
  const write = ({ stepwell }: Process) => stepwell.records.create(app, collection, { data: {} });
  return { keeper, one, two, app, received, subscribe, write };
}

/** Long enough for everything to be sent, and to be sent again. */
const settle = () => processes.clock.advance("5m");

describe.each([false, true])("an event (messages are lost: %s)", (losesMessages) => {
  it("is delivered once, by the keeper, to a webhook that another process has created", async () => {
    const t = await open(losesMessages);
    // All processes know that the app has no webhooks.
    for (const process of [t.keeper, t.one, t.two]) await t.write(process);
    await t.subscribe(t.one);
    await t.write(t.two);
    await t.write(t.one);
    await t.write(t.keeper);
    await settle();
    expect(t.received).toEqual(Array(3).fill("keeper record.created"));
  });

  it("is not stored for a webhook that another process has turned off or deleted", async () => {
    const t = await open(losesMessages);
    const [first, second] = [await t.subscribe(t.one), await t.subscribe(t.two)];
    await t.write(t.keeper);
    await settle();
    expect(t.received).toHaveLength(2);
    await t.two.stepwell.webhooks.update(t.app, first.id, { enabled: false });
    await t.one.stepwell.webhooks.remove(t.app, second.id);
    await t.write(t.two);
    await t.write(t.keeper);
    await settle();
    expect(t.received).toHaveLength(2);
    await t.two.stepwell.webhooks.update(t.app, first.id, { enabled: true });
    await t.write(t.one);
    await settle();
    expect(t.received).toHaveLength(3);
  });
});

describe("the keeper of webhooks", () => {
  it("that dies during a request is replaced, and the event is sent again", async () => {
    processes = openProcesses();
    const { received, fetchOf } = receiver();
    let isAsked = false;
    const hangs: GuardedFetch = () => {
      isAsked = true;
      return new Promise(() => undefined);
    };
    const keeper = await processes.start("keeper", { fetch: hangs });
    const next = await processes.start("next", { fetch: fetchOf("next") });
    const app = (await next.stepwell.apps.create({ name: "Shop" })).id;
    await next.stepwell.webhooks.create(app, { url: "https://receiver.test/", events: ["record.created"] });
    const collection = (await next.stepwell.collections.create(app, { name: "Orders" })).id;
    await next.stepwell.records.create(app, collection, { data: {} });
    await processes.until(() => isAsked);
    keeper.kill();
    await processes.until(() => received.length > 0);
    await settle();
    expect(received).toEqual(["next record.created"]);
  });

  it("sends a delivery again that another process asks for", async () => {
    const t = await open();
    const { id } = await t.subscribe(t.one);
    await t.write(t.two);
    await processes.until(() => t.received.length === 1);
    const { webhooks } = t.one.stepwell;
    const delivered = async () => (await webhooks.deliveries(t.app, id, {})).items[0];
    await processes.until(async () => (await delivered())?.status === "delivered");
    await webhooks.redeliver(t.app, id, (await delivered())?.id ?? "");
    await processes.until(() => t.received.length === 2);
    expect(t.received[1]).toBe("keeper record.created");
  });
});
