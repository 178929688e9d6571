/** Calls for a run at the moment at which it is being stored, and closing a service. */
import { afterEach, describe, expect, it } from "vitest";
import { memory } from "../support/engine/memory.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { give, input, openService, type Service, scripted, statuses, step } from "../support/engine/service.ts";
import { turnEventLoop } from "../support/event-loop.ts";

const open: Service[] = [];
afterEach(async () => {
  for (const { stepwell } of open.splice(0)) await stepwell.close();
});

/** A service in which a step with the code `hold` blocks the storage of its own outcome. */
async function slowStorage() {
  const storage = memory(new Map());
  const sandbox = scripted({
    hold() {
      storage.hold();
      return "held";
    },
  });
  const service = await openService({ storage: { entities: storage.driver }, sandbox });
  open.push(service);
  return { service, ...storage };
}

const hold = { type: "code", key: "hold", code: "hold" } as const;

describe("while the storage writes", () => {
  it("a run that is about to wait can be canceled", async () => {
    const { service, held, release } = await slowStorage();
    const { id } = await service.start([input("in"), hold, input("approval")]);
    await held();
    const canceled = service.stepwell.runs.cancel(service.app, id);
    await turnEventLoop();
    release();
    expect((await canceled).status).toBe("canceled");
    expect((await service.get(id)).status).toBe("canceled");
  });

  it("reading a run that is about to end returns it completely ended or still running", async () => {
    const { service, held, release } = await slowStorage();
    const { id } = await service.start([hold]);
    await held();
    const read = service.get(id);
    await turnEventLoop();
    release();
    const run = await read;
    const { status, output } = step(run, "hold");
    expect([
      ["running", null, "running", null],
      ["succeeded", "held", "succeeded", "held"],
    ]).toContainEqual([run.status, run.output, status, output]);
    expect(await service.wait(id)).toMatchObject({ status: "succeeded", output: "held" });
  });

  it("a step whose outcome cannot be stored is never shown as succeeded", async () => {
    const data = new Map<string, string>();
    const { driver } = memory(data);
    let isFull = false;
    const entities: typeof driver = {
      ...driver,
      async setItem(...given) {
        if (isFull) throw new Error("the disk is full");
        return driver.setItem?.(...given);
      },
    };
    const sandbox = scripted({
      fill() {
        isFull = true;
        return "filled";
      },
    });
    const service = await openService({ storage: { entities }, sandbox, clock: quickClock() });
    open.push(service);
    const { id } = await service.start([{ type: "code", key: "fill", code: "fill" }, give("after")]);
    const waited = service.wait(id).catch((error: unknown) => error);
    await expect.poll(() => isFull).toBe(true);
    // Read while the write is retried.
    expect(step(await service.get(id), "fill").status).not.toBe("succeeded");
    expect(await waited).toMatchObject({ code: "unavailable" });
    expect(step(await service.get(id), "fill").status).not.toBe("succeeded");
  });

  it("a step starts only after the outcome of the previous one is stored", async () => {
    const storage = memory(new Map());
    let started = 0;
    const sandbox = scripted({
      hold() {
        storage.hold();
        return "held";
      },
      count: () => ++started,
    });
    const service = await openService({ storage: { entities: storage.driver }, sandbox });
    open.push(service);
    const { id } = await service.start([hold, { type: "code", key: "after", code: "count" }]);
    await storage.held();
    await turnEventLoop();
    expect(started).toBe(0);
    storage.release();
    expect(await service.wait(id)).toMatchObject({ status: "succeeded", output: 1 });
  });

  it("a list shows a run as running until its end is stored", async () => {
    const { service, held, release } = await slowStorage();
    const { id } = await service.start([hold, give("after")]);
    await held();
    const { items } = await service.stepwell.runs.list(service.app);
    expect(items).toMatchObject([{ id, status: "running" }]);
    release();
    expect(await service.wait(id)).toMatchObject({ status: "succeeded", output: "after" });
  });

  it("a run whose success is being written cannot be canceled any more", async () => {
    const { service, held, release } = await slowStorage();
    const { id } = await service.start([hold]);
    await held();
    const canceled = service.stepwell.runs.cancel(service.app, id);
    await turnEventLoop();
    release();
    expect((await canceled).status).toBe((await service.get(id)).status);
    expect((await service.get(id)).status).toBe("succeeded");
  });

  it("a run that has not ended can be canceled at any moment", async () => {
    const service = await openService();
    open.push(service);
    const workflow = await service.deploy([input("in"), give("a"), give("b"), input("approval"), give("c")]);
    for (let ticks = 0; ticks < 120; ticks++) {
      const { id } = await service.stepwell.runs.create(service.app, workflow);
      for (let tick = 0; tick < ticks; tick++) await undefined;
      const { status } = await service.stepwell.runs.cancel(service.app, id);
      expect(status, `after ${ticks} ticks`).toBe("canceled");
    }
  });
});

describe("closing a service", () => {
  it("waits for running steps, stores them, and starts no others", async () => {
    const data = new Map<string, string>();
    let started = 0;
    let finish: () => void = () => undefined;
    const slow = async () => {
      started++;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return "slow";
    };
    const sandbox = scripted({ slow });
    const first = await openService({ storage: { entities: memory(data).driver }, sandbox });
    const { id } = await first.start([
      { type: "code", key: "a", code: "slow" },
      { type: "code", key: "b", code: "slow" },
    ]);
    await expect.poll(() => started).toBe(1);
    const closing = first.stepwell.close();
    await turnEventLoop();
    finish();
    await closing;
    expect(started).toBe(1);
    const second = await openService({ storage: { entities: memory(data).driver }, sandbox }, first.app);
    open.push(second);
    await expect.poll(() => started).toBe(2);
    finish();
    expect(await second.wait(id)).toMatchObject({ status: "succeeded", output: "slow" });
    expect(started).toBe(2);
  });

  it("starts no queued runs", async () => {
    let started = 0;
    const finish: (() => void)[] = [];
    const slow = async () => {
      started++;
      await new Promise<void>((resolve) => finish.push(resolve));
      return "slow";
    };
    const service = await openService({ sandbox: scripted({ slow }), limits: { concurrentRuns: 2 } });
    const workflow = await service.deploy([{ type: "code", key: "a", code: "slow" }]);
    for (let count = 0; count < 4; count++) await service.stepwell.runs.create(service.app, workflow);
    await expect.poll(() => started).toBe(2);
    const closing = service.stepwell.close();
    // The first ends and releases its slot while closing still waits for the second.
    finish[0]?.();
    await turnEventLoop();
    finish[1]?.();
    await closing;
    expect(started).toBe(2);
  });

  it("reads nothing after it disposed of the storage, not even runs that it is resuming", async () => {
    const data = new Map<string, string>();
    const clock = quickClock();
    const first = await openService({ storage: { entities: memory(data).driver }, clock });
    const workflow = await first.deploy([{ type: "code", key: "a", code: "hang" }]);
    for (let count = 0; count < 20; count++) await first.stepwell.runs.create(first.app, workflow);
    await first.stepwell.close();

    let late = 0;
    let isDisposed = false;
    const { driver } = memory(data);
    const entities: typeof driver = {
      ...driver,
      getItem: async (key) => {
        if (isDisposed) late++;
        await turnEventLoop(2);
        return data.get(key) ?? null;
      },
      dispose() {
        isDisposed = true;
      },
    };
    const second = await openService({ storage: { entities }, clock }, first.app);
    await second.stepwell.runs.list(first.app);
    await second.stepwell.close();
    await turnEventLoop();
    expect(late).toBe(0);
  });

  it("rejects new runs and waiting callers with unavailable", async () => {
    const service = await openService();
    const workflow = await service.deploy([input("in"), input("approval")]);
    const { id } = await service.stepwell.runs.create(service.app, workflow);
    const waited = service.wait(id).catch((error: unknown) => error);
    await turnEventLoop();
    await service.stepwell.close();
    expect(await waited).toMatchObject({ code: "unavailable" });
    await expect(service.stepwell.runs.create(service.app, workflow)).rejects.toMatchObject({ code: "unavailable" });
  });

  it("does not cancel child runs; the next process resumes them with their parents", async () => {
    const data = new Map<string, string>();
    const options = () => ({ storage: { entities: memory(data).driver }, clock: quickClock() });
    const first = await openService(options());
    const child = await first.deploy([input("in"), input("approval")]);
    const { id } = await first.start([
      { type: "workflow", key: "call", input: null, workflow_id: child },
      give("after"),
    ]);
    await expect.poll(async () => (await first.stepwell.runs.listOfWorkflow(first.app, child)).items.length).toBe(1);
    await first.stepwell.close();

    const second = await openService(options(), first.app);
    open.push(second);
    const { items } = await second.stepwell.runs.listOfWorkflow(first.app, child);
    expect(items).toMatchObject([{ status: "waiting", parent_run_id: id }]);
    await second.stepwell.runs.provide(first.app, items[0]?.id ?? "", "approval", {});
    const run = await second.wait(id);
    expect(statuses(run)).toEqual({ call: "succeeded", after: "succeeded" });
  });

  it("emits no process warnings with 30 running runs", async () => {
    const warnings: Error[] = [];
    const warned = (warning: Error) => void warnings.push(warning);
    process.on("warning", warned);
    const service = await openService({ clock: quickClock() });
    const workflow = await service.deploy([{ type: "code", key: "a", code: "hang" }]);
    for (let count = 0; count < 30; count++) await service.stepwell.runs.create(service.app, workflow);
    await service.stepwell.close();
    await turnEventLoop();
    process.off("warning", warned);
    expect(warnings).toEqual([]);
  });
});
