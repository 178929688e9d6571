/** A record of a run's journal that the storage lost: the run stops with an error instead of repeating completed steps. */
import { beforeEach, expect, it } from "vitest";
import type { Clock, Step, StepOf } from "../../src/index.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { input, openService, scripted, silent } from "../support/engine/service.ts";
import { faultyDriver } from "../support/storage/faulty.ts";
import { loseDocument } from "../support/storage/stored-documents.ts";
import { until } from "../support/until.ts";

let data: Map<string, string>;
/** Arguments of the code steps that were executed. */
let executed: string[];
let errors: unknown[];

const count = (key: string, more: Partial<StepOf<"code">> = {}): Step => ({
  type: "code",
  key,
  code: `count ${key}`,
  ...more,
});
const ask = input("ask", { input: { ok: { type: "boolean" } } });

function open(app?: string, clock?: Clock) {
  const sandbox = scripted({ count: (_, argument) => executed.push(argument) });
  const logger = { ...silent, error: (_: string, fields?: object) => void errors.push(fields) };
  return openService(
    { storage: { entities: faultyDriver(data, "rejects", 0).driver }, sandbox, logger, ...(clock && { clock }) },
    app,
  );
}

/** Removes a record of a run's journal while no process has the storage. */
function remove(runId: string, record: number) {
  const key = `journal:${runId}.${record}`;
  expect(loseDocument(data, key)).toBe(true);
  executed = [];
  return { code: "unavailable", message: expect.stringContaining(`"${key}"`) };
}

/** Executes steps until the run waits, and removes a record. */
async function lose(steps: readonly Step[], record: number) {
  const { start, until, stepwell, app } = await open();
  const { id } = await start([input("in"), ...steps, ask, count("end")]);
  await until(id, ({ status }) => status === "waiting");
  await stepwell.close();
  return { id, app, isLost: remove(id, record) };
}

beforeEach(() => {
  data = new Map();
  executed = [];
  errors = [];
});

it.each([1, 2, 31, 32, 33, 34])("a run without record %i of 35 is unavailable and repeats no step", async (record) => {
  const { id, app, isLost } = await lose([count("a", { loop: "iteration == 35" })], record);
  const { stepwell } = await open(app);
  await expect(stepwell.runs.get(app, id)).rejects.toMatchObject(isLost);
  await expect(stepwell.runs.provide(app, id, "ask", { ok: true })).rejects.toMatchObject(isLost);
  expect(executed).toEqual([]);
  await stepwell.close();
});

it.each([
  ["newest", [count("a"), count("b")], 2],
  ["only", [count("a")], 1],
])("a waiting run without its %s record repeats no step", async (_, steps, record) => {
  const { id, app, isLost } = await lose(steps, record);
  const { stepwell } = await open(app);
  await expect(stepwell.runs.provide(app, id, "ask", { ok: true })).rejects.toMatchObject(isLost);
  expect(executed).toEqual([]);
  await stepwell.close();
});

it("a run that was interrupted and lost a record does not resume, and the log names the record", async () => {
  const before = await open(undefined, quickClock());
  const { id } = await before.start([input("in"), count("a"), count("b"), { type: "code", key: "hang", code: "hang" }]);
  await before.until(id, ({ steps }) => steps.at(-1)?.status === "running");
  await before.stepwell.close();
  const isLost = remove(id, 1);
  const { stepwell } = await open(before.app);
  await until(() => errors.length > 0);
  expect(errors).toMatchObject([{ part: "runs", error: isLost }]);
  expect(executed).toEqual([]);
  await stepwell.close();
});
