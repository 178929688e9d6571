/** Storage that fails in any one call of a run: the run ends correctly, at the latest after the next start. */
import { beforeAll, describe, expect, it } from "vitest";
import { isStepwellError, type JsonValue, type Run, type Step, type StepOf } from "../../src/index.ts";
import { stubHttp } from "../../src/testing/http.ts";
import { drive, essence } from "../support/engine/crash.ts";
import { type quickClock, quickStorageClock } from "../support/engine/quick-clock.ts";
import { input, openService, type Service, to } from "../support/engine/service.ts";
import { callsToFail } from "../support/storage/calls-to-fail.ts";
import { type Fault, faultyDriver } from "../support/storage/faulty.ts";
import { until } from "../support/until.ts";

const ADDRESS = "https://world.example/";
const AT_ONCE = 16;
/** Long enough to be stored as a document of its own. */
const LARGE = "x".repeat(17_000);

const call = (key: string, more: Partial<StepOf<"http_request">> = {}): Step => ({
  method: "POST",
  body: "{{ json(input) }}",
  ...more,
  type: "http_request",
  key,
  url: ADDRESS,
});

/** The number of idempotency keys: a, b twice, inner and end. */
const REQUESTS = 5;

/** Storage with the workflow in it. */
const template = new Map<string, string>();
let app: string;
let workflow: string;
let expected: JsonValue;

function open(driver: ReturnType<typeof faultyDriver>["driver"], clock: ReturnType<typeof quickClock>) {
  const world = stubHttp({ [`POST ${ADDRESS}`]: ({ body }) => ({ json: { body, text: LARGE } }) });
  return { world, service: openService({ storage: { entities: driver }, clock, fetch: world.fetch }, app) };
}

beforeAll(async () => {
  const service = await openService({ storage: { entities: faultyDriver(template, "rejects", 0).driver } });
  app = service.app;
  const child = await service.deploy([input("in"), call("inner")]);
  workflow = await service.deploy([
    input("in", to("a", "b")),
    call("a", to("child")),
    call("b", { ...to("child"), loop: "iteration == 2" }),
    { type: "workflow", key: "child", workflow_id: child, input: { n: 7 }, ...to("ask") },
    input("ask", { input: { answer: { type: "string" } }, ...to("end") }),
    call("end", { body: "{{ steps.ask.output.answer }}" }),
  ]);
  await service.stepwell.close();
  const healthy = await resumeWithoutFaults(new Map(template), null);
  expect(healthy.run.status).toBe("succeeded");
  expected = comparable(healthy.run);
});

/** The long texts shortened, so that a difference can be read. */
const comparable = (run: Run): JsonValue => JSON.parse(JSON.stringify(essence(run)).replaceAll(LARGE, "LARGE"));

/** The result of a call; null if it rejects, which must be with `unavailable`. */
async function resultOrNull<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    expect(isStepwellError(error, "unavailable"), String(error)).toBe(true);
    return null;
  });
}

/** Provides the requested input and returns the ended run; null if waiting for the run failed. */
async function provideAndWait(service: Service, id: string): Promise<Run | null> {
  let isOver = false;
  const ended = resultOrNull(service.wait(id)).finally(() => {
    isOver = true;
  });
  await until(async () => {
    const run = await resultOrNull(service.get(id));
    const isAsking = run?.steps.some(({ key, status }) => key === "ask" && status === "waiting");
    if (isAsking === true) await resultOrNull(service.stepwell.runs.provide(app, id, "ask", { answer: "yes" }));
    return isOver;
  });
  return ended;
}

/** A process without faults: finishes the run, or one that it creates. */
async function resumeWithoutFaults(data: Map<string, string>, id: string | null) {
  const opened = open(faultyDriver(data, "rejects", 0).driver, quickStorageClock());
  const service = await opened.service;
  const runId = id ?? (await service.stepwell.runs.create(app, workflow, { input: { n: 1 } })).id;
  const run = await drive(service, runId);
  const { items } = await service.stepwell.runs.listOfWorkflow(app, workflow);
  await service.stepwell.close();
  return { run, runs: items.length, requests: keysOf(opened.world) };
}

const keysOf = ({ requests }: ReturnType<typeof stubHttp>) => requests.map(({ headers }) => headers["idempotency-key"]);

/**
 * Executes a run; returns the number of driver calls.
 * @param hangs Milliseconds of the quick clock after which a call that hangs takes effect after all.
 */
async function survive(fault: Fault, at: number, hangs = Number.POSITIVE_INFINITY): Promise<number> {
  const data = new Map(template);
  const faulty = faultyDriver(data, fault, at);
  const clock = quickStorageClock();
  if (Number.isFinite(hangs)) void faulty.begun.then(() => clock.after(hangs, faulty.release));
  const { world, service: opening } = open(faulty.driver, clock);
  const service = await opening;
  let id: string | null = null;
  for (let tries = 0; id === null && tries < 3; tries++) {
    id = (await resultOrNull(service.stepwell.runs.create(app, workflow, { input: { n: 1 } })))?.id ?? null;
  }
  // If the storage hangs forever, nothing is stored, and the next process creates the run.
  const ended = id === null ? null : await provideAndWait(service, id);
  await resultOrNull(service.stepwell.close());

  const before = keysOf(world);
  // No single failing call may fail the run.
  if (ended !== null) expect(ended.error).toBeNull();
  const after = await resumeWithoutFaults(data, id);
  expect(comparable(after.run)).toEqual(expected);
  expect(after.runs).toBe(1);
  expect(new Set(before).size).toBe(before.length);
  expect(new Set([...before, ...after.requests]).size).toBe(REQUESTS);
  if (ended !== null) {
    expect(after.run).toEqual(ended);
    expect(after.requests).toEqual([]);
  }
  return faulty.calls;
}

describe("a run", () => {
  it.each<[string, Fault, number?]>([
    ["rejects", "rejects"],
    ["loses the response", "loses the response"],
    ["is slow", "hangs", 10_000],
    ["takes effect after its timeout", "hangs", 45_000],
    ["hangs forever", "hangs"],
  ])("ends correctly and repeats no request when any one storage call %s", async (_, fault, hangs) => {
    // The number of calls without a fault.
    const calls = await survive(fault, Number.POSITIVE_INFINITY);
    const left = callsToFail(calls, fault, 12).values();
    const work = async () => {
      for (const at of left) {
        await survive(fault, at, hangs).catch((cause) => {
          throw new Error(`call ${at}: ${cause.message}`, { cause });
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(calls).toBeGreaterThan(15);
  });
});
