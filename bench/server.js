/**
 * GET version and a list of 100 through `toNodeHandler` on node:http, against Hono on its own Node server, which answers the
 * same JSON: processor time of a request in the process of the server, in turns; the load comes from this process.
 */
import { fork } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import autocannon from "autocannon";
import { Hono } from "hono";
import { createStepwell } from "stepwell";
import { toNodeHandler } from "stepwell/http/node";
import { deployed, fill } from "./fixture.js";
import { at, report } from "./measure.js";

const ROUNDS = Number(process.env.ROUNDS ?? 8);
const [, file, side] = process.argv;

if (side === "stepwell") {
  const stepwell = createStepwell({ baseUrl: "http://localhost" });
  const { app, key, workflow } = await deployed(stepwell);
  await fill(stepwell, app.id, 0, 100);
  const paths = { version: `/apps/${app.id}/workflows/${workflow.id}/versions/1`, list: `/apps/${app.id}/collections` };
  const server = createServer(toNodeHandler(stepwell)).listen(0, "127.0.0.1", () => {
    process.send({ port: server.address().port, paths, key });
  });
  process.on("message", () => process.send(process.cpuUsage()));
} else if (side === "hono") {
  const app = new Hono();
  process.once("message", (answers) => {
    for (const [path, answer] of answers) app.get(path, (context) => context.json(answer));
    serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send({ port }));
    process.on("message", () => process.send(process.cpuUsage()));
  });
} else {
  await compare();
}

function start(name) {
  return fork(fileURLToPath(new URL(file, "file:///")), [name]);
}

function messageOf(child) {
  return new Promise((resolve) => child.once("message", resolve));
}

async function cpuUsage(child) {
  child.send("cpu");
  const { user, system } = await messageOf(child);
  return user + system;
}

/** Processor microseconds of a request. */
async function load({ child, port }, { path, headers, amount }) {
  const before = await cpuUsage(child);
  const result = await autocannon({ url: `http://127.0.0.1:${port}${path}`, headers, connections: 32, amount });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} errors`);
  return ((await cpuUsage(child)) - before) / result.requests.total;
}

async function compare() {
  const stepwell = start("stepwell");
  const { port, paths, key } = await messageOf(stepwell);
  const headers = { authorization: `Bearer ${key}` };
  const read = async (path) => (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).json();
  const hono = start("hono");
  hono.send(await Promise.all(Object.values(paths).map(async (path) => [path, await read(path)])));
  const servers = { hono: { child: hono, ...(await messageOf(hono)) }, stepwell: { child: stepwell, port } };
  await inTurns("GET version", servers, { path: paths.version, headers, amount: 20_000 }, "at least 0.95");
  await inTurns("list of 100 collections", servers, { path: paths.list, headers, amount: 5_000 }, "at least 1.0");
  for (const { child } of Object.values(servers)) child.kill();
}

async function inTurns(title, servers, request, goal) {
  const seen = { hono: [], stepwell: [] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, server] of Object.entries(servers)) {
      const cpu = await load(server, request);
      if (round >= 0) seen[name].push(cpu); // the first one warms up
    }
  }
  const [hono, stepwell] = [seen.hono, seen.stepwell].map((all) =>
    at(
      all.sort((one, other) => one - other),
      0.25,
    ),
  );
  report(`${title} on node:http: Hono, bare`, hono, "µs");
  report(`${title} on node:http: toNodeHandler, key checked`, stepwell, "µs");
  report(`${title} on node:http: ratio`, hono / stepwell, "", goal);
}
