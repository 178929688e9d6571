/** Requests to the address of a trigger that are refused change nothing in the whole storage. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createStepwell, type Stepwell } from "../../src/index.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { github, standard } from "../support/http/signing.ts";
import { countingDriver } from "../support/storage/counting.ts";
import { silent } from "../support/storage/open.ts";

const BASE = "https://stepwell.test/automation";
const NOW = Date.parse("2026-03-01T12:00:00Z");
const SECONDS = NOW / 1_000;
const MAPPINGS = [{ type: "field", entity_path: "loan:amount", input_path: ["amount"], name: "Amount" }];
const BODY = JSON.stringify({ id: "e1", amount: 7 });

const { driver, stored, writes } = countingDriver();
let stepwell: Stepwell;

/** An app with a trigger. @returns Its id and its secret. */
async function openTrigger(scheme: "standard-webhooks" | "github") {
  const app = (await stepwell.apps.create({ name: "Lending" })).id;
  const given = { type: "loan_origination", config: { type: "loan_origination", mappings: MAPPINGS } };
  const { id: collection, triggers } = await stepwell.collections.create(app, {
    name: "Loans",
    triggers: ["Signed", "Disabled"].map((name) => ({ ...given, name, enabled: name === "Signed" })),
  });
  const [id = "", disabled = ""] = triggers.map((trigger) => trigger.id);
  const { secret = "" } = await stepwell.triggers.putSignature(app, collection, id, { scheme });
  return { app, collection, id, disabled, secret };
}

let mine: Awaited<ReturnType<typeof openTrigger>>;
let other: Awaited<ReturnType<typeof openTrigger>>;
beforeAll(async () => {
  const clock = { now: () => NOW, after: () => () => undefined };
  const storage = { entities: driver };
  stepwell = createStepwell({ baseUrl: BASE, secret: "s".repeat(40), logger: silent, clock, storage });
  mine = await openTrigger("standard-webhooks");
  other = await openTrigger("standard-webhooks");
});
afterAll(() => stepwell.close());

async function send(id: string, body: string, headers: Record<string, string>): Promise<number> {
  const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
  const response = await stepwell.fetch(new Request(`${BASE}/public/apps/triggers/${id}/events`, init));
  await response.text();
  // What a refused request started would be done by then.
  await turnEventLoop();
  return response.status;
}

const right = (body = BODY) => standard(mine.secret, body, SECONDS);

it.each<[string, number, () => Promise<number>]>([
  ["without a signature", 401, () => send(mine.id, BODY, {})],
  ["signed with an unknown secret", 401, () => send(mine.id, BODY, standard(`whsec_${"A".repeat(44)}`, BODY, SECONDS))],
  ["signed with the secret of another app", 401, () => send(mine.id, BODY, standard(other.secret, BODY, SECONDS))],
  ["signed in another scheme", 401, () => send(mine.id, BODY, github(mine.secret, BODY))],
  ["with the signature of another body", 401, () => send(mine.id, `${BODY} `, right())],
  ["with another id than the signed one", 401, () => send(mine.id, BODY, { ...right(), "webhook-id": "another" })],
  ["with a timestamp that is too old", 401, () => send(mine.id, BODY, standard(mine.secret, BODY, SECONDS - 301))],
  ["with a timestamp in the future", 401, () => send(mine.id, BODY, standard(mine.secret, BODY, SECONDS + 301))],
  ["to the trigger of another app", 401, () => send(other.id, BODY, right())],
  ["to an unknown trigger", 404, () => send("trig_00000000000000000000000000", BODY, right())],
  ["to a disabled trigger", 404, () => send(mine.disabled, BODY, right())],
  ["to an id of another kind", 404, () => send(mine.collection, BODY, right())],
  ["with a body of more than 1 MiB", 413, () => sendLarge()],
  ["signed rightly, but without an id", 422, () => send(mine.id, '{"amount":1}', right('{"amount":1}'))],
  ["signed rightly, but no JSON", 400, () => send(mine.id, "{", right("{"))],
])("an event %s gets %i and stores nothing", async (_, status, act) => {
  const [before, count] = [stored(), writes()];
  expect(await act()).toBe(status);
  expect(stored()).toEqual(before);
  expect(writes()).toBe(count);
});

function sendLarge(): Promise<number> {
  const body = JSON.stringify({ id: "e1", amount: 7, text: "x".repeat(1_024 * 1_024) });
  return send(mine.id, body, right(body));
}

it("a replay of an event is accepted, and stores nothing", async () => {
  const before = writes();
  expect(await send(mine.id, BODY, right())).toBe(202);
  expect(writes()).toBeGreaterThan(before);
  const at = [mine.app, mine.collection, mine.id] as const;
  await expect
    .poll(async () => (await stepwell.triggers.deliveries(...at)).items.map((delivery) => delivery.status))
    .toEqual(["created"]);
  const [items, count] = [stored(), writes()];
  expect(await send(mine.id, BODY, right())).toBe(202);
  expect(stored()).toEqual(items);
  expect(writes()).toBe(count);
});
