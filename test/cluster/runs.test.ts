/** Runs of several processes that share a store, over a queue and messages that may be lost. */
import { afterEach, describe, expect, it } from "vitest";
import type { Step, Stepwell } from "../../src/index.ts";
import { createStepwell } from "../../src/index.ts";
import type { StoreAdapter } from "../../src/ports/store-adapter.ts";
import { createTestClock, type TestClock } from "../../src/testing/index.ts";
import { createInProcessQueue, type InProcessQueue } from "../support/cluster/in-process-queue.ts";
import { sharedMemory } from "../support/cluster/shared-memory.ts";
import { silent } from "../support/storage/silent.ts";
import { until } from "../support/until.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

interface Processes {
  readonly queue: InProcessQueue;
  readonly entities: StoreAdapter;
  readonly clock: TestClock;
  start(options?: { readonly work?: boolean; readonly concurrency?: number }): Promise<Stepwell>;
}

function processes(): Processes {
  const queue = createInProcessQueue();
  const entities = sharedMemory();
  const clock = createTestClock();
  return {
    ...{ queue, entities, clock },
    async start(options) {
      const stepwell = createStepwell({
        ...{ clock, logger: silent, storage: { entities }, cluster: queue.connect(options) },
      });
      closers.push(() => stepwell.close());
      await stepwell.ready();
      return stepwell;
    },
  };
}

const code = (key: string, text: string, next?: string): Step => ({
  ...{ type: "code", key, code: text },
  ...(next === undefined ? {} : { next }),
});

async function deploy(stepwell: Stepwell, steps: readonly Step[]) {
  const app = await stepwell.apps.create({ name: "shop" });
  const workflow = await stepwell.workflows.create(app.id, { name: "work" });
  await stepwell.workflows.put(app.id, workflow.id, { steps: [...steps] });
  await stepwell.workflows.deploy(app.id, workflow.id);
  return { app: app.id, workflow: workflow.id };
}

describe("a run in a cluster", () => {
  it("created by a process that only serves requests executes in a worker", async () => {
    const { start } = processes();
    const web = await start({ work: false });
    const { app, workflow } = await deploy(web, [code("one", "return 7;")]);
    const run = await web.runs.create(app, workflow, {});
    expect(run.status).toBe("queued");
    const worker = await start();
    const done = await worker.runs.wait(app, run.id);
    expect(done).toMatchObject({ status: "succeeded" });
    expect(await web.runs.get(app, run.id)).toEqual(await worker.runs.get(app, run.id));
  });
});
