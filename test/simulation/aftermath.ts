/** The checks after the last fault: everything ends by itself, and everything acknowledged is there. */
import type { Run } from "../../src/index.ts";
import { provideAll } from "./clients.ts";
import { hasEnded } from "./model.ts";
import type { SchedulesOfSimulation } from "./schedules.ts";
import type { Workflows, World } from "./world.ts";

/** The time within which everything must end. */
const DRAIN_TIMEOUT_MS = 2 * 3_600_000;
/** The interval at which open runs are read. */
const POLL_INTERVAL_MS = 30_000;
const PAGE_SIZE = 1_000;

export async function checkAftermath(world: World, workflows: Workflows, schedules: SchedulesOfSimulation) {
  const { model } = world;
  await schedules.pause();
  await drain(world, workflows);
  if (model.violation !== null) return;
  const before = await readAll(world, workflows);
  for (const run of before.values()) checkRun(world, run);
  checkKnown(world, before);
  schedules.check([...before.values()]);
  await checkSlots(world, workflows);
  await drain(world, workflows);
  await checkRestart(world, workflows, before);
}

/** Provides input to waiting runs and advances the time until all runs have ended. */
async function drain(world: World, { app }: Workflows): Promise<void> {
  const { timeline, model } = world;
  const until = timeline.now + DRAIN_TIMEOUT_MS;
  for (;;) {
    const open = await openRuns(world, app);
    if (open.length === 0 || model.violation !== null) return;
    if (timeline.now > until) {
      const runs = open.map(({ id, status }) => `${id} is ${status}`);
      return model.violate("everything-ends", `These runs never end: ${runs.join(", ")}.`);
    }
    for (const { id, name, status } of open) {
      const known = model.runs.get(name);
      if (known === undefined || status !== "waiting") continue;
      await provideAll(world, app, known, id, world.current());
    }
    await timeline.sleep(POLL_INTERVAL_MS);
  }
}

async function openRuns(world: World, app: string) {
  const open: { readonly id: string; readonly name: string; readonly status: string }[] = [];
  for (const status of ["queued", "running", "waiting"] as const) {
    const { items } = await world.current().call((stepwell) => stepwell.runs.list(app, { status, take: PAGE_SIZE }));
    for (const { id } of items) {
      const run = await world.current().call((stepwell) => stepwell.runs.get(app, id));
      open.push({ id, name: nameOf(run), status });
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
  const known = model.runs.get(nameOf(run));
  if (known === undefined) {
    model.violate("known-runs", `Nobody requested ${id}.`);
    return;
  }
  if (parent_run_id === null) model.observe(known.id === id ? known : { ...known, id }, run, current(), model.sequence);
  if (!hasEnded(status)) model.violate("everything-ends", `${id} is ${status}.`);
  if (status !== "succeeded") return;
  for (const { key, type, status, output } of steps) {
    if (status !== "succeeded") model.violate("right-results", `${key} of ${id}, which succeeded, is ${status}.`);
    if (type === "service" && typeof output === "string" && output !== key) {
      model.violate("right-results", `${key} of ${id} gave ${output}.`);
    }
  }
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
  if (model.violation !== null) return;
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
