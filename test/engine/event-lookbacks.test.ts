/** Looking back for events when one run cannot be read. */
import memoryDriver from "unstorage/drivers/memory";
import { expect, it } from "vitest";
import { eventsOf, marksOfEvent } from "../../src/app-events/app-event.ts";
import { LOOKBACKS, lookbackChanges } from "../../src/app-events/event-wait.ts";
import { createEventLookbacks, type EventLookbacks } from "../../src/engine/dispatch/event-lookbacks.ts";
import { StepwellError } from "../../src/errors.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { createBackground } from "../../src/time/background.ts";
import { openStore, silent } from "../support/storage/open.ts";

/** Three runs that wait for an event that was emitted before their waits were stored. @param apps The apps of the runs. */
async function open(apps = ["app", "app", "app"]) {
  const store = openStore(memoryDriver());
  const clock = createTestClock();
  const event = { id: "event_1", name: "go", subject: null, payload: {}, created_at: "2030-01-01T00:00:00.000Z" };
  const run = (id: string, index: number) => ({
    ...{ id, app_id: apps[index] ?? "", finished_at: null, status: "waiting" },
    event_waits: [{ step: 1, iteration: 1, name: "go", subject: null, since: event.created_at }],
  });
  const all = ["run_1", "run_2", "run_3"].map(run);
  const put = { id: event.id, order: event.created_at, marks: marksOfEvent(event) };
  await store.commit([
    {
      key: `app-event:${event.id}`,
      document: event,
      rows: [...new Set(apps)].map((app) => ({ list: eventsOf(app), put })),
    },
    ...all.map((document) => ({ key: `run:${document.id}` as const, document })),
    ...all.flatMap((document) => lookbackChanges(document, undefined)),
  ]);
  const broken = new Set<string>();
  const hanging = new Set<string>();
  const received: string[] = [];
  const background = createBackground({ clock, logger: silent, open: async () => undefined });
  const lookbacks = createEventLookbacks({
    ...{ store, background, runs: { isClosed: () => false } },
    requests: {
      async receive(runId, events) {
        if (broken.has(runId)) throw new StepwellError("unavailable", "Broken.");
        if (hanging.has(runId)) await new Promise(() => undefined);
        received.push(runId);
        return events.map(() => 1);
      },
    },
  });
  return { store, clock, lookbacks, received, broken, hanging };
}

it("finds events for all other waits although one run fails, and retries that one", async () => {
  const { store, clock, lookbacks, received, broken } = await open();
  broken.add("run_1");
  await lookbacks.wakeAll();
  await clock.advance("1ms");
  expect(received).toEqual(["run_2", "run_3"]);
  broken.clear();
  await clock.advance("1m");
  expect(received).toEqual(["run_2", "run_3", "run_1"]);
  expect((await store.list(LOOKBACKS, { limit: 10 })).ids).toEqual([]);
  await store.close();
});

it("reads only the waits of the run whose waits were stored", async () => {
  const { store, clock, lookbacks, received } = await open();
  lookbacks.wake("app", "run_2");
  await clock.advance("1ms");
  expect(received).toEqual(["run_2"]);
  expect((await store.list(LOOKBACKS, { limit: 10, descending: false })).ids).toEqual(["run_1.0.1.1", "run_3.0.1.1"]);
  await store.close();
});

it.each<[name: string, wake: (lookbacks: EventLookbacks) => Promise<void>]>([
  [
    "were stored now",
    async (lookbacks) => {
      lookbacks.wake("app", "run_1");
      lookbacks.wake("app", "run_2");
      lookbacks.wake("other", "run_3");
    },
  ],
  ["an earlier process stored", (lookbacks) => lookbacks.wakeAll()],
])("looks back for the waits of other apps that %s, although those of one app hang", async (_, wake) => {
  const { store, clock, lookbacks, received, hanging } = await open(["app", "app", "other"]);
  hanging.add("run_1");
  await wake(lookbacks);
  await clock.advance("1ms");
  expect(received).toEqual(["run_3"]);
  await store.close();
});
