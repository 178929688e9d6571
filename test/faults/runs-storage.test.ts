/** Storage that does one call of a run wrongly, whichever it is: the run ends right, at the latest after the next start. */
import { beforeAll, describe, expect, it } from "vitest";
import { isStepwellError, type JsonValue, type Run, type Step, type StepOf } from "../../src/index.ts";
import { stubHttp } from "../../src/testing/http.ts";
import { drive, essence } from "../support/engine/crash.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { input, openService, type Service, to } from "../support/engine/service.ts";
import { type Fault, faultyDriver } from "../support/storage/faulty.ts";
import { until } from "../support/until.ts";

const ADDRESS = "https://world.example/";
/** The storage is given up on after 150 ms instead of 30 s; steps have all of their time. */
const createClock = () => quickClock(200, 45_000);
const AT_ONCE = 16;
/** Of three calls one; the simulation draws from all of them. */
const STRIDE = 3;
/** Long enough for a document of its own. */
const LARGE = "x".repeat(17_000);

const call = (key: string, more: Partial<StepOf<"http_request">> = {}): Step => ({
  method: "POST",
  body: "{{ json(input) }}",
  ...more,
  type: "http_request",
  key,
  url: ADDRESS,
});

/** By how many keys: a, b twice, inner and end. */
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
  const healthy = await goOn(new Map(template), null);
  expect(healthy.run.status).toBe("succeeded");
  expected = comparable(healthy.run);
});

/** The long texts shortened, so that a difference can be read. */
const comparable = (run: Run): JsonValue => JSON.parse(JSON.stringify(essence(run)).replaceAll(LARGE, "LARGE"));

/** What is answered; null for a refusal, which must be a clear one. */
async function answered<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    expect(isStepwellError(error, "unavailable"), String(error)).toBe(true);
    return null;
  });
}

/** Gives what is asked for, and the end; null when the process gave the run up. */
async function accompany(service: Service, id: string): Promise<Run | null> {
  let isOver = false;
  const ended = answered(service.wait(id)).finally(() => {
    isOver = true;
  });
  await until(async () => {
    const run = await answered(service.get(id));
    const isAsking = run?.steps.some(({ key, status }) => key === "ask" && status === "waiting");
    if (isAsking === true) await answered(service.stepwell.runs.provide(app, id, "ask", { answer: "yes" }));
    return isOver;
  });
  return ended;
}

/** A process without faults: ends the run, or one that it begins. */
async function goOn(data: Map<string, string>, id: string | null) {
  const opened = open(faultyDriver(data, "rejects", 0).driver, createClock());
  const service = await opened.service;
  const runId = id ?? (await service.stepwell.runs.create(app, workflow, { input: { n: 1 } })).id;
  const run = await drive(service, runId);
  const { items } = await service.stepwell.runs.listOfWorkflow(app, workflow);
  await service.stepwell.close();
  return { run, runs: items.length, requests: keysOf(opened.world) };
}

const keysOf = ({ requests }: ReturnType<typeof stubHttp>) => requests.map(({ headers }) => headers["idempotency-key"]);

/**
 * Carries out a run; gives how many calls of the driver there were.
 * @param hangs Milliseconds of the quick clock after which a call that hangs takes effect after all.
 */
async function survive(fault: Fault, at: number, hangs = Number.POSITIVE_INFINITY): Promise<number> {
  const data = new Map(template);
  const faulty = faultyDriver(data, fault, at);
  const clock = createClock();
  if (Number.isFinite(hangs)) void faulty.begun.then(() => clock.after(hangs, faulty.release));
  const { world, service: opening } = open(faulty.driver, clock);
  const service = await opening;
  let id: string | null = null;
  for (let tries = 0; id === null && tries < 3; tries++) {
    id = (await answered(service.stepwell.runs.create(app, workflow, { input: { n: 1 } })))?.id ?? null;
  }
  // Storage that hangs for good refuses for good: then nothing is there, and the next process begins anew.
  const ended = id === null ? null : await accompany(service, id);
  await answered(service.stepwell.close());

  const before = keysOf(world);
  // One call that goes wrong is no reason for a run to fail, wherever it stands.
  if (ended !== null) expect(ended.error).toBeNull();
  const after = await goOn(data, id);
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

describe("storage of which one call", () => {
  it.each<[string, number, Fault, number?]>([
    ["rejects", 1, "rejects"],
    ["loses the response", 2, "loses the response"],
    ["is slow", 3, "hangs", 10_000],
    ["takes effect after it was given up", 1, "hangs", 45_000],
    ["hangs for good", 2, "hangs"],
  ])("%s, wherever it stands", async (_, first, fault, hangs) => {
    // As many as there are when nothing goes wrong.
    const calls = await survive(fault, Number.POSITIVE_INFINITY);
    let next = first;
    const work = async () => {
      while (next <= calls) {
        const at = next;
        next += STRIDE;
        await survive(fault, at, hangs).catch((cause) => {
          throw new Error(`call ${at}: ${cause.message}`, { cause });
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(calls).toBeGreaterThan(15);
  });
});
