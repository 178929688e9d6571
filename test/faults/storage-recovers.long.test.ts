/** A store that fails while a service starts: everything resumes as soon as it recovers. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import type { Logger, Run } from "../../src/index.ts";
import type { Driver } from "../../src/ports/driver.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { memory } from "../support/engine/memory.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { give, input, openService, type Service, scripted } from "../support/engine/service.ts";
import { until } from "../support/until.ts";
import { startChild } from "./child.ts";

const open: Service[] = [];
afterEach(async () => {
  for (const { stepwell } of open.splice(0)) await stepwell.close();
});

const delay = {
  type: "service",
  key: "wait",
  service: { service: "scheduler", action: "delay", input: { seconds: 5 } },
} as const;

/** What a dead process left: runs in every state, a schedule that is due, a record whose rule has not run. */
const left = new Map<string, string>();
let app: string;
let ids: Readonly<Record<"active" | "queued" | "due" | "asking", string>>;
let scheduled: string;
let collection: string;

beforeAll(async () => {
  const data = new Map<string, string>();
  const hang = scripted({ work: () => new Promise(() => undefined) });
  // A minute ago, when this process ran, nothing was due yet.
  const clock = createTestClock(new Date(systemClock.now() - 60_000).toISOString());
  const service = await openService({
    storage: { entities: memory(data).driver },
    sandbox: hang,
    limits: { concurrentRuns: 1 },
    clock,
  });
  app = service.app;
  const work = await service.deploy([{ type: "code", key: "work", code: "work" }, give("end")]);
  scheduled = await service.deploy([give("tick")]);
  const start = async (workflow: string) => (await service.stepwell.runs.create(app, workflow)).id;
  const due = await start(await service.deploy([input("in"), delay, give("end")]));
  await service.until(due, ({ status }) => status === "waiting");
  const asking = await start(await service.deploy([input("in"), input("ask"), give("end")]));
  const active = await start(work);
  const queued = await start(work);
  ids = { active, queued, due, asking };
  const at = new Date(clock.now() + 5_000).toISOString();
  await service.stepwell.schedules.create(app, { workflow_id: scheduled, at });
  const rules = [{ name: "check", key: "check", workflow_id: scheduled }];
  collection = (await service.stepwell.collections.create(app, { name: "Loans", config: { rules } })).id;
  void service.stepwell.records.create(app, collection, { key: "one", data: { loan: { amount: 1 } } });
  await until(async () => (await service.stepwell.records.list(app, collection)).items.length === 1);
  for (const [key, text] of data) left.set(key, text);
  void service.stepwell.close();
});

/** Storage whose first calls fail. */
function failingFirst(calls: number) {
  const { driver } = memory(new Map(left));
  let made = 0;
  const counted =
    <Given extends unknown[], Result>(act: (...given: Given) => Result) =>
    async (...given: Given): Promise<Awaited<Result>> => {
      if (++made <= calls) throw new Error("ECONNREFUSED 10.0.0.7:6379");
      return await act(...given);
    };
  const entities: Driver = {
    ...driver,
    hasItem: counted(driver.hasItem),
    getItem: counted(driver.getItem),
    ...(driver.setItem && { setItem: counted(driver.setItem) }),
    ...(driver.removeItem && { removeItem: counted(driver.removeItem) }),
  };
  return { entities, made: () => made };
}

async function expectTakenUp(service: Service): Promise<void> {
  const { stepwell, wait, get } = service;
  const ended: Run[] = await Promise.all([ids.active, ids.queued, ids.due].map(wait));
  expect(ended.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
  expect((await get(ids.asking)).status).toBe("waiting");
  await expect.poll(async () => (await stepwell.runs.listOfWorkflow(app, scheduled)).items.length).toBe(2);
  await expect
    .poll(async () => (await stepwell.records.list(app, collection)).items[0]?.rule_results[0]?.result)
    .toBe("PASS");
}

describe("a service whose store fails at startup", () => {
  it("resumes runs, schedules and rules of the earlier process, however many of the first calls fail", async () => {
    const healthy = failingFirst(0);
    const sandbox = scripted({ work: () => "done" });
    // An outage takes no time, so that the rule is not stopped for taking longer than ten minutes.
    const clock = () => quickClock(10_000, undefined, false);
    const options = (entities: Driver) => ({ storage: { entities }, clock: clock(), sandbox });
    const first = await openService(options(healthy.entities), app);
    await first.stepwell.ready();
    await expectTakenUp(first);
    await first.stepwell.close();
    const calls = healthy.made();
    expect(calls).toBeGreaterThan(5);
    const survive = async (failing: number) => {
      const service = await openService(options(failingFirst(failing).entities), app);
      await service.stepwell.ready();
      await expectTakenUp(service);
      await service.stepwell.close();
    };
    let next = 1;
    const work = async () => {
      // Each of the first calls, which open the store; then every 19th.
      while (next <= calls) {
        const failing = next;
        next += failing < 16 ? 1 : 19;
        await survive(failing).catch((cause) => {
          throw new Error(`the first ${failing} calls: ${cause.message}`, { cause });
        });
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
  });

  it("reports 503 at GET /health with the failing part, logs it once, and resolves ready() on recovery", async () => {
    let isDown = true;
    const { driver } = memory(new Map(left));
    const entities: Driver = {
      ...driver,
      async getItem(key, options) {
        if (isDown) throw new Error("ECONNREFUSED 10.0.0.7:6379");
        return driver.getItem(key, options);
      },
    };
    const lines: string[] = [];
    const take = (message: string) => void lines.push(message);
    const logger: Logger = { debug() {}, info: take, warn: take, error: take };
    const clock = quickClock(100);
    const service = await openService(
      { storage: { entities }, clock, logger, sandbox: scripted({ work: () => 1 }) },
      app,
    );
    open.push(service);
    const health = async () => {
      const response = await service.stepwell.fetch(new Request("http://localhost:3000/health"));
      return { status: response.status, body: await response.json() };
    };
    let isReady = false;
    const ready = service.stepwell.ready().then(() => {
      isReady = true;
    });
    await expect.poll(() => clock.waits.filter((wait) => wait === 1_600).length).toBeGreaterThan(0);
    const down = await health();
    expect(down.status).toBe(503);
    expect(down.body).toMatchObject({ status: "not_ready" });
    expect(down.body.not_ready).toContainEqual(
      expect.objectContaining({ part: "storage", reason: "storage unavailable" }),
    );
    expect(JSON.stringify(down.body)).not.toContain("10.0.0.7");
    expect(isReady).toBe(false);
    isDown = false;
    await ready;
    expect(await health()).toEqual({ status: 200, body: { status: "ready" } });
    await expectTakenUp(service);
    expect(lines.filter((line) => line !== "storage: still failing")).toEqual([
      "storage: failed; retrying until it succeeds",
      expect.stringContaining("cannot fence the writes"),
      "storage: recovered",
    ]);
  });

  it("logs ever less often while it retries, and removes expired files once it is ready", async () => {
    const data = new Map<string, string>();
    const before = await openService({ storage: { entities: memory(data).driver } });
    const { upload_url } = await before.stepwell.files.createUpload(before.app);
    const { id } = await before.stepwell.files.receive(upload_url, { name: "a.txt", body: new Uint8Array(9) });
    const soon = new Date(systemClock.now() + 60_000).toISOString();
    await before.stepwell.files.update(before.app, id, { expires_at: soon });
    await before.stepwell.close();
    const bytes = () => [...data.keys()].filter((key) => key.startsWith("blob:"));
    expect(bytes()).toHaveLength(1);

    let isDown = true;
    const { driver } = memory(data);
    const entities: Driver = {
      ...driver,
      async getItem(key, options) {
        if (isDown) throw new Error("The folder is in use");
        return driver.getItem(key, options);
      },
    };
    const lines: string[] = [];
    const take = (message: string) => void lines.push(message);
    const logger: Logger = { debug() {}, info() {}, warn: take, error: take };
    const clock = createTestClock(new Date(systemClock.now() + 3_600_000).toISOString());
    const service = await openService({ storage: { entities }, clock, logger }, before.app);
    open.push(service);
    const [first, still] = ["storage: failed; retrying until it succeeds", "storage: still failing"];
    await clock.advance("5s");
    expect(lines).toEqual([first]);
    await clock.advance("60s");
    expect(lines).toEqual([first, still, still]);
    await clock.advance("1h");
    expect(lines.length).toBeLessThan(12);
    isDown = false;
    await clock.advance("10s");
    await service.stepwell.ready();
    expect(lines.at(-1)).toBe("storage: recovered");
    await clock.advance("1s");
    expect(bytes()).toEqual([]);
  });

  it("rejects ready() when it is closed before it recovers", async () => {
    const entities: Driver = {
      ...memory(new Map()).driver,
      getItem: async () => {
        throw new Error("down");
      },
    };
    const service = await openService({ storage: { entities } }, app);
    const rejected = expect(service.stepwell.ready()).rejects.toMatchObject({ code: "unavailable" });
    await service.stepwell.close();
    await rejected;
  });
});

it("a service starts on a folder that another process holds once that process ends", async () => {
  const base = await mkdtemp(join(tmpdir(), "stepwell-held-"));
  const first = await openService({
    storage: { entities: fsDriver({ base }) },
    sandbox: scripted({ work: () => new Promise(() => undefined) }),
    clock: quickClock(1_000, 15_000), // closing waits ten seconds for what is at work, the storage has 30
  });
  const { id } = await first.start([{ type: "code", key: "work", code: "work" }, give("end")]);
  await first.stepwell.close();

  const owner = await startChild(join(import.meta.dirname, "owner.ts"), [base]);
  await owner.line((line) => line === "ready");
  const clock = quickClock(20);
  const second = await openService(
    { storage: { entities: fsDriver({ base }) }, clock, sandbox: scripted({ work: () => "done" }) },
    first.app,
  );
  open.push(second);
  await expect.poll(() => clock.waits.filter((wait) => wait === 400).length).toBeGreaterThan(0);
  await owner.kill();
  await second.stepwell.ready();
  expect((await second.wait(id)).status).toBe("succeeded");
  await second.stepwell.close();
  await rm(base, { recursive: true });
});
