/** Removing an app ends its runs: none of them calls an action afterwards, also after a crash. */
import * as v from "valibot";
import { expect, it } from "vitest";
import memoryDriver from "../../adapters/storage/memory.ts";
import { createStepwell, defineService } from "../../src/index.ts";
import { silent } from "../support/storage/open.ts";
import { until } from "../support/until.ts";

const LIMIT = 3;
const RUNS = 12;

/** Starts more runs of one app than there are slots, each calling an action that ignores its signal. */
async function opened() {
  const driver = { ...memoryDriver(), dispose: () => undefined };
  const calls: string[] = [];
  const open: { answer: () => void } = { answer: () => undefined };
  const answered = new Promise<number>((resolve) => {
    open.answer = () => resolve(1);
  });
  function start(name: string) {
    const shop = defineService({
      name: "shop",
      actions: {
        pay: {
          input: v.object({}),
          output: v.number(),
          async run() {
            calls.push(name);
            return answered;
          },
        },
      },
    });
    const storage = { entities: driver };
    return createStepwell({ logger: silent, limits: { concurrentRuns: LIMIT }, storage, services: [shop] });
  }
  const stepwell = start("before");
  const app = await stepwell.apps.create({ name: "Gone" });
  const service = { service: "shop", action: "pay", input: {} } as const;
  const { id: workflow } = await stepwell.workflows.create(app.id, {
    name: "Pays",
    steps: [{ type: "service", key: "pay", service }],
  });
  await stepwell.workflows.deploy(app.id, workflow);
  for (let count = 0; count < RUNS; count++) await stepwell.runs.create(app.id, workflow);
  await until(() => calls.length === LIMIT);
  /** The purge ends with the removal of its own document: seen in the log. */
  const purged = () =>
    until(async () => {
      const texts = await Promise.all((await driver.getKeys("log:", {})).map((key) => driver.getItem(key)));
      return texts.join("").includes(`["removed-app:${app.id}",null`);
    });
  return { start, stepwell, app: app.id, calls, answer: open.answer, purged };
}

it("removing an app starts none of its queued runs", async () => {
  const { stepwell, app, calls, answer, purged } = await opened();
  await stepwell.apps.remove(app);
  await purged();
  expect(calls).toHaveLength(LIMIT);
  answer();
  await stepwell.close();
});

it("removing an app resumes none of its runs when the process is killed before they are purged", async () => {
  const { start, stepwell, app, calls, answer, purged } = await opened();
  // The process is killed here: nothing is closed, and the next one takes the driver over.
  await stepwell.apps.remove(app);
  const left = calls.length;
  const next = start("after");
  await next.ready();
  await purged();
  expect(calls.slice(left)).toEqual([]);
  answer();
  await Promise.all([next.close(), stepwell.close()]);
});
