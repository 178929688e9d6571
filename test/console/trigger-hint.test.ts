/** What the form of a trigger says about where its events come from. */
import { expect, it } from "vitest";
import { sourceHint } from "../../adapters/console/app/collections/triggers/trigger-model.ts";
import { en } from "../../adapters/console/app/texts/en/index.ts";
import type { TriggerTypeInfo } from "../../src/collections/triggers/trigger-type-info.ts";
import { createTestHost } from "../support/http/transports.ts";

const POLLS = { receives: false, polls: true };
const BOTH = { receives: true, polls: true };
const NEEDED = { connection: {}, needs_connection: true };
const RECEIVED = "The other system sends events to the URL of the trigger.";

it.each([
  [{}, RECEIVED],
  [POLLS, "Stepwell polls the source for new events."],
  [{ ...POLLS, ...NEEDED }, "Stepwell polls the source for new events."],
  [BOTH, `${RECEIVED} Stepwell also polls the source for new events.`],
  [{ ...BOTH, ...NEEDED }, `${RECEIVED} Stepwell also polls the source for new events.`],
])("of a type with %j says %s", (fields, hint) => {
  const type: TriggerTypeInfo = {
    ...{ name: "t", title: null, needs_connection: false, connection: null, receives: true, polls: false },
    ...{ has_sample: false, config: null, common_config: null },
    ...fields,
  };
  expect(sourceHint(type, en.collections)).toBe(hint);
});

it("says of loan origination that a connection makes it poll", async () => {
  const types = await createTestHost(true).stepwell.triggerTypes.list();
  const loans = types.find(({ name }) => name.startsWith("loan")) ?? null;
  const polled = "With a connection, Stepwell also polls the source for new events.";
  expect(sourceHint(loans, en.collections)).toBe(`${RECEIVED} ${polled}`);
});
