/** Expressions of a run yield to the event loop, however many steps follow each other synchronously. */
import { setImmediate } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import type { Run, Step } from "../../src/index.ts";
import { memory } from "../support/engine/memory.ts";
import { branch, input, note, openService, type Service, statuses } from "../support/engine/service.ts";

const open: Service[] = [];
afterEach(async () => {
  for (const { stepwell } of open.splice(0)) await stepwell.close();
});

async function openAndTrack(data: Map<string, string>, app?: string): Promise<Service> {
  const service = await openService({ storage: { entities: memory(data).driver } }, app);
  open.push(service);
  return service;
}

/** More than half a million operations, and fewer than a million, which take little time: the budget counts characters. */
const HEAVY = "input.list.all(x, !input.text.contains('z'))";
const text = "x".repeat(100_000);
const list = Array.from({ length: 100 }, (_, index) => index);
const COUNT = 12;

/** A chain of branches. */
const chain = (last: string): Step[] =>
  Array.from({ length: COUNT }, (_, index) =>
    branch(`b${index}`, { yes: [HEAVY, index + 1 < COUNT ? `b${index + 1}` : last] }),
  );

/** Counts turns of the event loop during some work. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  let turns = 0;
  const counting = (async () => {
    for (; !isOver; turns++) await setImmediate();
  })();
  await work();
  isOver = true;
  await counting;
  return turns;
}

const allSucceeded = (run: Run) => expect(new Set(Object.values(statuses(run)))).toEqual(new Set(["succeeded"]));

it("expressions of a new run yield to the event loop between steps", async () => {
  const service = await openAndTrack(new Map());
  const workflow = await service.deploy([input("in", { destinations: ["b0"] }), ...chain("end"), note("end")]);
  const idle = await turnsDuring(() => service.runOf(workflow, { list: [], text }));
  let run: Run | undefined;
  const turns = await turnsDuring(async () => {
    run = await service.runOf(workflow, { list, text });
  });
  expect(turns - idle).toBeGreaterThan(COUNT / 4);
  if (run !== undefined) allSucceeded(run);
});

it("expressions yield to the event loop when a run is read and when it is resumed after a restart", async () => {
  const data = new Map<string, string>();
  const first = await openAndTrack(data);
  const steps = [input("in", { destinations: ["b0"] }), ...chain("ask"), input("ask", { destinations: ["more"] })];
  const workflow = await first.deploy([...steps, note("more", { destinations: [] })]);
  const { id } = await first.stepwell.runs.create(first.app, workflow, { input: { list, text } });
  expect(await turnsDuring(() => first.get(id))).toBeGreaterThan(COUNT / 4);
  await first.stepwell.close();
  const second = await openAndTrack(data, first.app);
  const turns = await turnsDuring(() => second.stepwell.runs.provide(second.app, id, "ask", {}));
  expect(turns).toBeGreaterThan(COUNT / 4);
  allSucceeded(await second.wait(id));
});

it("expressions yield to the event loop after a run was provided with input", async () => {
  const service = await openAndTrack(new Map());
  const asks = input("in", { destinations: ["ask"] });
  const workflow = await service.deploy([asks, input("ask", { destinations: ["b0"] }), ...chain("end"), note("end")]);
  const { id } = await service.stepwell.runs.create(service.app, workflow, { input: { list, text } });
  const turns = await turnsDuring(async () => {
    await service.stepwell.runs.provide(service.app, id, "ask", {});
    allSucceeded(await service.wait(id));
  });
  expect(turns).toBeGreaterThan(COUNT / 4);
});

it("expressions of several runs take turns, so that a light run ends before heavy ones", async () => {
  const service = await openAndTrack(new Map());
  const workflow = await service.deploy([input("in", { destinations: ["b0"] }), ...chain("end"), note("end")]);
  const ended: string[] = [];
  const run = async (name: string, given: readonly number[]) => {
    allSucceeded(await service.runOf(workflow, { list: [...given], text }));
    ended.push(name);
  };
  await Promise.all([run("heavy", list), run("heavy too", list), run("light", [1])]);
  expect(ended[0]).toBe("light");
});
