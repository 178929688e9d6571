/**
 * Five-step runs on each store, in one process and in a cluster, one after the other and 64 at once. Sides take turns.
 * `node stores/choice.js`; BENCH_MS is a round's length. Runs of another process are created here and executed there.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createStepwell } from "stepwell";
import { bullmq } from "stepwell/cluster";
import fsDriver from "stepwell/storage/fs";
import memoryDriver from "stepwell/storage/memory";
import postgresStore from "stepwell/storage/postgres";
import redisDriver from "stepwell/storage/redis";
import redisStore from "stepwell/storage/redis-store";
import sqlite from "stepwell/storage/sqlite";
import { hostActions } from "../actions.js";
import { median, report, round } from "../measure.js";
import { deployed } from "../peers/stepwell.js";
import { startPostgres, startRedis } from "../servers.js";

const milliseconds = Number(process.env.BENCH_MS ?? 1_000);
const ROUNDS = 5;
const BASE = "fs";

const stores = {
  "Redis store": (prefix, { redis }) => redisStore({ url: redis, prefix }),
  PostgreSQL: (schema, { postgres }) => postgresStore({ url: postgres, schema }),
};
const [, , ...given] = process.argv;
if (process.send !== undefined) await startWorker(JSON.parse(given[0]));
else await compare();

async function compare() {
  console.log(`Node ${process.version}, load ${loadavg()[0].toFixed(2)} before`);
  const folder = mkdtempSync(join(tmpdir(), "bench-choice-"));
  const redis = await startRedis(["--maxmemory-policy", "noeviction"]);
  const server = await startPostgres();
  if (redis === null || server === null) process.exit();
  const urls = { redis: `redis://127.0.0.1:${redis.port}`, postgres: server.url };
  const workers = [];
  try {
    const sides = await openSides(folder, urls, workers);
    await measure(sides);
    for (const { close } of Object.values(sides)) await close();
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    await Promise.all([redis.close(), server.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`load ${loadavg()[0].toFixed(2)} after`);
  process.exit();
}

async function openSides(folder, urls, workers) {
  const sides = {
    memory: await deployed({}),
    fs: await deployed({ entities: fsDriver({ base: join(folder, "fs") }) }),
    SQLite: await deployed({ entities: sqlite({ file: join(folder, "store.db") }) }),
    "Redis driver": await deployed({ entities: redisDriver({ url: urls.redis, prefix: "driver:" }) }),
  };
  for (const [name, store] of Object.entries(stores)) {
    sides[name] = await deployed({ entities: store("single", urls), blobs: memoryDriver() });
    const [same, other] = [`same${workers.length}`, `other${workers.length}`];
    sides[`${name}, cluster, this process`] = await member({ name, namespace: same, urls, work: true }, deployed);
    workers.push(fork(import.meta.filename, [JSON.stringify({ name, namespace: other, urls, work: true })]));
    await once(workers.at(-1), "message");
    sides[`${name}, cluster, another process`] = await member({ name, namespace: other, urls, work: false }, deployed);
  }
  return sides;
}

function member({ name, namespace, urls, work }, open) {
  const blobs = redisDriver({ url: urls.redis, prefix: `${namespace}:blobs:` });
  const storage = { entities: stores[name](namespace, urls), blobs };
  return open(storage, bullmq({ connection: urls.redis, prefix: namespace, work }));
}

async function startWorker(options) {
  const open = (storage, cluster) => createStepwell({ storage, cluster, ...hostActions().options });
  await member(options, open).ready();
  process.send("ready");
}

async function measure(sides) {
  for (const at_once of [1, 64]) {
    const seen = {};
    for (let turn = 0; turn <= ROUNDS; turn++) {
      for (const [name, { once }] of Object.entries(sides)) {
        const one = await round(once, { milliseconds, at_once });
        if (turn > 0) seen[name] = [...(seen[name] ?? []), one];
      }
    }
    const what = at_once === 1 ? "one after the other" : `${at_once} at once`;
    for (const [name, rounds] of Object.entries(seen)) {
      report(`${what}: ${name}`, median(rounds.map(({ rate }) => rate)), "runs/s");
      const ratio = median(rounds.map(({ rate }, turn) => rate / seen[BASE][turn].rate));
      if (name !== BASE) report(`${what}: ${name}, over ${BASE}`, ratio, "times");
    }
  }
}
