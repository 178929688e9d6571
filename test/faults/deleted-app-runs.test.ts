/** Deleting an app ends its runs: none of them calls an action afterwards, even after a crash. */
import * as v from "valibot";
import { expect, it } from "vitest";
import memoryDriver from "../../adapters/storage/memory.ts";
import { createStepwell, defineService, type Options, RetryableError, type Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { silent } from "../support/storage/open.ts";
import { until } from "../support/until.ts";

const LIMIT = 3;
const RUNS = 12;

/** A service whose only action is `pay`. */
function shopService(run: () => Promise<number>) {
  return defineService({
    name: "shop",
    actions: { pay: { input: v.object({}), output: v.number(), run } },
  });
}

/** Starts more runs of one app than there are slots, each calling an action that ignores its signal. */
async function openWithQueuedRuns() {
  const driver = { ...memoryDriver(), dispose: () => undefined };
  const calls: string[] = [];
  const open: { answer: () => void } = { answer: () => undefined };
  const answered = new Promise<number>((resolve) => {
    open.answer = () => resolve(1);
  });
  function start(name: string) {
    const shop = shopService(() => {
      calls.push(name);
      return answered;
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
  /** The purge ends with the deletion of its own document: seen in the log. */
  const purged = () =>
    until(async () => {
      const texts = await Promise.all((await driver.getKeys("log:", {})).map((key) => driver.getItem(key)));
      return texts.join("").includes(`["deleted-app:${app.id}",null`);
    });
  return { start, stepwell, app: app.id, calls, answer: open.answer, purged };
}

it("deleting an app starts none of its queued runs", async () => {
  const { stepwell, app, calls, answer, purged } = await openWithQueuedRuns();
  await stepwell.apps.remove(app);
  await purged();
  expect(calls).toHaveLength(LIMIT);
  answer();
  await stepwell.close();
});

it("deleting an app resumes none of its runs when the process is killed before they are purged", async () => {
  const { start, stepwell, app, calls, answer, purged } = await openWithQueuedRuns();
  // The process is killed here: nothing is closed, and the next one takes over the driver.
  await stepwell.apps.remove(app);
  const left = calls.length;
  const next = start("after");
  await next.ready();
  await purged();
  expect(calls.slice(left)).toEqual([]);
  answer();
  await Promise.all([next.close(), stepwell.close()]);
});

/** A run whose action waits for the test, in a service whose purge hangs in its first read. */
async function openWithBlockedPurge(steps: readonly Step[]) {
  const memory = memoryDriver();
  let releasePurge = () => {};
  const purgeReleased = new Promise<void>((resolve) => {
    releasePurge = resolve;
  });
  const getItem: typeof memory.getItem = async (key, options) => {
    if (key.startsWith("list:keys.")) await purgeReleased;
    return memory.getItem(key, options);
  };
  const { getItems: _, ...rest } = memory;
  let calls = 0;
  let answer: (fails: boolean) => void = () => undefined;
  const answered = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  const shop = shopService(async () => {
    calls++;
    if (await answered) throw new RetryableError("busy");
    return 1;
  });
  const clock = createTestClock();
  const storage = { entities: { ...rest, getItem } };
  const options: Options = { logger: silent, services: [shop], clock, storage };
  const stepwell = createStepwell(options);
  const { id: app } = await stepwell.apps.create({ name: "Gone" });
  const { id: workflow } = await stepwell.workflows.create(app, { name: "Pays", steps: [...steps] });
  await stepwell.workflows.deploy(app, workflow);
  const { id: run } = await stepwell.runs.create(app, workflow);
  await until(() => calls === 1);
  async function close(): Promise<void> {
    releasePurge();
    const closed = stepwell.close();
    await clock.advance("1m");
    await closed;
  }
  /** The changes that the process has stored. */
  const log = async () =>
    (await Promise.all((await memory.getKeys("log:", {})).map((key) => memory.getItem(key)))).join("");
  return { stepwell, clock, app, run, calls: () => calls, answer, log, close };
}

const pay = (key: string): Step => ({ type: "service", key, service: { service: "shop", action: "pay", input: {} } });

const cases: readonly (readonly [what: string, steps: readonly Step[], fails: boolean])[] = [
  ["next step", [{ ...pay("first"), destinations: ["second"] }, pay("second")], false],
  ["next attempt of a step", [pay("first")], true],
];
it.each(cases)("begins no %s once the deletion of the app has resolved", async (_, steps, fails) => {
  const { stepwell, clock, app, run, calls, answer, log, close } = await openWithBlockedPurge(steps);
  await stepwell.apps.remove(app);
  answer(fails);
  await until(async () => {
    await clock.advance("10s");
    return new RegExp(`\\["run:${run}",\\d+,\\{[^\\n]*"status":"canceled"`).test(await log());
  });
  expect(calls()).toBe(1);
  await close();
});
