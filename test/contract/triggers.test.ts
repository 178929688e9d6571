/** The triggers of a collection, one by one. */
import { expect, it } from "vitest";
import { describeEachTransport, Refusal, type TestHost } from "../support/http/transports.ts";

const MAPPING = { type: "field", entity_path: "loan:amount", input_path: ["amount"], name: "Amount" };
const TRIGGER = { type: "webhook", name: "Events", config: { type: "webhook", mappings: [MAPPING] } };

/** Code and pointers of a refusal; empty if the call succeeds. */
async function refusal(call: Promise<unknown>): Promise<string[]> {
  try {
    await call;
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.code, ...error.errors.map(({ pointer }) => pointer)];
  }
}

describeEachTransport("triggers", (open) => {
  it("are the same as those of the collection", async () => {
    const { app, callApi } = await lending(open());
    const collection = (await callApi("collections.create", app, { name: "Loans", triggers: [TRIGGER] })).id;
    const added = await callApi("triggers.create", app, collection, { ...TRIGGER, name: "Added" });
    const [first, second] = (await callApi("collections.get", app, collection)).triggers;
    expect(second).toEqual(added);
    expect((await callApi("triggers.list", app, collection)).items).toEqual([first, added]);
    expect((await callApi("triggers.list", app, collection, { page: 2, take: 1 })).items).toEqual([added]);
    expect(await callApi("triggers.get", app, collection, added.id)).toEqual(added);

    const update = { name: "Changed", enabled: false };
    const changed = await callApi("triggers.update", app, collection, added.id, update);
    expect(changed).toEqual({ ...added, ...update });
    expect((await callApi("collections.get", app, collection)).triggers).toEqual([first, changed]);
    await callApi("triggers.remove", app, collection, first.id);
    expect((await callApi("collections.get", app, collection)).triggers).toEqual([changed]);
    expect(await refusal(callApi("triggers.get", app, collection, first.id))).toEqual(["not_found"]);
    expect(await refusal(callApi("triggers.deliveries", app, collection, first.id))).toEqual(["not_found"]);
  });

  it("are refused as in the collection, with pointers into the trigger", async () => {
    const { app, callApi } = await lending(open());
    const { id: collection, triggers } = await callApi("collections.create", app, { name: "x", triggers: [TRIGGER] });
    const create = (more: object) => refusal(callApi("triggers.create", app, collection, { ...TRIGGER, ...more }));
    const update = (more: object) => refusal(callApi("triggers.update", app, collection, triggers[0].id, more));
    expect(await create({ type: "unknown" })).toEqual(["invalid", "/type"]);
    expect(await update({ type: "unknown" })).toEqual(["invalid", "/type"]);
    expect(await update({ type: "loan_origination" })).toEqual(["invalid", "/config/type"]);
    expect(await update({ config: { type: "webhook" } })).toEqual(["invalid", "/config/mappings"]);
    expect(await update({ config: { ...TRIGGER.config, unknown: 1 } })).toEqual(["invalid", "/config/unknown"]);
    expect(await update({ connection_id: "con_1" })).toEqual(["invalid", "/connection_id"]);
    expect(await update({ connection_id: null })).toEqual([]);
    expect(await create({ id: "trig_1" })).toEqual(["invalid", "/id"]);
    await callApi("collections.remove", app, collection);
    expect(await create({})).toEqual(["not_found"]);
    expect(await update({ name: "x" })).toEqual(["not_found"]);
  });

  it("belong to their collection and app", async () => {
    const host = open();
    const { app, callApi } = await lending(host);
    const other = await host.app("Other");
    const { id: collection, triggers } = await callApi("collections.create", app, { name: "x", triggers: [TRIGGER] });
    const elsewhere = (await callApi("collections.create", app, { name: "y" })).id;
    const theirs = (await callApi("collections.create", other.id, { name: "z" })).id;
    const { id } = triggers[0];
    await callApi("triggers.test", app, collection, id, { data: { amount: 1 } });
    const [delivery] = (await callApi("triggers.deliveries", app, collection, id)).items;
    expect(await callApi("triggers.getDelivery", app, collection, id, delivery.id)).toMatchObject({ id: delivery.id });
    for (const [place, where] of [
      [app, elsewhere],
      [other.id, theirs],
      [other.id, collection],
    ] as const) {
      expect(await refusal(callApi("triggers.get", place, where, id))).toEqual(["not_found"]);
      expect(await refusal(callApi("triggers.update", place, where, id, { name: "x" }))).toEqual(["not_found"]);
      expect(await refusal(callApi("triggers.remove", place, where, id))).toEqual(["not_found"]);
      expect(await refusal(callApi("triggers.test", place, where, id, { data: {} }))).toEqual(["not_found"]);
      expect(await refusal(callApi("triggers.getDelivery", place, where, id, delivery.id))).toEqual(["not_found"]);
      expect(await refusal(callApi("triggers.redeliver", place, where, id, delivery.id))).toEqual(["not_found"]);
      const signature = { scheme: "github" };
      expect(await refusal(callApi("triggers.putSignature", place, where, id, signature))).toEqual(["not_found"]);
    }
    const unknown = `tdel_${"0".repeat(40)}`;
    expect(await refusal(callApi("triggers.getDelivery", app, collection, id, unknown))).toEqual(["not_found"]);
  });

  it("list their deliveries by status", async () => {
    const { app, callApi } = await lending(open());
    const { id: collection, triggers } = await callApi("collections.create", app, { name: "x", triggers: [TRIGGER] });
    const { id } = triggers[0];
    await callApi("triggers.test", app, collection, id, { data: { amount: 1 } });
    const list = async (query: object) => (await callApi("triggers.deliveries", app, collection, id, query)).items;
    await expect.poll(async () => (await list({ status: "created" })).length).toBe(1);
    expect(await list({ status: "failed" })).toEqual([]);
    expect(await refusal(list({ status: "unknown" }))).toEqual(["invalid", "/status"]);
  });
});

async function lending(host: TestHost) {
  return { app: (await host.app("Lending")).id, callApi: host.callApi };
}
