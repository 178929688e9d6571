/** How many runs execute at once, and which one is next. */
import { afterEach, describe, expect, it } from "vitest";
import type { Options, Step } from "../../src/index.ts";
import { memory } from "../support/engine/memory.ts";
import { openService } from "../support/engine/service.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { openServer } from "../support/servers/http-server.ts";
import { until } from "../support/until.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A service with a server that responds only after `answerAll`. */
async function open(limits: Options["limits"]) {
  let [atWork, most] = [0, 0];
  let answerAll = () => {};
  const gate = new Promise<void>((resolve) => {
    answerAll = resolve;
  });
  const server = await openServer(async () => {
    most = Math.max(most, ++atWork);
    await gate;
    await turnEventLoop(); // so that other requests could arrive meanwhile
    atWork--;
    return {};
  });
  const service = await openService({ net: server.net, ...(limits === undefined ? {} : { limits }) });
  closers.push(server.close, () => service.stepwell.close());
  const step = (path: string): Step[] => [{ type: "http_request", key: "call", url: `${server.url}/${path}` }];
  return {
    ...service,
    server,
    step,
    atWork: () => atWork,
    most: () => most,
    answerAll,
  };
}

describe("concurrent runs", () => {
  it("are limited by limits.concurrentRuns; the others are queued without started_at", async () => {
    const { stepwell, app, deploy, step, atWork, most, answerAll, wait } = await open({ concurrentRuns: 3 });
    const workflow = await deploy(step("x"));
    const runs = await Promise.all(Array.from({ length: 20 }, () => stepwell.runs.create(app, workflow)));
    expect(runs.map(({ status }) => status).sort()).toEqual([
      ...Array<string>(17).fill("queued"),
      ...Array<string>(3).fill("running"),
    ]);
    expect(runs.filter(({ status }) => status === "queued").every(({ started_at }) => started_at === null)).toBe(true);
    await until(() => atWork() === 3);
    answerAll();
    const ended = await Promise.all(runs.map(({ id }) => wait(id)));
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(["succeeded"]));
    expect(ended.every(({ started_at }) => started_at !== null)).toBe(true);
    expect(most()).toBe(3);
  });

  it("of one app don't delay those of another app", async () => {
    const { stepwell, app, deploy, step, server, atWork, answerAll } = await open({ concurrentRuns: 1 });
    const slow = await deploy(step("slow"));
    const other = await stepwell.apps.create({ name: "Other" });
    const quick = await stepwell.workflows.create(other.id, { name: "Quick", steps: step("quick") });
    await stepwell.workflows.deploy(other.id, quick.id);
    const runs = [];
    for (let count = 0; count < 10; count++) runs.push(await stepwell.runs.create(app, slow));
    const { id } = await stepwell.runs.create(other.id, quick.id);
    await until(() => atWork() === 1);
    answerAll();
    await stepwell.runs.wait(other.id, id);
    const order = server.received.map(({ path }) => path);
    expect(order.indexOf("/quick")).toBeLessThanOrEqual(2);
    await Promise.all(runs.map((run) => stepwell.runs.wait(app, run.id)));
  });

  it("are limited by limits.concurrentRunsPerApp and limits.concurrentRunsPerWorkflow", async () => {
    const { stepwell, app, deploy, step, atWork, most, answerAll } = await open({
      concurrentRunsPerApp: 2,
      concurrentRunsPerWorkflow: 1,
    });
    const [one, two, three] = [await deploy(step("1")), await deploy(step("2")), await deploy(step("3"))];
    const runs = await Promise.all([one, one, two, two, three].map((id) => stepwell.runs.create(app, id)));
    await until(() => atWork() === 2);
    answerAll();
    await Promise.all(runs.map(({ id }) => stepwell.runs.wait(app, id)));
    expect(most()).toBe(2);
  });

  it("are rejected with too_many_requests when the queue is full, and accepted ones succeed", async () => {
    const { stepwell, app, deploy, step, answerAll, wait } = await open({ concurrentRuns: 1, queuedRuns: 2 });
    const workflow = await deploy(step("x"));
    const results = [];
    for (let count = 0; count < 5; count++) {
      results.push(await stepwell.runs.create(app, workflow).catch((error: unknown) => error));
    }
    expect(results.slice(3)).toEqual([
      expect.objectContaining({ code: "too_many_requests", headers: { "retry-after": "1" } }),
      expect.objectContaining({ code: "too_many_requests" }),
    ]);
    expect((await stepwell.runs.list(app)).items).toHaveLength(3);
    answerAll();
    for (const { id } of (await stepwell.runs.list(app)).items) expect((await wait(id)).status).toBe("succeeded");
  });

  it("can be canceled in the queue, and never execute then", async () => {
    const { stepwell, app, deploy, step, server, atWork, answerAll, wait } = await open({ concurrentRuns: 1 });
    const workflow = await deploy(step("x"));
    const first = await stepwell.runs.create(app, workflow);
    const second = await stepwell.runs.create(app, workflow);
    const third = await stepwell.runs.create(app, workflow);
    expect((await stepwell.runs.cancel(app, second.id)).status).toBe("canceled");
    await until(() => atWork() === 1);
    answerAll();
    expect((await wait(third.id)).status).toBe("succeeded");
    expect((await wait(first.id)).status).toBe("succeeded");
    expect(server.received).toHaveLength(2);
  });

  it("with one slot can still execute a child run", async () => {
    const { stepwell, app, deploy, step, atWork, answerAll, wait } = await open({ concurrentRuns: 1 });
    const child = await deploy(step("child"));
    const parent = await deploy([{ type: "workflow", key: "call", input: null, workflow_id: child }]);
    const { id } = await stepwell.runs.create(app, parent);
    await until(() => atWork() === 1);
    answerAll();
    expect((await wait(id)).status).toBe("succeeded");
  });
});

it("queued runs resume after a restart", async () => {
  const server = await openServer(() => ({}));
  closers.push(server.close);
  const data = new Map<string, string>();
  const steps: Step[] = [{ type: "http_request", key: "call", url: server.url }];
  const never = await openServer(() => new Promise(() => {}));
  closers.push(never.close);
  const first = await openService({
    storage: { entities: memory(data).driver },
    net: { allow: ["127.0.0.1"] },
    limits: { concurrentRuns: 1 },
  });
  const blocker = await first.deploy([{ type: "http_request", key: "call", url: never.url }]);
  const workflow = await first.deploy(steps);
  const blocking = await first.stepwell.runs.create(first.app, blocker);
  const queued = await Promise.all(Array.from({ length: 5 }, () => first.stepwell.runs.create(first.app, workflow)));
  expect(queued.every(({ status }) => status === "queued")).toBe(true);

  const second = await openService(
    {
      storage: { entities: memory(new Map(data)).driver },
      net: { allow: ["127.0.0.1"] },
      limits: { concurrentRuns: 2 },
    },
    first.app,
  );
  closers.push(async () => {
    await second.stepwell.runs.cancel(second.app, blocking.id);
    await second.stepwell.close();
  });
  for (const { id } of queued) expect((await second.wait(id)).status).toBe("succeeded");
  expect(server.received).toHaveLength(5);
});
