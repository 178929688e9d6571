/**
 * Five-step runs of ours and of the peers, in one run: in memory and durable, alone and 64 at once, each side in a
 * process of its own, in turns. `node engine.js memory` or `durable` does one half; BENCH_MS is a round's length.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { report } from "./measure.js";
import { inTurns, startPeer } from "./peer.js";
import { startPostgres, startRedis } from "./servers.js";

const milliseconds = Number(process.env.BENCH_MS ?? 1_000);
const rounds = 5;
const halves = { memory, durable };
const chosen = process.argv.slice(2);

console.log(`Node ${process.version}, load ${loadavg()[0].toFixed(2)} before`);
for (const [name, half] of Object.entries(halves)) if (chosen.length === 0 || chosen.includes(name)) await half();
console.log(`load ${loadavg()[0].toFixed(2)} after`);
process.exit();

async function memory() {
  const peers = await startAll({
    floor: ["floor"],
    stepwell: ["stepwell"],
    Mastra: ["mastra", { keeps: true }],
    "Mastra, keeping nothing": ["mastra", { keeps: false }],
    "Node-RED": ["node-red"],
  });
  for (const at_once of [1, 64]) {
    const what = `memory, ${at_once === 1 ? "alone" : "64 at once"}`;
    const seen = await inTurns(peers, { rounds, milliseconds, at_once });
    for (const [name, { cpu }] of Object.entries(seen)) report(`${what}: ${name}, processor time of a run`, cpu, "µs");
    reportRounds(what, seen, { stepwell: at_once === 1 ? "under 0.2" : "" });
    compare(what, seen, { floor: "", Mastra: "at least 4", "Mastra, keeping nothing": "", "Node-RED": "at least 1" });
  }
  await reportRest(peers, "memory");
}

async function durable() {
  const folder = mkdtempSync(join(tmpdir(), "bench-engine-"));
  const redis = await startRedis();
  const postgres = await startPostgres();
  const peers = await startAll({
    floor: ["floor", { base: join(folder, "floor") }],
    stepwell: ["stepwell", { base: join(folder, "stepwell") }],
    "stepwell in memory": ["stepwell"],
    "stepwell, flushed": ["stepwell", { base: join(folder, "flushed"), sync: true }],
    ...(redis && { BullMQ: ["bullmq", { port: redis.port }] }),
    ...(postgres && { DBOS: ["dbos", { url: postgres.url }], OpenWorkflow: ["openworkflow", { url: postgres.url }] }),
  });
  try {
    for (const at_once of [1, 64]) {
      const what = `durable, ${at_once === 1 ? "alone" : "64 at once"}`;
      const seen = await inTurns(peers, { rounds, milliseconds, at_once });
      reportRounds(what, seen);
      const cpu = seen.stepwell.cpu / seen["stepwell in memory"].cpu;
      report(`${what}: processor time of stepwell over itself in memory`, cpu, "times", "at most 1.6");
      compare(what, seen, {
        floor: "at least 1",
        BullMQ: "over 1",
        DBOS: "over 5",
        OpenWorkflow: "over 5",
      });
      // PostgreSQL flushes every commit, so the like of it is the driver that does.
      compare(what, seen, { DBOS: "", OpenWorkflow: "" }, "stepwell, flushed");
    }
    await reportRest(peers, "durable");
  } finally {
    await redis?.close();
    await postgres?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startAll(sides) {
  const peers = {};
  for (const [name, [file, options]] of Object.entries(sides)) {
    const peer = await startPeer(file, options);
    if (peer !== null) peers[name] = peer;
  }
  return peers;
}

function reportRounds(what, seen, goals = {}) {
  for (const [name, { rate, p99 }] of Object.entries(seen)) {
    report(`${what}: ${name}`, rate, "runs/s");
    report(`${what}: ${name}, p99`, p99, "ms", goals[name]);
  }
}

function compare(what, seen, goals, side = "stepwell") {
  for (const [other, goal] of Object.entries(goals)) {
    if (seen[other] !== undefined) report(`${what}: ${side} over ${other}`, seen[side].than(other), "times", goal);
  }
}

/** Reports what rounds do not measure, and ends the sides. */
async function reportRest(peers, what) {
  const { writes } = await peers.stepwell.measure();
  report(`${what}: writes of stepwell to its driver for a run`, writes, "", "");
  for (const [name, { startup }] of Object.entries(peers)) {
    report(`${what}: ${name}, import to first run`, startup, "ms", name === "stepwell" ? "under the peers'" : "");
  }
  for (const peer of Object.values(peers)) await peer.close();
}
