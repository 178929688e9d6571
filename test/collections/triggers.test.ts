/** Triggers: events become records, each once. */
import * as v from "valibot";
import { afterEach, describe, expect, it } from "vitest";
import { createStepwell, defineTrigger, type Options, type Stepwell } from "../../src/index.ts";

import { github, standard } from "../support/http/signing.ts";

const BASE = "https://stepwell.test/automation";
const opened: Stepwell[] = [];
afterEach(async () => {
  for (const stepwell of opened.splice(0)) await stepwell.close();
});

const MAPPINGS = [
  { type: "key", entity_path: "loan:number", input_path: ["loan", "number"], name: "Number" },
  { type: "field", entity_path: "loan:amount", input_path: ["loan", "fields", "1109"], name: "Amount" },
  { type: "field", entity_path: "borrower:name", input_path: ["borrowers", "0", "name"], name: "Borrower" },
];

interface Given {
  readonly type?: string;
  readonly config?: object;
  readonly more?: object;
  readonly options?: Partial<Options>;
}

/** A collection with a trigger, and its address. */
async function open({ type = "loan_origination", config = {}, more = {}, options = {} }: Given = {}) {
  const stepwell = createStepwell({ baseUrl: BASE, ...options });
  opened.push(stepwell);
  const app = (await stepwell.apps.create({ name: "Lending" })).id;
  const collection = await stepwell.collections.create(app, {
    name: "Loans",
    triggers: [{ type, name: "Loans", config: { type, mappings: MAPPINGS, ...config } }],
    ...more,
  });
  const id = collection.triggers[0]?.id ?? "";
  const send = async (body: unknown, headers: Record<string, string> = {}, to = id) => {
    const response = await stepwell.fetch(
      new Request(`${BASE}/public/apps/triggers/${to}/events`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    );
    return { status: response.status, body: await response.json() };
  };
  const deliveries = async () => (await stepwell.triggers.deliveries(app, collection.id, id)).items;
  /** The outcome of each delivery, oldest first, when none is pending. */
  const outcomes = async () => {
    await expect.poll(async () => (await deliveries()).some(({ status }) => status === "pending")).toBe(false);
    return (await deliveries()).map(({ status }) => status).sort();
  };
  const records = async () => (await stepwell.records.list(app, collection.id)).items;
  return { stepwell, app, collection, id, send, deliveries, outcomes, records };
}

const loan = (id: string, number: string, amount: number, more: object = {}) => ({
  id,
  loan: { number, fields: { "1109": amount } },
  borrowers: [{ name: "Ada" }],
  ...more,
});

/** The stored trigger, as an update takes it. */
async function kept({ stepwell, app, collection }: Awaited<ReturnType<typeof open>>) {
  const [trigger] = (await stepwell.collections.get(app, collection.id)).triggers;
  if (trigger === undefined) throw new Error("no trigger");
  const { collection_id: _, created_at: __, updated_at: ___, ...rest } = trigger;
  return rest;
}

describe("an event of a trigger", () => {
  it("creates a record by the mappings, and updates it when it comes again with another id", async () => {
    const t = await open();
    expect(await t.send(loan("e1", "L-1", 100))).toEqual({
      status: 202,
      body: { deliveries: [{ id: expect.stringMatching(/^tdel_[0-9a-f]{40}$/), event_id: "e1" }] },
    });
    expect(await t.outcomes()).toEqual(["created"]);
    await t.send(loan("e2", "L-1", 200));
    await t.send(loan("e3", "L-1", 200));
    expect(await t.outcomes()).toEqual(["created", "unchanged", "updated"]);
    const records = await t.records();
    expect(records.map(({ data }) => data)).toEqual([
      { loan: { number: "L-1", amount: 200 }, borrower: { name: "Ada" } },
    ]);
    expect((await t.deliveries()).map(({ record_id }) => record_id)).toEqual(Array(3).fill(records[0]?.id));
  });

  it("is handled once, however often it comes", async () => {
    const t = await open();
    const sent = await Promise.all(Array.from({ length: 20 }, (_, index) => t.send(loan("same", `L-${index}`, index))));
    expect(new Set(sent.map(({ body }) => body.deliveries[0].id)).size).toBe(1);
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([202]));
    expect(await t.outcomes()).toEqual(["created"]);
    expect(await t.records()).toHaveLength(1);
  });

  it("applies the mappings and rules of the collection like any write", async () => {
    const config = { mappings: [{ source_path: "loan:amount", destination_paths: ["summary:amount"] }] };
    const t = await open({ more: { config } });
    await t.send(loan("e1", "L-1", 100));
    await t.outcomes();
    expect((await t.records())[0]?.data).toMatchObject({ summary: { amount: 100 } });
  });

  it("is filtered by milestones and folders", async () => {
    const t = await open({ config: { pull_on_millestones: ["Submittal"], pull_on_folders: ["Active"] } });
    await t.send(loan("e1", "L-1", 1, { milestone: "Submittal", folder: "Active" }));
    await t.send(loan("e2", "L-2", 1, { milestone: "Submittal", folder: "Archive" }));
    await t.send(loan("e3", "L-3", 1, { milestone: "Funding", folder: "Active" }));
    await t.send(loan("e4", "L-4", 1));
    expect(await t.outcomes()).toEqual(["created", "filtered", "filtered", "filtered"]);
    expect((await t.records()).map(({ data }) => data["loan"]?.["number"])).toEqual(["L-1"]);
  });

  it("creates a new record each time if no mapping is the key", async () => {
    const t = await open({ config: { mappings: MAPPINGS.slice(1) } });
    await t.send(loan("e1", "L-1", 1));
    await t.send(loan("e2", "L-1", 1));
    expect(await t.outcomes()).toEqual(["created", "created"]);
    expect(await t.records()).toHaveLength(2);
  });

  it.each(["Key", "FILE"])(
    "has no mapping of the kind %s, which would only look like one that has an effect",
    async (type) => {
      const mappings = [{ type, entity_path: "loan:number", input_path: ["loan", "number"], name: "Number" }];
      const message = `/triggers/0/config/mappings/0/type: Must be "${type.toLowerCase()}", in lower case.`;
      await expect(open({ config: { mappings } })).rejects.toMatchObject({ code: "invalid", message });
    },
  );

  it("comes in a list of up to 100", async () => {
    const t = await open();
    const events = Array.from({ length: 100 }, (_, index) => loan(`e${index}`, "L-1", index));
    const { status, body } = await t.send({ events });
    expect(status).toBe(202);
    expect(body.deliveries.map(({ event_id }: { event_id: string }) => event_id)).toEqual(events.map(({ id }) => id));
    await t.outcomes();
    // In the order of the list.
    expect((await t.records()).map(({ data }) => data["loan"]?.["amount"])).toEqual([99]);
    expect(await t.send({ events: [...events, loan("e100", "L-1", 1)] })).toMatchObject({ status: 422 });
  });

  it("says that it has no value for any mapped field", async () => {
    const mappings = MAPPINGS.filter(({ type }) => type === "field");
    const t = await open({ config: { mappings } });
    await t.send({ id: "e1", other: { number: "L-1" } });
    expect(await t.outcomes()).toEqual(["created"]);
    expect((await t.deliveries()).map(({ reason }) => reason)).toEqual([
      {
        code: "nothing_mapped",
        message: "The event has no value at any input_path of the mappings, so no field was written.",
      },
    ]);
    await t.send(loan("e2", "L-2", 1));
    expect(await t.outcomes()).toEqual(["created", "created"]);
    expect((await t.deliveries()).map(({ reason }) => reason?.code)).toEqual([undefined, "nothing_mapped"]);
  });

  it("is found by a key alone without anything to say", async () => {
    const t = await open({ config: { mappings: MAPPINGS.filter(({ type }) => type === "key") } });
    await t.send(loan("e1", "L-1", 1));
    expect(await t.outcomes()).toEqual(["created"]);
    expect((await t.deliveries())[0]?.reason).toBeNull();
  });

  it("fails with the reason if it has no value of the key, or no record can have its values", async () => {
    const t = await open();
    await t.send({ id: "e1", loan: {} });
    await t.send({ id: "e2", loan: { number: ["L-1"] } });
    await t.send({ id: "e3", loan: { number: null } });
    expect(await t.outcomes()).toEqual(["failed", "failed", "failed"]);
    expect((await t.deliveries()).map(({ reason }) => reason?.code)).toEqual(["invalid", "invalid", "invalid"]);
    expect(await t.records()).toEqual([]);
  });

  it("is handled again with the current settings of the trigger when it is redelivered", async () => {
    const t = await open({ config: { pull_on_folders: ["Active"] } });
    await t.send(loan("e1", "L-1", 1, { folder: "Archive" }));
    expect(await t.outcomes()).toEqual(["filtered"]);
    const stored = await kept(t);
    const triggers = [{ ...stored, config: { ...stored.config, pull_on_folders: ["Archive"] } }];
    await t.stepwell.collections.update(t.app, t.collection.id, { triggers });
    const [delivery] = await t.deliveries();
    const again = await t.stepwell.triggers.redeliver(t.app, t.collection.id, t.id, delivery?.id ?? "");
    expect(again).toMatchObject({ status: "pending", attempts: 0 });
    expect(await t.outcomes()).toEqual(["created"]);
  });
});

describe("POST /public/apps/triggers/{trigger_id}/events", () => {
  it("refuses what is no event, and stores nothing", async () => {
    const t = await open();
    for (const [body, status] of [
      ["{", 400],
      ["\u0000", 400],
      [`{"__proto__": 1, "id": "a"}`, 400],
      [`${"[".repeat(100_000)}`, 400],
      [[], 422],
      [{ loan: {} }, 422],
      [{ id: "" }, 422],
      [{ id: "x".repeat(1_025) }, 422],
      [{ id: 1 }, 422],
      [{ id: "a", milestone: 1 }, 422],
      [{ events: [{ id: "a" }, 1] }, 422],
      [`{"id":"a","x":"${"x".repeat(1024 * 1024)}"}`, 413],
    ] as const) {
      expect((await t.send(body)).status, JSON.stringify(body).slice(0, 50)).toBe(status);
    }
    expect(await t.deliveries()).toEqual([]);
  });

  it("responds in the same way for triggers that are unknown, disabled or deleted", async () => {
    const t = await open();
    const unknown = await t.send(loan("e1", "L-1", 1), {}, "trig_00000000000000000000000000");
    expect(unknown.status).toBe(404);
    const refused = async () => {
      const { status, body } = await t.send(loan("e1", "L-1", 1));
      expect({ status, detail: body.detail }).toEqual({ status: 404, detail: unknown.body.detail });
    };
    await t.stepwell.collections.update(t.app, t.collection.id, { triggers: [{ ...(await kept(t)), enabled: false }] });
    await refused();
    expect(await t.deliveries()).toEqual([]);
    await t.stepwell.collections.update(t.app, t.collection.id, { triggers: [] });
    await refused();
    await t.stepwell.collections.update(t.app, t.collection.id, { triggers: [] });
    const other = await open();
    await other.stepwell.collections.remove(other.app, other.collection.id);
    expect((await other.send(loan("e1", "L-1", 1))).status).toBe(404);
    const gone = await open();
    await gone.stepwell.apps.remove(gone.app);
    expect((await gone.send(loan("e1", "L-1", 1))).status).toBe(404);
  });
});

describe("a test of a trigger", () => {
  it("delivers data, or the sample of the type, as an event of its own", async () => {
    const type = defineTrigger({
      name: "sampled",
      config: v.object({}),
      receive: () => [],
      test: () => ({ data: { loan: { number: "L-1", fields: { "1109": 5 } } } }),
    });
    const t = await open({ type: "sampled", options: { triggers: [type] } });
    const test = (input?: object) => t.stepwell.triggers.test(t.app, t.collection.id, t.id, input);
    expect(await test()).toMatchObject({ status: "pending", event_id: expect.stringMatching(/^test_/) });
    expect(await t.outcomes()).toEqual(["created"]);
    await test({ data: { loan: { number: "L-1", fields: { "1109": 6 } } } });
    expect(await t.outcomes()).toEqual(["created", "updated"]);
    await t.stepwell.triggers.update(t.app, t.collection.id, t.id, { enabled: false });
    await expect(test()).rejects.toMatchObject({ code: "conflict" });
    const other = await open();
    const refused = other.stepwell.triggers.test(other.app, other.collection.id, other.id);
    await expect(refused).rejects.toMatchObject({ code: "invalid", errors: [{ pointer: "/data" }] });
  });
});

describe("a signature of a trigger", () => {
  const SECRET = "s".repeat(40);
  const now = Date.parse("2026-03-01T12:00:00Z");
  const seconds = now / 1_000;

  async function signed(scheme: "standard-webhooks" | "github" = "standard-webhooks") {
    const clock = { now: () => now, after: () => () => undefined };
    const t = await open({ options: { secret: SECRET, clock } });
    const { secret, ...shown } = await t.stepwell.triggers.putSignature(t.app, t.collection.id, t.id, { scheme });
    expect(shown).toMatchObject({ trigger_id: t.id, url: `${BASE}/public/apps/triggers/${t.id}/events` });
    expect(await t.stepwell.triggers.getSignature(t.app, t.collection.id, t.id)).toEqual(shown);
    return { ...t, secret: secret ?? "" };
  }

  it("refuses events that are unsigned, wrongly signed or old, and stores nothing", async () => {
    const t = await signed();
    const body = JSON.stringify(loan("e1", "L-1", 1));
    const other = JSON.stringify(loan("e2", "L-2", 2));
    for (const headers of [
      {},
      standard(`whsec_${"A".repeat(44)}`, body, seconds),
      standard(t.secret, other, seconds),
      standard(t.secret, body, seconds - 301),
      standard(t.secret, body, seconds + 301),
      { ...standard(t.secret, body, seconds), "webhook-id": "another" },
    ]) {
      expect(await t.send(body, headers)).toMatchObject({ status: 401, body: { code: "signature_mismatch" } });
    }
    expect(await t.deliveries()).toEqual([]);
    expect((await t.send(body, standard(t.secret, body, seconds))).status).toBe(202);
    // A replay is the same event.
    expect((await t.send(body, standard(t.secret, body, seconds))).status).toBe(202);
    expect(await t.outcomes()).toEqual(["created"]);
  });

  it("can be rotated and removed", async () => {
    const t = await signed("github");
    const body = JSON.stringify(loan("e1", "L-1", 1));
    const at = [t.app, t.collection.id, t.id] as const;
    await t.stepwell.triggers.putSignature(...at, { scheme: "github", secret: "a new secret" });
    expect((await t.send(body, github(t.secret, body))).status).toBe(202);
    await t.stepwell.triggers.putSignature(...at, { scheme: "github", secret: "a newer secret", overlap: 0 });
    expect((await t.send(body, github(t.secret, body))).status).toBe(401);
    expect((await t.send(body, github("a newer secret", body))).status).toBe(202);
    await t.stepwell.triggers.removeSignature(...at);
    expect((await t.send(body)).status).toBe(202);
    expect((await t.stepwell.triggers.getSignature(...at)).signature).toBeNull();
  });

  it("survives changes of the trigger, and belongs to its app", async () => {
    const t = await signed("github");
    await t.stepwell.collections.update(t.app, t.collection.id, { triggers: [await kept(t)] });
    expect((await t.send(loan("e1", "L-1", 1))).status).toBe(401);
    const other = (await t.stepwell.apps.create({ name: "Other" })).id;
    const elsewhere = (await t.stepwell.collections.create(t.app, { name: "Other" })).id;
    for (const [app, collection] of [
      [other, t.collection.id],
      [t.app, elsewhere],
    ] as const) {
      const refused = { code: "not_found" };
      await expect(t.stepwell.triggers.removeSignature(app, collection, t.id)).rejects.toMatchObject(refused);
      await expect(t.stepwell.triggers.getSignature(app, collection, t.id)).rejects.toMatchObject(refused);
      await expect(t.stepwell.triggers.deliveries(app, collection, t.id)).rejects.toMatchObject(refused);
    }
  });
});

describe("the type webhook", () => {
  it("takes any JSON, with the id at a path", async () => {
    const mappings = [{ type: "key", entity_path: "order:id", input_path: ["order", "id"], name: "Order" }];
    const t = await open({
      type: "webhook",
      config: { mappings, id_path: ["event"], milestone_path: ["state"], pull_on_millestones: ["paid"] },
    });
    await t.send({ event: 1, order: { id: 7 }, state: "paid" });
    await t.send({ event: 1, order: { id: 8 }, state: "paid" });
    await t.send({ event: 2, order: { id: 9 }, state: "new" });
    expect(await t.outcomes()).toEqual(["created", "filtered"]);
    expect((await t.records()).map(({ data }) => data)).toEqual([{ order: { id: 7 } }]);
    expect((await t.send({ order: { id: 7 } })).status).toBe(422);
  });

  it("takes the id of the request, and without one each request is an event", async () => {
    const mappings = [{ type: "field", entity_path: "a:b", input_path: ["body"], name: "Body" }];
    const t = await open({ type: "webhook", config: { mappings } });
    await t.send(1, { "webhook-id": "same" });
    await t.send(2, { "webhook-id": "same" });
    await t.send(3);
    await t.send(3);
    expect(await t.outcomes()).toEqual(["created", "created", "created"]);
    expect((await t.records()).map(({ data }) => data["a"]?.["b"]).sort()).toEqual([1, 3, 3]);
  });
});

describe("a type of defineTrigger", () => {
  const shipments = defineTrigger({
    name: "shipments",
    config: v.strictObject({ depot: v.string() }),
    connection: v.object({ token: v.string() }),
    receive(request, { config, connection, app_id }) {
      const { number } = v.parse(v.object({ number: v.string() }), request.json());
      return [{ id: number, data: { number, depot: config.depot, token: connection.token, app_id } }];
    },
  });

  it("gets its settings and the credentials of its connection", async () => {
    const stepwell = createStepwell({ baseUrl: BASE, secret: "s".repeat(40), triggers: [shipments] });
    opened.push(stepwell);
    const app = (await stepwell.apps.create({ name: "Depot" })).id;
    const account = { name: "Account", service: "shipments", credentials: { token: "hidden" } };
    const { id: connection_id } = await stepwell.connections.create(app, account);
    const mappings = ["number", "depot", "token", "app_id"].map((name) => ({
      ...{ type: "field", entity_path: `shipment:${name}`, input_path: [name], name },
    }));
    const config = { type: "shipments", mappings, depot: "North" };
    const { id, triggers } = await stepwell.collections.create(app, {
      name: "Shipments",
      triggers: [{ type: "shipments", name: "Shipments", config, connection_id }],
    });
    const url = `${BASE}/public/apps/triggers/${triggers[0]?.id}/events`;
    const send = () => stepwell.fetch(new Request(url, { method: "POST", body: '{"number":"1"}' }));
    expect((await send()).status).toBe(202);
    await expect
      .poll(async () => (await stepwell.records.list(app, id)).items[0]?.data)
      .toEqual({
        shipment: { number: "1", depot: "North", token: "hidden", app_id: app },
      });
    await stepwell.connections.remove(app, connection_id, { force: true });
    const unconnected = await send();
    expect(unconnected.status).toBe(404); // the deletion disabled it
    expect(await unconnected.text()).not.toContain(connection_id);
    // It can be renamed and disabled, but neither enabled nor changed until it has a connection.
    const update = (change: object) => stepwell.triggers.update(app, id, triggers[0]?.id ?? "", change);
    expect(await update({ name: "Old", enabled: false })).toMatchObject({ name: "Old", enabled: false, connection_id });
    const refused = { code: "invalid", errors: [{ pointer: "/connection_id" }] };
    await expect(update({ enabled: true })).rejects.toMatchObject(refused);
    await expect(update({ config: { ...config, depot: "South" } })).rejects.toMatchObject(refused);
  });

  it("refuses what its schema refuses", async () => {
    const type = defineTrigger({
      name: "numbers",
      config: v.object({}),
      receive: (request) => [{ id: request.id, data: v.parse(v.object({ number: v.number() }), request.json()) }],
    });
    const t = await open({ type: "numbers", options: { triggers: [type] } });
    expect(await t.send({ number: "x" })).toMatchObject({ status: 422, body: { code: "invalid" } });
    expect((await t.send({ number: 1 })).status).toBe(202);
  });

  it("is refused if it is no type, has an unknown field, or another has its name", () => {
    const config = v.object({});
    const receive = () => [];
    expect(() => defineTrigger({ name: "a b", config, receive })).toThrow(TypeError);
    const misspelled: object = { name: "own", config, receive, conection: config };
    expect(() => Reflect.apply(defineTrigger, undefined, [misspelled])).toThrow(
      new TypeError('The trigger type "own" has an unknown field "conection". Did you mean "connection"?'),
    );
    expect(() => createStepwell({ triggers: [shipments, shipments] })).toThrow("two trigger types");
    const builtIn = defineTrigger({ name: "webhook", config, receive });
    expect(() => createStepwell({ triggers: [builtIn] })).toThrow("already a built-in trigger type");
  });
});
