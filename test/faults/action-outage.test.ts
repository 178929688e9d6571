/** Actions that use the storage while it does not answer. */
import { afterEach, expect, it } from "vitest";
import { createTestClock } from "../../src/testing/index.ts";
import { memory } from "../support/engine/memory.ts";
import { input, openService, type Service, step, to } from "../support/engine/service.ts";
import { until } from "../support/until.ts";

const open: Service[] = [];
afterEach(async () => {
  for (const { stepwell } of open.splice(0)) await stepwell.close();
});

/** A service whose storage refuses events for a time that begins with the first one. */
async function openFor(seconds: number) {
  const clock = createTestClock();
  const { driver } = memory(new Map());
  let end: number | undefined;
  let refused = 0;
  const entities: typeof driver = {
    ...driver,
    async setItem(key, value, options) {
      if (value.includes("app-event:event_")) {
        end ??= clock.now() + seconds * 1_000;
        if (clock.now() < end) {
          refused++;
          throw new Error("connection refused");
        }
      }
      return driver.setItem?.(key, value, options);
    },
  };
  const service = await openService({ clock, storage: { entities } });
  open.push(service);
  return { ...service, clock, refused: () => refused };
}

it.each([
  ["are repeated until it does, if it recovers within 15 seconds", 15, "succeeded"],
  ["fail their step in the end if it does not recover", 3_600, "failed"],
])("actions that the storage does not answer %s", async (_, seconds, status) => {
  const { start, clock, get, refused, app, stepwell } = await openFor(seconds);
  const emit = { service: "events", action: "emit", input: { name: "told" } };
  const run = await start([input("in", to("emit")), { type: "service", key: "emit", service: emit }]);
  await until(async () => {
    await clock.advance("1s");
    return (await get(run.id)).finished_at !== null;
  });
  expect(step(await get(run.id), "emit").status).toBe(status);
  expect(refused()).toBeGreaterThan(3);
  expect((await stepwell.events.list(app)).items).toHaveLength(status === "succeeded" ? 1 : 0);
});
