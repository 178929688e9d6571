/** Work in memory yields to the event loop, so that timers, requests and signals are handled while runs execute. */
import { setImmediate } from "node:timers/promises";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import memoryDriver from "../../adapters/storage/memory.ts";
import { type AnyService, createStepwell, defineService, type Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { openStore, silent } from "../support/storage/open.ts";

/** Counts turns of the event loop until the work settles. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  let turns = 0;
  for (; !isOver; turns++) await setImmediate();
  await work;
  return turns;
}

describe("the event loop", () => {
  it("turns about once per 256 sequential commits in memory", async () => {
    const store = openStore(memoryDriver());
    await store.commit([]);
    const turns = await turnsDuring(
      (async () => {
        for (let count = 0; count < 5_000; count++)
          await store.commit([{ key: `thing:${count}`, document: { count } }]);
      })(),
    );
    expect(turns).toBeGreaterThanOrEqual(5_000 / 256 - 1);
    await store.close();
  });

  it("turns while a checkpoint stores documents and pages in memory that a close waits for", async () => {
    const store = openStore(memoryDriver(), { checkpointRecords: 1e6, checkpointSize: 1e9 });
    const text = "x".repeat(4_000); // 8 MB in all
    const changes = Array.from({ length: 2_000 }, (_, count) => ({
      ...{ key: `thing:${count}` as const, document: { count, text } },
      rows: [{ list: "things", put: { id: String(count) } }],
    }));
    await store.commit(changes);
    expect(await turnsDuring(store.close())).toBeGreaterThanOrEqual(8);
  });

  it("turns during concurrent large commits in memory", async () => {
    const store = openStore(memoryDriver());
    await store.commit([]);
    const text = "x".repeat(300_000);
    const turns = await turnsDuring(
      Promise.all(
        Array.from({ length: 50 }, (_, count) => store.commit([{ key: `thing:${count}`, document: { text } }])),
      ),
    );
    expect(turns).toBeGreaterThanOrEqual(7);
    await store.close();
  });

  it("turns during nested loops of runs, so that the timeout of runs.wait fires", async () => {
    let calls = 0;
    const counter: AnyService = defineService({
      name: "counter",
      actions: { count: { input: v.object({}), output: v.number(), run: () => calls++ } },
    });
    const clock = createTestClock();
    const stepwell = createStepwell({ services: [counter], clock, logger: silent });
    const { id: app } = await stepwell.apps.create({ name: "Busy" });
    const workflow = async (step: Step) => {
      const { id } = await stepwell.workflows.create(app, { name: "Loop", steps: [step] });
      await stepwell.workflows.deploy(app, id);
      return id;
    };
    const inner = await workflow({
      ...{ type: "service", key: "count", loop: "iteration < 0", throw_on_error: false },
      service: { service: "counter", action: "count", input: {} },
    });
    const outer = await workflow({
      type: "workflow",
      key: "inner",
      workflow_id: inner,
      input: {},
      loop: "iteration < 0",
      throw_on_error: false,
    });

    const run = await stepwell.runs.create(app, outer);
    const waited = stepwell.runs.wait(app, run.id, { timeoutMs: 1_000 });
    await clock.advance(1_000);
    expect((await waited).status).toBe("running");
    await stepwell.runs.cancel(app, run.id);
    expect(calls).toBeLessThan(100_000);
    await stepwell.close();
  });
});
