/** Triggers of a cluster: events are handled once, in the order of their arrival anywhere, and sources are polled once. */
import { afterEach, describe, expect, it } from "vitest";
import type { GuardedFetch } from "../../src/ports/fetch.ts";
import { openProcesses, type Process, type Processes } from "../support/cluster/processes.ts";

let processes: Processes;
afterEach(() => processes.close());

const MAPPINGS = [
  { type: "key", entity_path: "item:id", input_path: ["id"], name: "Id" },
  { type: "field", entity_path: "item:state", input_path: ["state"], name: "State" },
];
const WEBHOOK = { type: "webhook", name: "Items", config: { type: "webhook", mappings: MAPPINGS, id_path: ["event"] } };
const POLL = {
  type: "poll",
  name: "Items",
  config: { type: "poll", mappings: MAPPINGS, url: "https://items.test/new", items_path: ["items"], id_path: ["id"] },
};

async function open(trigger: object, fetchOf: (process: string) => GuardedFetch = () => () => Promise.reject()) {
  processes = openProcesses();
  const start = (name: string, work = true) => processes.start(name, { work, fetch: fetchOf(name) });
  const keeper = await start("keeper");
  const [web, other] = [await start("web", false), await start("other")];
  const app = (await web.stepwell.apps.create({ name: "Shop" })).id;
  const collection = (await web.stepwell.collections.create(app, { name: "Items" })).id;
  const { id } = await web.stepwell.triggers.create(app, collection, trigger as never);
  const send = async ({ stepwell }: Process, event: string, item: object) => {
    const url = `http://localhost/public/apps/triggers/${id}/events`;
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ event, ...item });
    const { status } = await stepwell.fetch(new Request(url, { method: "POST", headers, body }));
    expect(status).toBe(202);
  };
  const deliveries = async () => (await other.stepwell.triggers.deliveries(app, collection, id, {})).items;
  const handled = async (count: number) => {
    const all = await deliveries();
    return all.length === count && all.every(({ status }) => status !== "pending");
  };
  const states = async () =>
    (await other.stepwell.records.list(app, collection)).items.map(({ data }) => data["item"]?.["state"]);
  const change = (enabled: boolean) => web.stepwell.triggers.update(app, collection, id, { enabled });
  return { keeper, web, other, app, collection, id, send, deliveries, handled, states, change };
}

describe("events of a trigger", () => {
  it.each([false, true])(
    "are handled in the order of their arrival in all processes (messages are lost: %s)",
    async (losesMessages) => {
      const t = await open(WEBHOOK);
      processes.queue.losesMessages = losesMessages;
      const senders = [t.web, t.other, t.keeper];
      for (let state = 1; state <= 12; state++) {
        await t.send(senders[state % 3] as Process, String(state), { id: "a", state });
        await processes.clock.advance(1);
      }
      await processes.until(() => t.handled(12));
      expect(await t.states()).toEqual([12]);
      expect((await t.deliveries()).map(({ status }) => status)).toEqual([...Array(11).fill("updated"), "created"]);
    },
  );

  it("are handled by another process if the keeper has died", async () => {
    const t = await open(WEBHOOK);
    t.keeper.kill();
    for (let state = 1; state <= 3; state++) await t.send(t.web, String(state), { id: String(state), state });
    await processes.until(() => t.handled(3));
    expect((await t.states()).sort()).toEqual([1, 2, 3]);
  });

  it("wait while the trigger is disabled, and are handled when any process enables it", async () => {
    const t = await open(WEBHOOK);
    await t.send(t.web, "1", { id: "a", state: 1 });
    await processes.until(() => t.handled(1));
    await t.change(false);
    const id = (await t.deliveries())[0]?.id ?? "";
    await t.web.stepwell.triggers.redeliver(t.app, t.collection, t.id, id);
    const reason = async () => (await t.deliveries())[0]?.reason?.code;
    await processes.until(async () => (await reason()) === "disabled");
    await t.change(true);
    // Sooner than the pause of a disabled trigger.
    await processes.clock.advance("2s");
    expect(await t.handled(1)).toBe(true);
  });

  it("are handled again when another process asks for it", async () => {
    const t = await open(WEBHOOK);
    await t.send(t.web, "1", { id: "a", state: 1 });
    await processes.until(() => t.handled(1));
    const id = (await t.deliveries())[0]?.id ?? "";
    await t.web.stepwell.triggers.redeliver(t.app, t.collection, t.id, id);
    await processes.until(() => t.handled(1));
    expect((await t.deliveries())[0]).toMatchObject({ status: "unchanged", attempts: 1 });
  });
});

describe("a source that is polled", () => {
  it("is asked by one process at a time, and by another one when that has died", async () => {
    const asked: string[] = [];
    let answers: (() => void)[] = [];
    const fetchOf =
      (process: string): GuardedFetch =>
      async () => {
        asked.push(process);
        await new Promise<void>((resolve) => answers.push(resolve));
        return Response.json({ items: [{ id: `i${asked.length}`, state: 1 }] });
      };
    const t = await open(POLL, fetchOf);
    await processes.until(() => asked.length === 1);
    // A slow source: nobody else asks it meanwhile.
    await processes.clock.advance("40s");
    expect(asked).toEqual(["keeper"]);
    for (const answer of answers.splice(0)) answer();
    await processes.until(() => t.handled(1));
    await processes.until(() => asked.length === 2);
    expect(asked).toEqual(["keeper", "keeper"]);
    t.keeper.kill();
    answers = [];
    await processes.until(() => asked.length === 3);
    expect(asked[2]).toBe("other");
    for (const answer of answers) answer();
    await processes.until(() => t.handled(2));
  });
});
