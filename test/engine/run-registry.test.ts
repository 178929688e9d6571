/** The registry of runs in memory, where a run that is stored already is started again. */

import { EventEmitter, once } from "node:events";
import { expect, it } from "vitest";
import { createRunQueue } from "../../src/engine/dispatch/run-queue.ts";
import { createRunRegistry } from "../../src/engine/run-registry.ts";
import type { RunDocument } from "../../src/engine/state/run-document.ts";
import { DEFAULT_LIMITS } from "../../src/options/settings.ts";
import { createTestClock } from "../../src/testing/index.ts";

const clock = createTestClock();

const run: RunDocument = {
  ...{ id: "run_1", app_id: "app", app_name: "App", workflow_id: "work", workflow_version_id: "workv", version: 1 },
  ...{ status: "queued", error: null, parent_run_id: null, trigger: { type: "event" }, tags: [], metadata: {} },
  ...{ created_at: "2026-01-01T00:00:00Z", started_at: null, finished_at: null },
  ...{ input: {}, values: {}, start: null, depth: 0, records: 0 },
};

function open() {
  const queue = createRunQueue({ ...DEFAULT_LIMITS, concurrentRuns: 1 }, clock);
  queue.enter(run);
  const unused = () => Promise.reject(new Error("nothing is loaded"));
  const handlers = { onRunSlot: () => {} };
  const createExecution = () => {
    throw new Error("nothing is executed");
  };
  return { queue, runs: createRunRegistry({ queue, load: unused, createExecution, offer: () => false, handlers }) };
}

it("knows a run only after the attempt to store it has succeeded", async () => {
  const { queue, runs } = open();
  const storage = new EventEmitter();
  const stored = runs.store({ document: run, version: 1 }, queue.enter(run), () => once(storage, "answer"));
  const known = runs.has(run.id);
  storage.emit("answer");
  await stored;
  expect(await known).toBe(true);
});

it("does not know a run that could not be stored, so that a start resumes the run that is stored already", async () => {
  const { queue, runs } = open();
  const storage = new EventEmitter();
  const refused = runs
    .store({ document: run, version: 1 }, queue.enter(run), () => once(storage, "answer"))
    .catch(({ message }: Error) => message);
  const known = runs.has(run.id);
  storage.emit("error", new Error("exists"));
  expect(await refused).toBe("exists");
  expect(await known).toBe(false);
});

it("tells all who wait that a run has left", async () => {
  const { queue, runs } = open();
  await runs.store({ document: run, version: 1 }, queue.enter(run), async () => undefined);
  let told = 0;
  const waits = [1, 2].map(() => runs.untilGone(run.id).then(() => told++));
  runs.releaseSlot(run.id);
  await Promise.all(waits);
  expect(told).toBe(2);
});
