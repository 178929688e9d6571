// A service of two web processes and three workers under load, while they are killed, closed and replaced.
//
//   npm run demo:cluster -- --seconds 60 --store postgres --rate 10 --redis URL --postgres URL
import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createClient } from "stepwell/client";
import { createBalancer, createLoad } from "./load.js";
import { createProcesses } from "./processes.js";
import { openServers } from "./servers.js";
import { openShop } from "./shop.js";
import { ORDER } from "./shop-service.js";
import { startTable } from "./table.js";
import { makeTrouble } from "./trouble.js";

const { REDIS_URL, DATABASE_URL } = process.env;
const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    store: { type: "string", default: "postgres" }, // or redis
    rate: { type: "string", default: "10" }, // runs that are created in a second
    redis: { type: "string", ...(REDIS_URL && { default: REDIS_URL }) },
    postgres: { type: "string", ...(DATABASE_URL && { default: DATABASE_URL }) },
  },
});
const [seconds, rate] = [Number(options.seconds), Number(options.rate)];
if (!(seconds > 0 && rate > 0)) throw new TypeError("--seconds and --rate must be positive numbers.");
if (!["postgres", "redis"].includes(options.store)) throw new TypeError("--store must be postgres or redis.");

const PROCESSES = ["web", "web", "worker", "worker", "worker"];
/** What has not ended this long after the load counts as lost. A takeover takes about 20 seconds. */
const PATIENCE_MS = 180_000;
const namespace = `cluster_example_${process.pid}`;
const adminKey = randomBytes(24).toString("hex");

const interrupt = new AbortController();
const { signal } = interrupt;
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => interrupt.abort());
const interrupted = setTimeout(2 ** 31 - 1, undefined, { signal, ref: false });
interrupted.catch(() => {}); // those who wait get it, too
const problems = [];
const fail = (error) => signal.aborted || problems.push(error.stack);
const opened = [];
let table = null;

try {
  await main();
} catch (error) {
  fail(error);
} finally {
  table?.stop();
  for (const close of opened.reverse()) {
    try {
      await close();
    } catch (error) {
      fail(error);
    }
  }
}
for (const problem of problems) console.error(problem);
console.log(signal.aborted ? "Interrupted." : problems.length > 0 ? "FAILED" : "Every process has ended.");
process.exitCode = signal.aborted ? 130 : problems.length > 0 ? 1 : 0;

async function main() {
  console.log("Starting Redis, PostgreSQL, two web processes and three workers …");
  const shop = await openShop();
  opened.push(shop.close);
  const servers = await openServers({ ...options, namespace });
  opened.push(servers.close);
  const processes = createProcesses({
    env: {
      STORE: options.store,
      NAMESPACE: namespace,
      REDIS_URL: servers.urls.redis,
      DATABASE_URL: servers.urls.postgres,
      SHOP_URL: shop.url,
      ADMIN_KEY: adminKey,
      SECRET: randomBytes(32).toString("base64"),
    },
    onLog: (name, text) => say(`${name}: ${text}`),
    onProblem: (text) => problems.push(text),
  });
  opened.push(processes.closeAll);
  await Promise.race([Promise.all(PROCESSES.map(processes.start)), interrupted]);
  const { key, workflow } = await deploy(processes);
  const service = createBalancer(processes, key, signal);
  const load = createLoad({ service, workflow, rate, signal });

  table = startTable(() => view(processes, shop, load));
  const loading = load.run();
  const takeovers = await Promise.race([makeTrouble({ processes, shop, seconds, signal, say }), loading]);
  load.end();
  await loading;
  say("the load has ended");
  const patience = setTimeout(PATIENCE_MS, undefined, { signal, ref: false });
  await Promise.race([Promise.all([load.untilAllEnded(), ...takeovers]), patience]);
  table.stop();
  await check(service, shop, load);
}

async function deploy(processes) {
  const [{ url }] = processes.up("web");
  const admin = createClient({ url, key: adminKey });
  const app = await admin.apps.create({ name: "Shop" });
  const { key } = await admin.keys.create(app.id, { name: "load" });
  const client = createClient({ url, key });
  const workflow = await client.workflows.create("me", ORDER);
  await client.workflows.deploy("me", workflow.id);
  return { key, workflow };
}

/** Adds what is wrong to the problems. */
async function check(service, shop, load) {
  const stored = new Map();
  await service(async (client) => {
    for await (const { id, status } of client.runs.listAll("me")) stored.set(id, status);
  });
  for (const id of load.created) {
    const status = stored.get(id) ?? "missing";
    const problem = status === "succeeded" ? shop.problemOf(id) : `${id} is ${status}`;
    if (problem !== null) problems.push(problem);
  }
  const doubled = stored.size - load.created.size;
  if (doubled > 0) problems.push(`${doubled} runs were created twice`);
  if (problems.length > 0) return;
  console.log(`All ${stored.size} runs have succeeded. None was lost, and none was created twice.`);
  const repeated = `${shop.repeated()} interrupted calls were repeated with the same idempotency key`;
  console.log(`No finished step was repeated; ${repeated}.`);
}

function view(processes, shop, load) {
  const rows = processes.all.map(({ name, pid, state, replaced, running, requests, role }) => [
    ...[name, String(pid), replaced === undefined ? state : `${state}, now ${replaced}`],
    ...(role === "web" ? ["", "", String(requests)] : [String(running), String(shop.stepsOf(name)), ""]),
  ]);
  const shown = rows.filter(([, , state], index) => !/^(killed|closed)/.test(state) || index >= rows.length - 9);
  const running = processes.all.reduce((sum, found) => sum + found.running, 0);
  return {
    title: `Stepwell on ${options.store}`,
    rows: [["process", "pid", "state", "runs", "steps", "requests"], ...shown],
    totals: load.text(running),
  };
}

function say(text) {
  if (table === null) console.log(text);
  else table.event(text);
}
