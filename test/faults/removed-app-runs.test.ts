/** Removing an app ends its runs: none of them calls an action from then on, also after a crash. */
import * as v from "valibot";
import { expect, it } from "vitest";
import memoryDriver from "../../adapters/storage/memory.ts";
import { createStepwell, defineService } from "../../src/index.ts";
import { silent } from "../support/storage/open.ts";
import { until } from "../support/until.ts";

const LIMIT = 3;
const RUNS = 12;

/** More runs of one app than may be active at once, each of which calls an action that does not look at its signal. */
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
    return createStepwell({ logger: silent, limits: { runs: LIMIT }, storage, services: [shop] });
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

it("starts none of the runs that waited in the queue", async () => {
  const { stepwell, app, calls, answer, purged } = await opened();
  await stepwell.apps.remove(app);
  await purged();
  expect(calls).toHaveLength(LIMIT);
  answer();
  await stepwell.close();
});

it("takes up none of them when the process ended before they were gone", async () => {
  const { start, stepwell, app, calls, answer, purged } = await opened();
  // The process is killed here: nothing of it is closed, and its driver is taken over by the next one.
  await stepwell.apps.remove(app);
  const left = calls.length;
  const next = start("after");
  await next.ready();
  await purged();
  expect(calls.slice(left)).toEqual([]);
  answer();
  await Promise.all([next.close(), stepwell.close()]);
});
