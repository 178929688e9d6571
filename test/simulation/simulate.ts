/** Runs the simulation of one plan, from an empty disk to the last check. */
import type { Step } from "../../src/index.ts";
import { runWorkflow } from "../../src/testing/index.ts";
import type { Settings } from "../../src/workflows/settings.ts";
import { checkAftermath } from "./aftermath.ts";
import { createAppEvents, hearingSteps, startedSteps } from "./app-events.ts";
import { createClient } from "./clients.ts";
import { BEGIN, childSteps, holdingSteps, randomSteps } from "./definitions.ts";
import { createLimitedRuns, type LimitedWorkflow, limitedSteps, randomSettings } from "./limited-runs.ts";
import type { Violation } from "./model.ts";
import { createNemesis } from "./nemesis.ts";
import type { Plan } from "./plan.ts";
import { startSchedules } from "./schedules.ts";
import { checkStored } from "./stored.ts";
import { createWorld, type Workflows, type World } from "./world.ts";

export interface Outcome {
  readonly violation: Violation | null;
  /** The same for every simulation of the same plan. */
  readonly digest: string;
  /** The last events. */
  readonly trace: readonly string[];
  readonly runs: number;
  readonly processes: number;
  /** Milliseconds of virtual time. */
  readonly time: number;
}

const HOLD_MS = 60_000;
/** The virtual time after which a simulation counts as hanging. */
const DEADLINE_MS = 30 * 24 * 3_600_000;
const TRACE_LINES = 60;
const LIMITED_WORKFLOWS = 2;

/** Loads lazy modules in advance: loading takes real time, which nothing in a simulation may. */
let warmedUp: Promise<unknown> | undefined;
function warmUp(): Promise<unknown> {
  warmedUp ??= runWorkflow([
    { type: "note", key: "expression", note: "", conditional: "true" },
    // The deployment compares the names of its input with the action's JSON Schema.
    {
      type: "service",
      key: "schema",
      service: { service: "scheduler", action: "list", input: { workflow_id: "{{ 'none' }}" } },
    },
  ]);
  return warmedUp;
}

/** @param print Given each line of the trace as it happens. */
export async function simulate(plan: Plan, print?: (line: string) => void): Promise<Outcome> {
  await warmUp();
  const world = createWorld(plan, print);
  const { model, timeline, trace } = world;
  let isOver = false;
  runPlan(world)
    .catch((error: unknown) => model.failed(error, "The simulation", world.current()))
    .finally(() => {
      isOver = true;
    });
  await timeline.runUntil(DEADLINE_MS, () => isOver || model.violation !== null);
  if (!isOver && model.violation === null) model.violate("goes-on", "A call never settles, and nothing is left to do.");
  if (model.violation === null) await checkStored(world);
  const { length: processes } = world.processes;
  const { size: runs } = model.runs;
  const { violation } = model;
  return { violation, digest: trace.digest(), trace: trace.last(TRACE_LINES), runs, processes, time: timeline.now };
}

async function runPlan(world: World): Promise<void> {
  const { plan, model } = world;
  world.start();
  const workflows = await deployAll(world);
  const schedules = await startSchedules(world, workflows);
  const until = world.timeline.now + plan.duration;
  const limited = createLimitedRuns(world, workflows.app, workflows.limited);
  const events = createAppEvents(world, workflows.app, workflows.hearing);
  const clients = Array.from({ length: plan.clients }, (_, index) =>
    createClient(`c${index + 1}`, world, workflows, { limited, events }),
  );
  await Promise.all([createNemesis(world).act(until), ...clients.map((client) => client.act(until))]);
  world.log("all faults have ended");
  if (model.violation === null) await checkAftermath(world, workflows, { schedules, limited, events });
}

async function deployAll(world: World): Promise<Workflows> {
  const random = world.random.fork();
  const process = world.current();
  const { id: app } = await process.call((stepwell) => stepwell.apps.create({ name: "Simulation" }));
  const deploy = (steps: Step[], settings: Settings = {}) =>
    process.call(async (stepwell) => {
      const { id } = await stepwell.workflows.create(app, { name: "Simulated", steps, settings });
      await stepwell.workflows.deploy(app, id);
      return id;
    });
  const child = await deploy(childSteps(random));
  const drawn: string[] = [];
  for (let count = random.whole(1, 3); count > 0; count--) drawn.push(await deploy(randomSteps(random, child)));
  const limited: LimitedWorkflow[] = [];
  for (let count = 0; count < LIMITED_WORKFLOWS; count++) {
    const settings = randomSettings(random);
    limited.push({ id: await deploy(limitedSteps(random), settings), settings });
  }
  await deploy(startedSteps(random), { start_on: [{ name: BEGIN }] });
  const hearing = await deploy(hearingSteps(random));
  const holding = await deploy(holdingSteps(HOLD_MS));
  return { app, random: drawn, scheduled: child, holding, limited, hearing };
}
