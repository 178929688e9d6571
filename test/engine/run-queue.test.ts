/** Slots of runs: never more than the limits, each released once, whatever happens at the same time. */
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { Options, Run, StepwellError } from "../../src/index.ts";
import { memory } from "../support/engine/memory.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { give, input, openService, type Script, type Service, scripted } from "../support/engine/service.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { until } from "../support/until.ts";

const open: Service[] = [];
afterEach(async () => {
  for (const { stepwell } of open.splice(0)) await stepwell.close();
});

/** A service whose steps with the code `work` end when the test says so. */
async function openGated(limits: Options["limits"], options: Options = {}) {
  const held = new Set<() => void>();
  let most = 0;
  const work: Script = ({ signal }, argument) =>
    new Promise((resolve, reject) => {
      const leave = () => {
        held.delete(end);
        signal?.removeEventListener("abort", canceled);
      };
      const end = () => {
        leave();
        resolve(argument);
      };
      const canceled = () => {
        leave();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", canceled);
      held.add(end);
      most = Math.max(most, held.size);
    });
  const service = await openService({ ...options, sandbox: scripted({ work }), ...(limits && { limits }) });
  open.push(service);
  return {
    ...service,
    held,
    /** The most runs that executed at the same time so far. */
    most: () => most,
    endOne: () => [...held][0]?.(),
  };
}

type Gated = Awaited<ReturnType<typeof openGated>>;

const delay = {
  type: "service",
  key: "wait",
  service: { service: "scheduler", action: "delay", input: { seconds: 0.02 } },
} as const;
const work = { type: "code", key: "work", code: "work" } as const;
const codeOf = (error: unknown) => (error as StepwellError).code;

/** Ends steps until none is left and every run has ended. */
async function endAll(service: Gated, ids: readonly string[]): Promise<Run[]> {
  let runs: Run[] = [];
  await until(async () => {
    for (const end of service.held) end();
    runs = await Promise.all(ids.map(service.get));
    return runs.every(({ finished_at }) => finished_at !== null);
  });
  return runs;
}

/** Fills all slots and the queue, which shows that no slot was lost or released twice. */
async function expectAllFree(service: Gated, workflow: string, runs: number, queued: number): Promise<void> {
  const create = () => service.stepwell.runs.create(service.app, workflow);
  const created = [];
  for (let count = 0; count < runs + queued; count++) created.push(await create());
  expect(created.map(({ status }) => status)).toEqual([
    ...Array<string>(runs).fill("running"),
    ...Array<string>(queued).fill("queued"),
  ]);
  await expect(create()).rejects.toMatchObject({ code: "too_many_requests" });
  await endAll(
    service,
    created.map(({ id }) => id),
  );
}

describe("two concurrent retries of one run", () => {
  it("leave one winner in the queue, which starts when a slot is free", async () => {
    const service = await openGated({ concurrentRuns: 1 });
    const { stepwell, app, deploy, endOne, held, wait } = service;
    const workflow = await deploy([work]);
    const { id } = await stepwell.runs.create(app, workflow);
    await stepwell.runs.cancel(app, id);
    const blocking = await stepwell.runs.create(app, workflow);
    await expect.poll(() => held.size).toBe(1);
    const both = await Promise.allSettled([stepwell.runs.retry(app, id), stepwell.runs.retry(app, id)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    endOne();
    await wait(blocking.id);
    await expect.poll(() => held.size).toBe(1);
    endOne();
    expect((await wait(id)).status).toBe("succeeded");
  });

  it("leave the winner its slot, so that no other run exceeds the limit", async () => {
    const service = await openGated({ concurrentRuns: 1, queuedRuns: 1 });
    const { stepwell, app, deploy, held } = service;
    const workflow = await deploy([work]);
    const { id } = await stepwell.runs.create(app, workflow);
    await stepwell.runs.cancel(app, id);
    await Promise.allSettled([stepwell.runs.retry(app, id), stepwell.runs.retry(app, id)]);
    await expect.poll(() => held.size).toBe(1);
    const next = await stepwell.runs.create(app, workflow);
    expect(next.status).toBe("queued");
    await endAll(service, [id, next.id]);
    await expectAllFree(service, workflow, 1, 1);
  });
});

it("a burst of 40 creations fills the slots and the queue, and rejects the rest", async () => {
  const service = await openGated({ concurrentRuns: 2, queuedRuns: 10 });
  const workflow = await service.deploy([work]);
  const burst = await Promise.allSettled(
    Array.from({ length: 40 }, () => service.stepwell.runs.create(service.app, workflow)),
  );
  const created = burst.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const refused = burst.flatMap((one) => (one.status === "rejected" ? [codeOf(one.reason)] : []));
  expect(created).toHaveLength(12);
  expect(refused).toEqual(Array<string>(28).fill("too_many_requests"));
  await endAll(
    service,
    created.map(({ id }) => id),
  );
  await expectAllFree(service, workflow, 2, 10);
});

it("a run that is provided with input while all slots are taken is queued until one is free", async () => {
  const service = await openGated({ concurrentRuns: 1 });
  const { stepwell, app, deploy, held, most } = service;
  const asking = await deploy([input("in"), input("ask"), work]);
  const { id } = await stepwell.runs.create(app, asking);
  const blocking = await stepwell.runs.create(app, await deploy([work]));
  await expect.poll(() => held.size).toBe(1);
  await stepwell.runs.provide(app, id, "ask", {});
  expect((await service.get(id)).status).toBe("queued");
  const ended = await endAll(service, [blocking.id, id]);
  expect(ended.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  expect(most()).toBe(1);
});

it("a canceled run leaves the queue at once", async () => {
  const service = await openGated({ concurrentRuns: 1, queuedRuns: 1 });
  const { stepwell, app, deploy } = service;
  const workflow = await deploy([work]);
  const create = () => stepwell.runs.create(app, workflow);
  const first = await create();
  const second = await create();
  await expect(create()).rejects.toMatchObject({ code: "too_many_requests" });
  await stepwell.runs.cancel(app, second.id);
  const third = await create();
  expect(third.status).toBe("queued");
  await endAll(service, [first.id, third.id]);
  await expectAllFree(service, workflow, 1, 1);
});

const RUNS = 2;
const QUEUED = 3;

type Action =
  | { readonly do: "create"; readonly kind: number }
  | { readonly do: "cancel" | "retry" | "provide" | "two retries"; readonly run: number }
  | { readonly do: "end a step" | "fail the next write" | "let time pass" };

const someRun = fc.nat({ max: 30 });
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("create" as const), kind: fc.nat({ max: 3 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("cancel" as const, "retry" as const, "provide" as const, "two retries" as const),
      run: someRun,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom("end a step" as const, "fail the next write" as const, "let time pass" as const),
    }),
  },
);

/** Errors that a caller may get when others act at the same time. */
const REFUSALS = new Set(["conflict", "too_many_requests", "unavailable", "not_found"]);

describe("slots", () => {
  it("are never exceeded, lost or released twice under random concurrent calls", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(action, fc.boolean()), { minLength: 10, maxLength: 40 }), async (script) => {
        let failing = 0;
        const { driver } = memory(new Map());
        const entities: typeof driver = {
          ...driver,
          async setItem(...given) {
            if (failing > 0) {
              failing--;
              throw new Error("the disk is broken");
            }
            return driver.setItem?.(...given);
          },
        };
        const service = await openGated(
          { concurrentRuns: RUNS, queuedRuns: QUEUED },
          { storage: { entities }, clock: quickClock() },
        );
        const { stepwell, app, deploy } = service;
        const plain = await deploy([work]);
        const child = await deploy([give("child")]);
        const workflows = [
          plain,
          await deploy([input("in"), input("ask"), work]),
          await deploy([delay, work]),
          await deploy([{ type: "workflow", key: "call", input: null, workflow_id: child }, work]),
        ];
        const ids: string[] = [];
        const pick = (index: number) => ids[index % Math.max(1, ids.length)] ?? "run_none";

        const act = async (one: Action): Promise<void> => {
          switch (one.do) {
            case "create":
              ids.push((await stepwell.runs.create(app, workflows[one.kind] ?? plain)).id);
              return;
            case "cancel":
              return void (await stepwell.runs.cancel(app, pick(one.run)));
            case "retry":
              return void (await stepwell.runs.retry(app, pick(one.run)));
            case "two retries": {
              const id = pick(one.run);
              await Promise.all([stepwell.runs.retry(app, id), stepwell.runs.retry(app, id)]);
              return;
            }
            case "provide":
              return void (await stepwell.runs.provide(app, pick(one.run), "ask", {}));
            case "end a step":
              return service.endOne();
            case "fail the next write":
              failing = 1;
              return;
            case "let time pass":
              return turnEventLoop(20);
          }
        };

        const under = new Set<Promise<void>>();
        for (const [one, isAwaited] of script) {
          const done = act(one).catch((error: unknown) => {
            expect(REFUSALS, String(error)).toContain(codeOf(error));
          });
          under.add(done);
          if (isAwaited) await done;
          expect(service.most()).toBeLessThanOrEqual(RUNS);
        }
        await Promise.all(under);
        failing = 0;
        await endEverything(service, ids);
        expect(service.most()).toBeLessThanOrEqual(RUNS);
        await expectAllFree(service, plain, RUNS, QUEUED);
        await stepwell.close();
      }),
      { numRuns: 20 },
    );
  });
});

/** Provides input to all waiting runs until all have ended. */
async function endEverything(service: Gated, ids: readonly string[]): Promise<void> {
  await until(async () => {
    for (const end of service.held) end();
    const runs = await Promise.all(ids.map(service.get));
    for (const { id, steps } of runs) {
      const isAsking = steps.some(({ key, status }) => key === "ask" && status === "waiting");
      if (isAsking) await service.stepwell.runs.provide(service.app, id, "ask", {}).catch(() => undefined);
    }
    return runs.every(({ finished_at }) => finished_at !== null);
  });
}
