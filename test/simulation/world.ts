/** The state that the parts of a simulation share. */
import type { Workflow } from "../../src/index.ts";
import { createDisk, type Disk } from "./disk.ts";
import type { Conditions } from "./driver.ts";
import type { LimitedWorkflow } from "./limited-runs.ts";
import { createModel, type Model } from "./model.ts";
import type { Plan } from "./plan.ts";
import { type SimulatedProcess, startProcess } from "./process.ts";
import { createRandom, type Random } from "./random.ts";
import { createTimeline, type Timeline } from "./timeline.ts";
import { createTrace, type Trace } from "./trace.ts";
import { createWorldService } from "./world-service.ts";

export interface World {
  readonly plan: Plan;
  readonly random: Random;
  readonly timeline: Timeline;
  readonly trace: Trace;
  readonly disk: Disk;
  readonly conditions: Conditions;
  readonly model: Model;
  /** In the order in which they were started or took over the storage; clients normally call the last one. */
  readonly processes: readonly SimulatedProcess[];
  /** When processes were started or took over the storage, in milliseconds since the simulation began. */
  readonly takeovers: readonly number[];
  /** The last process that was started or took over the storage; it may be dead. */
  current(): SimulatedProcess;
  start(): SimulatedProcess;
  log(text: string): void;
}

/** The time until a killed process is restarted. */
const RESTART_MS = [1, 3_000] as const;

export function createWorld(plan: Plan, print?: (line: string) => void): World {
  const random = createRandom(plan.seed ^ 0x5eed);
  const timeline = createTimeline();
  const trace = createTrace(print);
  const disk = createDisk(plan.storage);
  const conditions: Conditions = { faultRate: 0, isDown: false, slowness: 0 };
  const model = createModel(plan);
  const processes: SimulatedProcess[] = [];
  const takeovers: number[] = [];
  const restarts = random.fork();

  function current(): SimulatedProcess {
    const process = processes.at(-1);
    if (process === undefined) throw new Error("No process was started yet.");
    return process;
  }

  function start(): SimulatedProcess {
    const process: SimulatedProcess = startProcess(`p${String(processes.length + 1).padStart(3, "0")}`, {
      ...{ disk, timeline, conditions, log },
      random: random.fork(),
      limits: { concurrentRuns: plan.runs, queuedRuns: plan.queuedRuns },
      checkpointRecords: plan.checkpointRecords,
      services: (process) => [createWorldService(process, timeline, model)],
      /** Also a process that was started earlier and delayed until now. */
      onTakeover(process) {
        if (process === current()) return;
        processes.splice(processes.indexOf(process), 1);
        processes.push(process);
        takeovers.push(timeline.now);
        model.started(process);
      },
      crashed(process) {
        model.crashed(process);
        const restart = () => {
          if (process === current()) start();
        };
        timeline.after(restarts.between(...RESTART_MS), restart);
      },
    });
    processes.push(process);
    takeovers.push(timeline.now);
    model.started(process);
    return process;
  }

  function log(text: string): void {
    trace.add(timeline.now, text);
  }

  return { plan, random, timeline, trace, disk, conditions, model, processes, takeovers, current, start, log };
}

export interface Workflows {
  readonly app: string;
  readonly random: readonly Workflow["id"][];
  readonly scheduled: Workflow["id"];
  readonly holding: Workflow["id"];
  readonly limited: readonly LimitedWorkflow[];
  /** Waits for events. */
  readonly hearing: Workflow["id"];
}
