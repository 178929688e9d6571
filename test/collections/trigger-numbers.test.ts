/** Numbers in events that a double cannot represent: two of them must never count as the same id or key. */
import { afterEach, describe, expect, it } from "vitest";
import { createStepwell, type Stepwell } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { silent } from "../support/storage/open.ts";

const BASE = "https://stepwell.test/automation";
const opened: Stepwell[] = [];
afterEach(async () => {
  for (const stepwell of opened.splice(0)) await stepwell.close();
});

const KEY = { type: "key", entity_path: "a:no", input_path: ["loan", "no"], name: "Number" };
const FIELD = { type: "field", entity_path: "a:x", input_path: ["x"], name: "X" };

async function open(type: string, config: object, items = "[]") {
  const clock = createTestClock();
  const fetch = async () => new Response(items, { headers: { "content-type": "application/json" } });
  const stepwell = createStepwell({ baseUrl: BASE, clock, fetch, logger: silent });
  opened.push(stepwell);
  const app = (await stepwell.apps.create({ name: "Lending" })).id;
  const collection = (await stepwell.collections.create(app, { name: "Loans" })).id;
  const trigger = { type, name: "Loans", config: { type, ...config } };
  const { id } = await stepwell.triggers.create(app, collection, trigger);
  const send = async (body: string) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    const response = await stepwell.fetch(new Request(`${BASE}/public/apps/triggers/${id}/events`, init));
    return { status: response.status, body: await response.json() };
  };
  const deliveries = async () => (await stepwell.triggers.deliveries(app, collection, id)).items;
  const ended = async () => {
    await expect.poll(async () => (await deliveries()).some(({ status }) => status === "pending")).toBe(false);
    return deliveries();
  };
  const polling = () => stepwell.triggers.polling(app, collection, id);
  return { send, deliveries, ended, clock, polling };
}

const AS_TEXT = expect.stringContaining("Send it as a string");

describe("a number with more digits than a double represents", () => {
  it.each(["9007199254740992", "1357924680135792468", "-1357924680135792468", "1e300"])(
    "is refused as the id of an event: %s",
    async (id) => {
      const t = await open("webhook", { id_path: ["meta", "id"], mappings: [FIELD] });
      expect(await t.send(`{"meta":{"id":${id}},"x":1}`)).toMatchObject({
        ...{ status: 422, body: { errors: [{ pointer: "/meta/id", message: AS_TEXT }] } },
      });
      expect(await t.deliveries()).toEqual([]);
      expect(await t.send(`{"meta":{"id":"${id}"},"x":1}`)).toMatchObject({ status: 202 });
      expect(await t.ended()).toMatchObject([{ event_id: id, status: "created" }]);
    },
  );

  it("is refused at its place in a body that is a list", async () => {
    const t = await open("webhook", { id_path: ["body", "0", "id"], mappings: [FIELD] });
    const { status, body } = await t.send('[{"id":1357924680135792468}]');
    expect([status, body.errors[0].pointer]).toEqual([422, "/0/id"]);
  });

  it("is refused as the value of a key, unless a filter excludes the event", async () => {
    const t = await open("loan_origination", { pull_on_folders: ["mine"], mappings: [KEY, FIELD] });
    const event = (id: string, no: string, folder = "mine") =>
      JSON.stringify({ id, folder, x: 1, loan: { no: "NO" } }).replace('"NO"', no);
    const refused = await t.send(event("e1", "1357924680135792468"));
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: "/loan/no", message: AS_TEXT }] } });
    const batch = await t.send(`{"events":[${event("e2", "5")},${event("e3", "1357924680135792468")}]}`);
    expect(batch).toMatchObject({ status: 422, body: { errors: [{ message: expect.stringContaining('"e3"') }] } });
    expect(await t.deliveries()).toEqual([]);
    expect((await t.send(event("e4", "1357924680135792468", "other"))).status).toBe(202);
    expect((await t.send(event("e5", "9007199254740991"))).status).toBe(202);
    expect((await t.send(event("e6", '"1357924680135792468"'))).status).toBe(202);
    expect((await t.ended()).map(({ status }) => status).sort()).toEqual(["created", "created", "filtered"]);
  });

  it("fails the poll as an id, and the item as a key", async () => {
    const paths = { url: "https://items.test/new", mappings: [KEY, FIELD] };
    const items = '[{"id":1357924680135792468,"loan":{"no":1357924680135792468},"x":1}]';
    const byId = await open("poll", { ...paths, id_path: ["id"] }, items);
    await byId.clock.advance(1);
    await expect.poll(async () => (await byId.polling()).error?.message).toEqual(AS_TEXT);
    expect(await byId.deliveries()).toEqual([]);
    const byKey = await open("poll", { ...paths, id_path: ["x"] }, items);
    await byKey.clock.advance(1);
    await expect.poll(async () => (await byKey.deliveries()).length).toBe(1);
    expect(await byKey.ended()).toMatchObject([{ status: "failed", reason: { message: AS_TEXT } }]);
  });
});
