/**
 * Two workers against one, where each step waits for another system: runs of two steps of 200 ms, created by a process that only
 * serves, on the Redis store. Sides take turns. `node stores/workers.js`; BENCH_RUNS is the number of runs in a turn.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { createStepwell, defineService } from "stepwell";
import { bullmq } from "stepwell/cluster";
import redisDriver from "stepwell/storage/redis";
import redisStore from "stepwell/storage/redis-store";
import { z } from "zod";
import { median, report } from "../measure.js";
import { startRedis } from "../servers.js";

const runs = Number(process.env.BENCH_RUNS ?? 800);
const TURNS = 3;
const WAIT_MS = 200;
/** Runs that a worker executes at once. */
const CONCURRENCY = 20;

const [, , url, prefix] = process.argv;
if (url !== undefined) {
  await open(url, prefix, true).ready();
  process.send("ready");
} else await compare();

function open(url, prefix, work) {
  const waiting = defineService({
    name: "elsewhere",
    actions: {
      call: {
        input: z.object({}),
        output: z.number(),
        run: () => new Promise((resolve) => setTimeout(resolve, WAIT_MS, 1)),
      },
    },
  });
  return createStepwell({
    storage: { entities: redisStore({ url, prefix }), blobs: redisDriver({ url, prefix: `${prefix}:blobs:` }) },
    cluster: bullmq({ connection: url, prefix, work, concurrency: CONCURRENCY }),
    services: [waiting],
  });
}

/** Starts workers, and returns a function that measures how many runs they end in a second. */
async function side(url, workers) {
  const prefix = `workers${workers}`;
  const stepwell = open(url, prefix, false);
  const children = Array.from({ length: workers }, () => fork(import.meta.filename, [url, prefix]));
  await Promise.all(children.map((child) => once(child, "message")));
  const app = await stepwell.apps.create({ name: "Bench" });
  const call = (key, ...destinations) => ({
    ...{ type: "service", key, destinations },
    service: { service: "elsewhere", action: "call", input: {} },
  });
  const workflow = await stepwell.workflows.create(app.id, { name: "Two", steps: [call("one", "two"), call("two")] });
  await stepwell.workflows.deploy(app.id, workflow.id);
  return {
    async rate() {
      const since = performance.now();
      const created = await Promise.all(
        Array.from({ length: runs }, () => stepwell.runs.create(app.id, workflow.id, {})),
      );
      const ended = await Promise.all(created.map(({ id }) => stepwell.runs.wait(app.id, id)));
      if (ended.some(({ status }) => status !== "succeeded")) throw new Error("A run has failed.");
      return (runs * 1_000) / (performance.now() - since);
    },
    async close() {
      for (const child of children) child.kill("SIGKILL");
      await stepwell.close();
    },
  };
}

async function compare() {
  const redis = await startRedis(["--maxmemory-policy", "noeviction"]);
  if (redis === null) process.exit();
  const address = `redis://127.0.0.1:${redis.port}`;
  const sides = [await side(address, 1), await side(address, 2)];
  const rates = [[], []];
  for (let turn = 0; turn <= TURNS; turn++) {
    for (const [at, { rate }] of sides.entries()) {
      const found = await rate();
      if (turn > 0) rates[at].push(found);
    }
  }
  for (const [at, found] of rates.entries()) report(`${at + 1} of the workers`, median(found), "runs/s");
  report("two workers over one", median(rates[1].map((rate, turn) => rate / rates[0][turn])), "times", "1.8");
  await Promise.all(sides.map(({ close }) => close()));
  await redis.close();
  process.exit();
}
