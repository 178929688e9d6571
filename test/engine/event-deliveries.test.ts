/** The delivery of events when something it needs fails. */

import memoryDriver from "unstorage/drivers/memory";
import { expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import { eventStartsOf, eventWaitsOf, markOfWait } from "../../src/app-events/app-event.ts";
import { createAppEvents } from "../../src/app-events/app-events.ts";
import { createEventDeliveries } from "../../src/app-events/event-deliveries.ts";
import { StepwellError } from "../../src/errors.ts";
import { createIds } from "../../src/ids.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { ALL_DUTIES } from "../../src/time/duties.ts";
import type { Version } from "../../src/workflows/version.ts";
import { openStore, silent } from "../support/storage/open.ts";

it("reaches all other runs and workflows although one of each fails, and retries those", async () => {
  const store = openStore(memoryDriver());
  const clock = createTestClock();
  const marks = [markOfWait("go", null)];
  const ids = Array.from({ length: 120 }, (_, index) => String(index).padStart(3, "0"));
  const rows = [
    ...ids.map((id) => ({ list: eventWaitsOf("app"), put: { id: `run_${id}.1`, marks } })),
    ...["work_1", "work_2"].map((id) => ({ list: eventStartsOf("app"), put: { id, marks } })),
  ];
  await store.commit([{ key: "test:rows", document: {}, rows }]);
  let isBroken = true;
  const resumed = new Map<string, number>();
  const started: string[] = [];
  const refuse = () => new StepwellError("unavailable", "Broken.");
  const deliveries = createEventDeliveries({
    duties: ALL_DUTIES,
    ...{ store, clock, logger: silent, hash: nodeHash },
    executor: {
      async receive(runId, events) {
        if (isBroken && runId === "run_007") throw refuse();
        resumed.set(runId, (resumed.get(runId) ?? 0) + 1);
        return events.map(() => 1);
      },
      start: () => Promise.reject(new Error("not called")),
    },
    async latest(_, workflowId) {
      if (isBroken && workflowId === "work_1") throw refuse();
      started.push(workflowId);
      return {} as Version; // only passed on
    },
    startsOn: async () => false,
    prepare: () => Promise.reject(new Error("not called")),
  });
  const events = createAppEvents({
    ...{ store, clock, ids: createIds(clock), hash: nodeHash },
    onEmitted: deliveries.wake,
  });
  const { id } = await events.emit("app", { name: "go" }, { kind: "host" }, () => []);
  await clock.advance("1s");
  expect(resumed.size).toBe(119);
  expect(started).toEqual(["work_2"]);
  expect((await events.get("app", id)).delivered_at).toBeNull();
  isBroken = false;
  await clock.advance("10s");
  expect(resumed.get("run_007")).toBe(1);
  expect(started).toContain("work_1");
  expect((await events.get("app", id)).delivered_at).not.toBeNull();
  await deliveries.stop();
  await store.close();
});
