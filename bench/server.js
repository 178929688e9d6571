/** GET version through `toNodeHandler` on node:http, against Hono on its own Node server; load from another process. */
import { fork } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import autocannon from "autocannon";
import { Hono } from "hono";
import { createStepwell } from "stepwell";
import { toNodeHandler } from "stepwell/http/node";
import { deployed } from "./fixture.js";
import { median, report } from "./measure.js";

const [, file, side, given] = process.argv;

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
  const told = await new Promise((resolve, reject) => child.once("message", resolve).once("exit", reject));
  return { child, ...told };
}

async function load({ port, path }, key) {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const result = await autocannon({ url: `http://127.0.0.1:${port}${path}`, headers, connections: 32, duration: 4 });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} errors`);
  return result.requests.average;
}

async function compare() {
  const ours = await start("stepwell");
  const headers = { authorization: `Bearer ${ours.key}` };
  const answer = await (await fetch(`http://127.0.0.1:${ours.port}${ours.path}`, { headers })).json();
  const theirs = await start("hono", JSON.stringify({ path: ours.path, answer }));
  const seen = { stepwell: [], hono: [] };
  await load(ours, ours.key);
  await load(theirs, ours.key);
  for (let round = 0; round < 3; round++) {
    seen.hono.push(await load(theirs, ours.key));
    seen.stepwell.push(await load(ours, ours.key));
  }
  ours.child.kill();
  theirs.child.kill();
  report("GET version on node:http: Hono, bare", median(seen.hono), "req/s");
  report("GET version on node:http: toNodeHandler, key checked", median(seen.stepwell), "req/s");
  report("GET version on node:http: ratio", median(seen.stepwell) / median(seen.hono), "", "at least 0.8");
}
