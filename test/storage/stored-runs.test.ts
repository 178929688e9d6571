/** What stored runs come to: items, which are files on fs, and their length in blocks of a disk, beside the content of the runs. */
import { beforeAll, expect, it } from "vitest";
import { createIds } from "../../src/ids.ts";
import { runKey, runRows } from "../../src/runs/run-rows.ts";
import { instant } from "../../src/time/iso.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { type Data, openData } from "../support/storage/damaged-storage.ts";

const RUNS = 50_000;
const RUNS_PER_MILLISECOND = 4;
const AT_ONCE = 500;
const BLOCK_BYTES = 4_096;

let now = Date.parse("2026-01-02T03:04:05.678Z");
const ids = createIds({ ...systemClock, now: () => now });
const app_id = ids.next("app");
const workflow_id = ids.next("work");
const workflow_version_id = ids.next("workv");
const step = { status: "succeeded", output: { value: { value: 24 } }, error: null, attempts: 1 } as const;
const STEPS = ["input", "double", "branch", "increase", "finish"];

/** A run of five steps as the engine leaves it. Created at the time of its id, except for one of ten. */
function endedRun(number: number) {
  if (number % RUNS_PER_MILLISECOND === 0) now++;
  const id = ids.next("run");
  const created_at = instant(number % 10 === 0 ? now + 1 : now);
  const times = { started_at: created_at, finished_at: created_at };
  return {
    ...{ id, app_id, app_name: "App", workflow_id, workflow_version_id, version: 1, status: "succeeded" as const },
    ...{ error: null, parent_run_id: null, trigger: { type: "api" as const }, tags: [], metadata: {}, created_at },
    ...times,
    ...{ input: { n: 12 }, values: { n: 12 }, start: "input", depth: 0 },
    steps: STEPS.map((key) => ({ key, type: "service", ...step, ...times })),
    ...{ leaves: [4], order: [0, 1, 2, 3, 4] },
  };
}

let content = 0;
const data: Data = new Map();

beforeAll(async () => {
  const store = openData(data);
  for (let from = 0; from < RUNS; from += AT_ONCE) {
    const runs = Array.from({ length: AT_ONCE }, (_, index) => endedRun(from + index));
    for (const run of runs) content += JSON.stringify(run).length;
    await Promise.all(runs.map((run) => store.commit([{ key: runKey(run.id), document: run, rows: runRows(run) }])));
  }
  await store.close();
}, 120_000);

it("500 runs take at most one item", () => {
  expect(RUNS / data.size).toBeGreaterThanOrEqual(500);
});

it("runs take at most 1.3 times their content of a disk", () => {
  const blocks = [...data.values()].reduce((sum, { length }) => sum + Math.ceil(length / BLOCK_BYTES), 0);
  expect((blocks * BLOCK_BYTES) / content).toBeLessThanOrEqual(1.3);
});
