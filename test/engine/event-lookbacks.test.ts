/** Looking back for events when one run cannot be read. */
import memoryDriver from "unstorage/drivers/memory";
import { expect, it } from "vitest";
import { eventsOf, marksOfEvent } from "../../src/app-events/app-event.ts";
import { LOOKBACKS, lookbackChanges } from "../../src/app-events/event-wait.ts";
import { createEventLookbacks } from "../../src/engine/event-waits/event-lookbacks.ts";
import { StepwellError } from "../../src/errors.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { createBackground } from "../../src/time/background.ts";
import { openStore, silent } from "../support/storage/open.ts";

it("finds events for all other waits although one run fails, and retries that one", async () => {
  const store = openStore(memoryDriver());
  const clock = createTestClock();
  const event = { id: "event_1", name: "go", subject: null, payload: {}, created_at: "2030-01-01T00:00:00.000Z" };
  const run = (id: string) => ({
    ...{ id, app_id: "app", finished_at: null, status: "waiting" },
    event_waits: [{ step: 1, iteration: 1, name: "go", subject: null, since: event.created_at }],
  });
  const all = ["run_1", "run_2", "run_3"].map(run);
  const put = { id: event.id, order: event.created_at, marks: marksOfEvent(event) };
  await store.commit([
    { key: `app-event:${event.id}`, document: event, rows: [{ list: eventsOf("app"), put }] },
    ...all.map((document) => ({ key: `run:${document.id}` as const, document })),
    ...all.flatMap((document) => lookbackChanges(document, undefined)),
  ]);
  let isBroken = true;
  const received: string[] = [];
  const lookbacks = createEventLookbacks({
    store,
    background: createBackground({ clock, logger: silent, open: async () => undefined }),
    runs: { isClosed: () => false },
    requests: {
      async receive(runId) {
        if (isBroken && runId === "run_1") throw new StepwellError("unavailable", "Broken.");
        received.push(runId);
        return 1;
      },
      end: () => Promise.reject(new Error("not called")),
      resume: () => Promise.reject(new Error("not called")),
      provide: () => Promise.reject(new Error("not called")),
    },
  });
  lookbacks.wake();
  await clock.advance("1ms");
  expect(received).toEqual(["run_2", "run_3"]);
  isBroken = false;
  await clock.advance("1m");
  expect(received).toEqual(["run_2", "run_3", "run_1"]);
  expect((await store.list(LOOKBACKS, { limit: 10 })).ids).toEqual([]);
  await store.close();
});
