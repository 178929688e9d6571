/** Runs of a cluster whose workers are killed, stopped and replaced all the time. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Step, Stepwell } from "../../../src/index.ts";
import { type Child, startChild } from "../child.ts";
import { openMember } from "./member.ts";

export interface Trouble {
  /** URL of PostgreSQL or Redis. */
  readonly store: string;
  readonly redis: string;
  readonly prefix: string;
  readonly workers: number;
  readonly runs: number;
  /** How many workers are lost, each a moment after the other. */
  readonly losses: number;
  /** `kill`: SIGKILL. `stop`: SIGSTOP, and SIGCONT when others have taken over. `close`: SIGTERM. */
  readonly how: readonly ("kill" | "stop" | "close")[];
  /** Number of runs that are followed from their creation to their end. @default 0 */
  readonly followers?: number;
  /** Called between losses, to harm something else. */
  harm?(): Promise<void>;
}

export interface Survival {
  readonly calls: number;
  /** Calls of steps that had been called before: by attempts that were lost. */
  readonly repeated: number;
  readonly milliseconds: number;
}

const WORKER = join(import.meta.dirname, "member.ts");
const CONCURRENCY = 20;
/** Longer than a lease, so that others have taken over. */
const STOPPED_MS = 20_000;
const PAUSE_MS = 300;

const call = (step: number, waits: number, ...destinations: string[]): Step => ({
  ...{ type: "service", key: `call${step}`, destinations },
  service: { service: "counter", action: "call", input: { step, waits } },
});

const STEPS: readonly Step[] = [
  call(1, 0, "call2"),
  call(2, 300, "pause"),
  {
    ...{ type: "service", key: "pause", destinations: ["call3"] },
    service: { service: "scheduler", action: "delay", input: { seconds: 1 } },
  },
  call(3, 20, "call4"),
  call(4, 0),
];
const CALLED = [1, 2, 3, 4];

/** @throws Error if a run is lost, fails, or repeats a step whose outcome was stored */
export async function survive(trouble: Trouble): Promise<Survival> {
  const { store, redis, prefix } = trouble;
  const calls = new Map<string, number[]>();
  const server = createServer((request, response) => {
    const [, run = "", step] = (request.url ?? "").split("/");
    const known = calls.get(run) ?? [];
    known.push(Number(step));
    calls.set(run, known);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const counter = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const common = { store, redis, prefix, counter };
  const web = openMember({ ...common, work: false, concurrency: 1 });
  const since = performance.now();
  const workers = new Set<Child>();
  const start = async () => {
    const worker = await startChild(WORKER, [store, redis, prefix, counter, "true", String(CONCURRENCY)]);
    workers.add(worker);
    return worker;
  };
  /** Workers that close or are stopped. */
  const stopped: Promise<void>[] = [];
  try {
    await web.ready();
    await Promise.all(Array.from({ length: trouble.workers }, start));
    const app = (await web.apps.create({ name: "Trouble" })).id;
    const workflow = (await web.workflows.create(app, { name: "Calls", steps: [...STEPS] })).id;
    await web.workflows.deploy(app, workflow);
    const followed: Promise<void>[] = [];
    const created = (async () => {
      const ids: string[] = [];
      while (ids.length < trouble.runs) {
        const more = Math.min(20, trouble.runs - ids.length);
        const runs = await Promise.all(Array.from({ length: more }, () => web.runs.create(app, workflow, {})));
        ids.push(...runs.map(({ id }) => id));
        // Spread over the whole time, so that some are followed at every loss.
        const wanted = Math.ceil(((trouble.followers ?? 0) * ids.length) / trouble.runs) - followed.length;
        for (const { id } of runs.slice(0, wanted)) followed.push(follow(web, app, id));
        await setTimeout(20);
      }
      return ids;
    })();
    for (let loss = 0; loss < trouble.losses; loss++) {
      await setTimeout(PAUSE_MS);
      await trouble.harm?.();
      const [victim] = workers;
      if (victim === undefined) break;
      // One that does not work yet would be no loss.
      await victim.line((line) => line === "ready");
      workers.delete(victim);
      const how = trouble.how[loss % trouble.how.length];
      if (how === "kill") await victim.kill();
      else {
        const ends = how === "close" ? close(victim) : stop(victim);
        ends.catch(() => undefined); // reported below
        stopped.push(ends);
      }
      await start();
    }
    const ids = await created;
    const ended = await Promise.all(ids.map((id) => web.runs.wait(app, id)));
    const broken = (await Promise.allSettled(stopped)).find(({ status }) => status === "rejected");
    if (broken?.status === "rejected") throw broken.reason;
    await Promise.all(followed);
    const failed = ended.find(({ status }) => status !== "succeeded");
    if (failed !== undefined) throw new Error(`A run has ended wrongly: ${JSON.stringify(failed)}`);
    return { ...check(ids, calls), milliseconds: performance.now() - since };
  } finally {
    await Promise.all([...workers].map((worker) => worker.kill()));
    await web.close();
    server.close();
  }
}

/** Each stored event must arrive once, in its order, whatever process executes the run. Starts of steps are not stored. */
async function follow({ runs }: Stepwell, app: string, run: string): Promise<void> {
  const seen: string[] = [];
  let last = 0;
  for await (const event of runs.events(app, run)) {
    if (event.id === undefined) continue;
    seen.push(`${event.id} ${event.type} ${"step" in event ? event.step : ""}`.trim());
    if (event.id <= last) throw new Error(`A follower of ${run} has received ${seen.join(", ")}.`);
    last = event.id;
  }
  const outcomes = seen.map((event) => event.slice(event.indexOf(" ") + 1));
  const expected = [...STEPS.map(({ key }) => `step.succeeded ${key}`), "run.succeeded"];
  if (outcomes.join() !== expected.join()) throw new Error(`A follower of ${run} has received ${seen.join(", ")}.`);
}

async function close(worker: Child): Promise<void> {
  process.kill(worker.pid ?? 0, "SIGTERM");
  const { code, errors } = await worker.gone;
  if (code !== 0) throw new Error(`A worker has ended with ${code}: ${errors}`);
}

/** What it does after SIGCONT must not be stored. */
async function stop(worker: Child): Promise<void> {
  process.kill(worker.pid ?? 0, "SIGSTOP");
  await setTimeout(STOPPED_MS);
  process.kill(worker.pid ?? 0, "SIGCONT");
  await setTimeout(STOPPED_MS / 4);
  await worker.kill();
}

/** A step is called again only before the next one is: once its outcome is stored, nothing repeats it. */
function check(ids: readonly string[], calls: ReadonlyMap<string, readonly number[]>) {
  let total = 0;
  for (const id of ids) {
    const called = calls.get(id) ?? [];
    total += called.length;
    const isInOrder = called.every((step, index) => index === 0 || step >= (called[index - 1] ?? 0));
    const isComplete = CALLED.every((step) => called.includes(step));
    if (!isInOrder || !isComplete) throw new Error(`The run ${id} has called its steps ${called.join(", ")}.`);
  }
  return { calls: total, repeated: total - ids.length * CALLED.length };
}
