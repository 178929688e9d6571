/** What a trigger type may return, and how its mistakes are reported: to the log, because senders cannot fix them. */
import * as v from "valibot";
import { afterEach, describe, expect, it } from "vitest";
import { createStepwell, defineTrigger, type Stepwell } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";

const opened: Stepwell[] = [];
afterEach(async () => {
  for (const stepwell of opened.splice(0)) await stepwell.close();
});

const MAPPINGS = [{ type: "field", entity_path: "item:n", input_path: ["n"], name: "N" }];

/** A trigger whose type returns what `result` has, and the messages of the errors that are logged. */
async function open(result: unknown) {
  const logged: string[] = [];
  const log = (_: string, fields?: Record<string, unknown>) => {
    const error = fields?.["error"];
    if (error instanceof Error) logged.push(error.message);
  };
  const returning = Object.assign(
    // A type in JavaScript may return anything.
    defineTrigger({ name: "own", config: v.object({}), receive: () => [], poll: () => ({ events: [] }) }),
    { receive: () => result, poll: () => ({ events: result }) },
  );
  const logger = { debug: log, info: log, warn: log, error: log };
  const clock = createTestClock();
  const stepwell = createStepwell({ clock, logger, triggers: [returning] });
  opened.push(stepwell);
  const app = (await stepwell.apps.create({ name: "Items" })).id;
  const given = { type: "own", name: "Own", config: { type: "own", mappings: MAPPINGS } };
  const { id, triggers } = await stepwell.collections.create(app, { name: "Items", triggers: [given] });
  const place = [app, id, triggers[0]?.id ?? ""] as const;
  await clock.advance(1);
  async function send() {
    const url = `http://localhost:3000/public/apps/triggers/${place[2]}/events`;
    const response = await stepwell.fetch(new Request(url, { method: "POST", body: "{}" }));
    return { status: response.status, body: await response.json() };
  }
  return { stepwell, place, logged, send };
}

const eventsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `e${n}`, data: { n } }));

describe("receive of a trigger type", () => {
  it.each([
    ["null instead of an event", [null], 'The trigger type "own" returned an event that is not an object.'],
    ["text instead of an event", ["e1"], 'The trigger type "own" returned an event that is not an object.'],
    [
      "an event without data",
      [{ id: "e1" }],
      'The trigger type "own" returned an event whose data is not JSON: Must be plain JSON, not a value of type undefined.',
    ],
    [
      "a function in the data",
      [{ id: "e1", data: { n: () => 1 } }],
      'The trigger type "own" returned an event whose data is not JSON: /n Must be plain JSON, not a value of type function.',
    ],
    ["1,001 events", eventsOf(1_001), 'The trigger type "own" returned 1001 events, more than the limit of 1000.'],
  ])("that returns %s gets a message in the log, and the sender gets 500", async (_, events, message) => {
    const { stepwell, place, logged, send } = await open(events);
    logged.length = 0;
    expect(await send()).toMatchObject({ status: 500, body: { code: "internal" } });
    expect(logged).toEqual([message]);
    expect((await stepwell.triggers.deliveries(...place)).items).toEqual([]);
  });

  it("may return 1,000 events", async () => {
    const { send } = await open(eventsOf(1_000));
    const { status, body } = await send();
    expect([status, body.deliveries.length]).toEqual([202, 1_000]);
  });
});

it("a poll that returns more than 1,000 events fails with the limit", async () => {
  const { stepwell, place } = await open(eventsOf(1_001));
  await expect
    .poll(async () => (await stepwell.triggers.polling(...place)).error)
    .toEqual({ code: "too_large", message: "The poll returned 1001 events, more than the limit of 1000." });
});
