/** The items of a list on the page of a live run. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { areAboutItems, createReread, haveBegunWait } from "../../adapters/console/app/run/live/reread.ts";
import type { Run } from "../../src/runs/run.ts";

const AT = "2026-01-01T00:00:00.000Z";
const run: Run = {
  ...{ id: "run_1", app_id: "app_1", workflow_id: "work_1", workflow_version_id: "workv_1", version: 1 },
  ...{ status: "running", error: null, parent_run_id: null, trigger: { type: "api" }, tags: [], metadata: {} },
  ...{ created_at: AT, started_at: AT, finished_at: null, input: {}, output: null },
  steps: [
    {
      ...{ key: "each", type: "code", status: "running", output: null, error: null, attempts: 1 },
      ...{ started_at: AT, finished_at: null, items: { total: 60, succeeded: 1, failed: 0 } },
    },
  ],
};

describe("the items of a step that runs", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("are counted once a second while events keep coming", async () => {
    const read = vi.fn(async () => true);
    const reread = createReread(read, 1_000);
    for (let event = 0; event < 60; event++) {
      reread.ask();
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(read).toHaveBeenCalledTimes(6);
    reread.stop();
  });

  it("are counted until they have ended, also without events, and after a lost connection", async () => {
    const answers = [async () => true, () => Promise.reject(new Error("offline")), async () => false];
    const read = vi.fn(() => answers.shift()?.() ?? Promise.resolve(false));
    createReread(read, 1_000).ask();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(read).toHaveBeenCalledTimes(3);
  });

  it("are counted after events of items, and of a step that has some", () => {
    const of = { run_id: "run_1", at: AT } as const;
    expect(areAboutItems(run, [{ type: "step.started", ...of, step: "other" }])).toBe(false);
    expect(areAboutItems(run, [{ type: "step.started", ...of, step: "other", item: 0 }])).toBe(true);
    expect(areAboutItems(run, [{ type: "step.succeeded", ...of, id: 1, step: "each", output: [] }])).toBe(true);
  });
});

it("is read anew for a step that begins to wait for a moment, but not for a person", () => {
  const waits = (type: string, waits_until?: string): Run => ({
    ...run,
    steps: run.steps.map((step) => ({ ...step, type, status: "waiting", ...(waits_until ? { waits_until } : {}) })),
  });
  const began = [{ type: "step.waiting" as const, run_id: "run_1", at: AT, step: "each" }];
  expect(haveBegunWait(waits("code"), began)).toBe(true);
  expect(haveBegunWait(waits("code"), [])).toBe(false);
  expect(haveBegunWait(waits("code", AT), began)).toBe(false);
  expect(haveBegunWait(waits("input"), began)).toBe(false);
});
