/**
 * GET version through `toNodeHandler` on node:http, against Hono on its own Node server: processor time of a request in the
 * process of the server, in turns; the load comes from this process.
 */
import { fork } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import autocannon from "autocannon";
import { Hono } from "hono";
import { createStepwell } from "stepwell";
import { toNodeHandler } from "stepwell/http/node";
import { deployed } from "./fixture.js";
import { at, report } from "./measure.js";

const ROUNDS = Number(process.env.ROUNDS ?? 8);
const [, file, side, given] = process.argv;

process.on("message", () => process.send(process.cpuUsage()));

if (side === "stepwell") {
  const stepwell = createStepwell({ baseUrl: "http://localhost" });
  const { app, key, workflow } = await deployed(stepwell);
  const server = createServer(toNodeHandler(stepwell)).listen(0, "127.0.0.1", () => {
    const path = `/apps/${app.id}/workflows/${workflow.id}/versions/1`;
    process.send({ port: server.address().port, path, key });
  });
} else if (side === "hono") {
  const { path, answer } = JSON.parse(given);
  const app = new Hono().get(path, (context) => context.json(answer));
  serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send({ port, path }));
} else {
  await compare();
}

async function start(...args) {
  const child = fork(fileURLToPath(new URL(file, "file:///")), args);
  return { child, ...(await messageOf(child)) };
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
async function load({ child, port, path }, key) {
  const headers = { authorization: `Bearer ${key}` };
  const before = await cpuUsage(child);
  const result = await autocannon({ url: `http://127.0.0.1:${port}${path}`, headers, connections: 32, amount: 20_000 });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} errors`);
  return ((await cpuUsage(child)) - before) / result.requests.total;
}

async function compare() {
  const ours = await start("stepwell");
  const headers = { authorization: `Bearer ${ours.key}` };
  const answer = await (await fetch(`http://127.0.0.1:${ours.port}${ours.path}`, { headers })).json();
  const theirs = await start("hono", JSON.stringify({ path: ours.path, answer }));
  const seen = { stepwell: [], hono: [] };
  for (let round = -1; round < ROUNDS; round++) {
    const [hono, stepwell] = [await load(theirs, ours.key), await load(ours, ours.key)];
    if (round < 0) continue; // warms up
    seen.hono.push(hono);
    seen.stepwell.push(stepwell);
  }
  ours.child.kill();
  theirs.child.kill();
  const [hono, stepwell] = [seen.hono, seen.stepwell].map((all) =>
    at(
      all.sort((one, other) => one - other),
      0.25,
    ),
  );
  report("GET version on node:http: Hono, bare", hono, "µs");
  report("GET version on node:http: toNodeHandler, key checked", stepwell, "µs");
  report("GET version on node:http: ratio", hono / stepwell, "", "at least 0.95");
}
