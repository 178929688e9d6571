/**
 * What handing a run to another process costs: processor time of a five-step run in the process that creates it, in a worker and
 * in Redis, and scripts that Redis executes for it. Sides take turns. `node stores/handover.js`; BENCH_RUNS is the number of runs
 * in a turn, BENCH_AT_ONCE how many at a time.
 */
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { createStepwell } from "stepwell";
import { bullmq } from "stepwell/cluster";
import memoryDriver from "stepwell/storage/memory";
import redisDriver from "stepwell/storage/redis";
import redisStore from "stepwell/storage/redis-store";
import { hostActions } from "../actions.js";
import { median, report } from "../measure.js";
import { deployed } from "../peers/stepwell.js";
import { startRedis } from "../servers.js";

const runs = Number(process.env.BENCH_RUNS ?? 2_000);
const atOnce = Number(process.env.BENCH_AT_ONCE ?? 64);
const TURNS = 4;
const [SINGLE, SAME, OTHER] = ["one process", "a cluster, this process", "a cluster, another process"];

if (process.send !== undefined) await startWorker(process.argv[2]);
else await compare();

function member(url, namespace, work, open) {
  const storage = {
    entities: redisStore({ url, prefix: namespace }),
    blobs: redisDriver({ url, prefix: `${namespace}:blobs:` }),
  };
  return open(storage, bullmq({ connection: url, prefix: namespace, work }));
}

async function startWorker(url) {
  const open = (storage, cluster) => createStepwell({ storage, cluster, ...hostActions().options });
  await member(url, "other", true, open).ready();
  process.on("message", () => process.send(cpuHere()));
  process.send("ready");
}

function cpuHere() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

async function compare() {
  const redis = await startRedis(["--maxmemory-policy", "noeviction"]);
  if (redis === null) process.exit();
  const url = `redis://127.0.0.1:${redis.port}`;
  const worker = fork(import.meta.filename, [url]);
  await once(worker, "message");

  function info(section, name) {
    const text = execFileSync("redis-cli", ["-p", String(redis.port), "info", section], { encoding: "utf8" });
    return Number(new RegExp(`${name}[:=]([0-9.]+)`).exec(text)?.[1] ?? 0);
  }
  async function look() {
    worker.send("cpu");
    const [cpuOfWorker] = await once(worker, "message");
    const cpuOfRedis = (info("cpu", "used_cpu_user") + info("cpu", "used_cpu_sys")) * 1e6;
    return [cpuHere(), cpuOfWorker, cpuOfRedis, info("commandstats", "cmdstat_evalsha:calls")];
  }

  const sides = {
    [SINGLE]: await deployed({ entities: redisStore({ url, prefix: "single" }), blobs: memoryDriver() }),
    [SAME]: await member(url, "same", true, deployed),
    [OTHER]: await member(url, "other", false, deployed),
  };
  const seen = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let turn = 0; turn <= TURNS; turn++) {
    for (const [name, { once: run }] of Object.entries(sides)) {
      const before = await look();
      let left = runs;
      const lane = async () => {
        while (left-- > 0) await run();
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
      const after = await look();
      if (turn > 0) seen[name].push(after.map((value, at) => (value - before[at]) / runs));
    }
  }
  const togetherOf = ([here, there, server]) => here + there + server;
  for (const [name, turns] of Object.entries(seen)) {
    const parts = [0, 1, 2, 3].map((at) => median(turns.map((values) => values[at])));
    for (const [at, where] of ["creator", "worker", "Redis"].entries()) report(`${name}: ${where}`, parts[at], "µs");
    report(`${name}: scripts`, parts[3], "a run");
    const ratio = median(turns.map((values, turn) => togetherOf(values) / togetherOf(seen[SAME][turn])));
    report(`${name}: together, over ${SAME}`, ratio, "times");
  }
  for (const { close } of Object.values(sides)) await close();
  worker.kill("SIGKILL");
  await redis.close();
  process.exit();
}
