/** The summary of an app: counts of its runs, what fails, and what comes next. */
import { expect, it } from "vitest";
import type { ApiKeyScope, Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { BASE, createTestHost, describeEachTransport, type TestHost } from "../support/http/transports.ts";
import { ASK, createRunFixture, give, HANG, IN, options } from "../support/workflows/runs.ts";

/** The middle of an hour. */
const START = "2030-01-02T12:30:00.000Z";
const FAIL: Step = { type: "code", key: "fail", code: "throw" };
const before = (step: Step): Step => ({ ...IN, destinations: [step.key] });

async function open(openHost: (given: object) => TestHost) {
  const clock = createTestClock(START);
  const room = await createRunFixture(openHost({ ...options, clock }));
  const { stepwell, appId, callApi } = room;
  const runOf = (...steps: Step[]) => room.deploy([before(steps[0] ?? HANG), ...steps]);
  const start = async (workflow: string) => (await stepwell.runs.create(appId, workflow)).id;
  const end = async (workflow: string) => room.wait(await start(workflow));
  const summary = () => callApi("apps.summary", appId);
  return { ...room, clock, runOf, start, end, summary };
}

describeEachTransport("the summary of an app", (openHost) => {
  it("has zeros for a new app", async () => {
    const { summary } = await open(openHost);
    const { hours, ...others } = await summary();
    const none = { succeeded: 0, failed: 0, canceled: 0 };
    expect(others).toEqual({
      at: START,
      open: { queued: 0, running: 0, waiting: 0 },
      waiting_for_input: 0,
      last_24_hours: none,
      failing_workflows: [],
      next_schedules: [],
    });
    expect(hours).toHaveLength(24);
    expect(hours[0]).toEqual({ from: "2030-01-01T13:00:00.000Z", ...none });
    expect(hours.at(-1)).toEqual({ from: "2030-01-02T12:00:00.000Z", ...none });
  });

  it("counts open runs, and those of the last hours by their hour and status", async () => {
    const { stepwell, appId, clock, runOf, start, end, summary } = await open(openHost);
    const [asks, hangs, gives, fails] = [
      await runOf(ASK),
      await runOf(HANG),
      await runOf(give("x")),
      await runOf(FAIL),
    ];
    await end(gives);
    // Until here, it is older than the window.
    await clock.advance("24h");
    await end(gives);
    await clock.advance("1h");
    await end(fails);
    await stepwell.runs.cancel(appId, await start(hangs));
    await start(hangs);
    await start(asks);
    await expect.poll(async () => (await summary()).open).toEqual({ queued: 0, running: 1, waiting: 1 });
    const found = await summary();
    expect(found.waiting_for_input).toBe(1);
    expect(found.last_24_hours).toEqual({ succeeded: 1, failed: 1, canceled: 1 });
    expect(found.hours.slice(-2)).toEqual([
      { from: "2030-01-03T12:00:00.000Z", succeeded: 1, failed: 0, canceled: 0 },
      { from: "2030-01-03T13:00:00.000Z", succeeded: 0, failed: 1, canceled: 1 },
    ]);
  });

  it("does not count tests of steps", async () => {
    const { stepwell, appId, runOf, end, wait, summary } = await open(openHost);
    const tested = await runOf(FAIL);
    for (const _ of [1, 2]) await wait((await stepwell.runs.testStep(appId, tested, "fail", {})).id);
    const fails = await runOf(FAIL);
    await end(fails);
    const { last_24_hours, failing_workflows } = await summary();
    expect(last_24_hours).toEqual({ succeeded: 0, failed: 1, canceled: 0 });
    expect(failing_workflows).toMatchObject([{ workflow_id: fails, failed: 1 }]);
    await end(tested);
    expect((await summary()).failing_workflows).toMatchObject([
      { workflow_id: tested, failed: 1 },
      { workflow_id: fails, failed: 1 },
    ]);
  });

  it("names the five workflows that fail most, with their last error", async () => {
    const { stepwell, appId, runOf, end, summary } = await open(openHost);
    const workflows: string[] = [];
    for (let n = 1; n <= 6; n++) {
      const workflow = await runOf(FAIL);
      workflows.push(workflow);
      for (let failed = 0; failed < n; failed++) await end(workflow);
    }
    const [, , , , , worst = ""] = workflows;
    const [last] = (await stepwell.runs.listOfWorkflow(appId, worst)).items;
    const { failing_workflows } = await summary();
    expect(failing_workflows.map((one: { failed: number }) => one.failed)).toEqual([6, 5, 4, 3, 2]);
    expect(failing_workflows[0]).toEqual({
      ...{ workflow_id: worst, name: "Test", failed: 6 },
      last_run: {
        id: last?.id,
        code: last?.error?.code,
        message: last?.error?.message,
        step: "fail",
        created_at: last?.created_at,
      },
    });
  });

  it("names the five schedules that run next, none of other apps, and none that is paused", async () => {
    const { stepwell, appId, runOf, summary } = await open(openHost);
    const workflow_id = await runOf(give("x"));
    const every = async (hours: number, more = {}) =>
      (await stepwell.schedules.create(appId, { workflow_id, every: hours * 3_600, name: `${hours} h`, ...more })).id;
    await every(1, { paused: true });
    for (const hours of [8, 3, 7, 4, 6, 5]) await every(hours);
    const other = await stepwell.apps.create({ name: "Other" });
    const { id } = await stepwell.workflows.create(other.id, { name: "W", steps: [IN] });
    await stepwell.workflows.deploy(other.id, id);
    await stepwell.schedules.create(other.id, { workflow_id: id, every: 60 });
    const { next_schedules } = await summary();
    expect(next_schedules.map((one: { name: string }) => one.name)).toEqual(["3 h", "4 h", "5 h", "6 h", "7 h"]);
    expect(next_schedules[0]).toEqual({
      ...{ id: expect.any(String), name: "3 h", workflow_id, next_at: "2030-01-02T15:30:00.000Z" },
    });
  });
});

it("the summary of an app leaves out what the key may not read", async () => {
  const { stepwell, appId, runOf, end } = await open((given) => createTestHost(true, given));
  const workflow_id = await runOf(FAIL);
  await end(workflow_id);
  await stepwell.schedules.create(appId, { workflow_id, every: 3_600 });
  const other = await stepwell.apps.create({ name: "Other" });
  async function get(app: string, ...scopes: ApiKeyScope[]) {
    const { key } = await stepwell.keys.create(appId, { name: "some", scopes });
    const headers = { authorization: `Bearer ${key}` };
    const response = await stepwell.fetch(new Request(`${BASE}/apps/${app}/summary`, { headers }));
    return { status: response.status, body: await response.json() };
  }
  const { body } = await get("me", "runs:read");
  expect(body).toMatchObject({ failing_workflows: [{ workflow_id, name: null, failed: 1 }], next_schedules: [] });
  const all = await get("me", "runs:read", "workflows:read", "schedules:read");
  expect(all.body).toMatchObject({ failing_workflows: [{ name: "Test" }], next_schedules: [{ workflow_id }] });
  expect([(await get("me", "workflows:read")).status, (await get(other.id, "runs:read")).status]).toEqual([403, 404]);
});
