/** The checks after the last fault: everything ends by itself, and everything acknowledged is there. */
import type { Run, RunStep } from "../../src/index.ts";
import { isRecord } from "../../src/json.ts";
import type { AppEvents } from "./app-events.ts";
import { provideAll } from "./clients.ts";
import { BROKEN, HEAR, LATE, SOME } from "./definitions.ts";
import type { LimitedRuns } from "./limited-runs.ts";
import { hasEnded } from "./model.ts";
import { MANY_SLOTS } from "./plan.ts";
import type { SchedulesOfSimulation } from "./schedules.ts";
import type { Workflows, World } from "./world.ts";

/** The time within which everything must end. */
const DRAIN_TIMEOUT_MS = 2 * 3_600_000;
/** The interval at which open runs are read. */
const POLL_INTERVAL_MS = 30_000;
const PAGE_SIZE = 1_000;

export interface Checks {
  readonly schedules: SchedulesOfSimulation;
  readonly limited: LimitedRuns;
  readonly events: AppEvents;
}

export async function checkAftermath(world: World, workflows: Workflows, { schedules, limited, events }: Checks) {
  const { model } = world;
  await schedules.pause();
  await drain(world, workflows, events);
  if (model.violation !== null) return;
  const before = await readAll(world, workflows);
  for (const run of before.values()) checkRun(world, run);
  checkKnown(world, before);
  schedules.check([...before.values()]);
  limited.check(before);
  events.check([...before.values()]);
  await checkSlots(world, workflows);
  await drain(world, workflows, events);
  await checkRestart(world, workflows, before);
}

/** Provides input to waiting runs and advances the time until all runs have ended. */
async function drain(world: World, { app }: Workflows, events: AppEvents): Promise<void> {
  const { timeline, model } = world;
  const until = timeline.now + DRAIN_TIMEOUT_MS;
  for (let polls = 0; ; polls++) {
    const open = await openRuns(world, app);
    if (open.length === 0 || model.violation !== null) return;
    if (timeline.now > until) {
      const runs = open.map(({ run, status }) => `${run.id} is ${status}`);
      return model.violate("everything-ends", `These runs never end: ${runs.join(", ")}.`);
    }
    for (const { run, status, seen } of open) {
      const known = model.known(nameOf(run));
      if (known === undefined || status !== "waiting") continue;
      await provideAll(world, app, known, run.id, world.current());
      await events.release(run, seen, polls, world.current());
    }
    await timeline.sleep(POLL_INTERVAL_MS);
  }
}

async function openRuns(world: World, app: string) {
  /** With a fact of the model: what was known when the run was read. */
  const open: { readonly run: Run; readonly status: string; readonly seen: number }[] = [];
  for (const status of ["queued", "running", "waiting"] as const) {
    const { items } = await world.current().call((stepwell) => stepwell.runs.list(app, { status, take: PAGE_SIZE }));
    for (const { id } of items) {
      const seen = world.model.next();
      const run = await world.current().call((stepwell) => stepwell.runs.get(app, id));
      open.push({ run, status, seen });
    }
  }
  return open;
}

const nameOf = ({ input }: Run) => String(input["name"]);

async function readAll(world: World, { app }: Workflows): Promise<ReadonlyMap<string, Run>> {
  const runs = new Map<string, Run>();
  const process = world.current();
  for (let page = 1; ; page++) {
    const { items } = await process.call((stepwell) => stepwell.runs.list(app, { page, take: PAGE_SIZE }));
    for (const { id, status } of items) {
      const run = await process.call((stepwell) => stepwell.runs.get(app, id));
      if (run.status !== status) world.model.violate("lists", `${id} is listed as ${status}, and is ${run.status}.`);
      runs.set(id, run);
    }
    if (items.length < PAGE_SIZE) return runs;
  }
}

function checkRun({ model, current }: World, run: Run): void {
  const { id, parent_run_id, status, steps } = run;
  const known = model.known(nameOf(run));
  if (known === undefined) {
    model.violate("known-runs", `Nobody requested ${id}.`);
    return;
  }
  if (parent_run_id === null) model.observe(known.id === id ? known : { ...known, id }, run, current(), model.sequence);
  if (!hasEnded(status)) model.violate("everything-ends", `${id} is ${status}.`);
  if (status !== "succeeded") return;
  for (const step of steps) {
    const problem = problemOf(step);
    if (problem !== null) model.violate("right-results", `${step.key} of ${id}, which succeeded, ${problem}.`);
    const isEmpty = Array.isArray(step.output) && step.output.length === 0;
    if (isWork(step) && step.status === "succeeded" && !isEmpty && !model.wasCalled(id, step.key)) {
      model.violate("effect-lost", `${step.key} of ${id} has succeeded, and was never executed.`);
    }
  }
}

/** Steps that call the world return their key. */
const isWork = ({ type, output }: RunStep) => type === "service" && !isRecord(output) && output !== null;

/** What is wrong with a step of a run that succeeded. */
function problemOf(step: RunStep): string | null {
  const { key, status, output, error, errors = [] } = step;
  if (key.startsWith(HEAR) && status === "failed" && error?.code === "timeout") return null;
  if (key.startsWith(LATE) && status === "skipped") return null;
  if (status !== (key.startsWith(BROKEN) ? "failed" : "succeeded")) return `is ${status}`;
  if (!isWork(step)) return null;
  const isSome = key.startsWith(SOME);
  const given = Array.isArray(output) ? output : [output];
  const isRight = given.every((one, item) => one === (isSome && item % 2 === 1 ? null : key));
  if (!isRight) return `gave ${JSON.stringify(output)}`;
  const failed = isSome ? given.flatMap((one, item) => (one === null ? item : [])) : [];
  return errors.map(({ index }) => index).join() === failed.join() ? null : `has the errors ${JSON.stringify(errors)}`;
}

function checkKnown({ model }: World, found: ReadonlyMap<string, Run>): void {
  const names = new Map<string, string>();
  for (const known of model.runs.values()) {
    if (known.id !== undefined && !found.has(known.id)) {
      model.violate("acknowledged", `${known.name} was answered with ${known.id}, which is not there.`);
    }
  }
  for (const run of found.values()) {
    const other = names.get(nameOf(run));
    if (run.parent_run_id !== null || nameOf(run).startsWith("schedule")) continue;
    if (other !== undefined) model.violate("created-once", `${nameOf(run)} was requested once: ${other}, ${run.id}.`);
    names.set(nameOf(run), run.id);
  }
}

/** Exactly as many runs as the limit start at once, so that every slot was released, and none twice. */
async function checkSlots(world: World, { app, holding }: Workflows): Promise<void> {
  const { model, plan } = world;
  if (model.violation !== null || plan.runs === MANY_SLOTS) return;
  const statuses: string[] = [];
  for (let index = 0; index <= plan.runs; index++) {
    const { name, behavior } = model.request(`holds-${index}`, "ok");
    const create = () =>
      world.current().call((stepwell) => stepwell.runs.create(app, holding, { input: { name, behavior } }));
    statuses.push((await create()).status);
  }
  const expected = [...Array<string>(plan.runs).fill("running"), "queued"];
  if (statuses.join() === expected.join()) return;
  model.violate("slots", `All ${plan.runs} slots should be free: new runs are ${statuses.join(", ")}.`);
}

/** A new process finds the same runs. */
async function checkRestart(world: World, workflows: Workflows, before: ReadonlyMap<string, Run>): Promise<void> {
  const { model } = world;
  if (model.violation !== null) return;
  await world.current().close();
  world.start();
  const after = await readAll(world, workflows);
  for (const [id, run] of before) {
    if (JSON.stringify(after.get(id)) === JSON.stringify(run)) continue;
    model.violate("durable", `${id} is not the same after a restart: ${after.get(id)?.status ?? "gone"}.`);
  }
  await world.current().close();
}
