/**
 * GET version and list collections through `fetch`, against a bare Hono handler that answers the same JSON: processor time
 * of a request, in turns. The list is read unchanged, and with another item changed before each request.
 */
import { Hono } from "hono";
import { createStepwell } from "stepwell";
import { deployed, fill } from "./fixture.js";
import { cpuInTurns, report } from "./measure.js";

const stepwell = createStepwell({ baseUrl: "http://localhost" });
const { app, key, workflow, version } = await deployed(stepwell);
await fill(stepwell, app.id, 0, 100);
const headers = { authorization: `Bearer ${key}` };

async function against(title, path, calls, goal) {
  const url = `http://localhost${path}`;
  const answer = await (await stepwell.fetch(new Request(url, { headers }))).json();
  const hono = new Hono().get(path, (context) => context.json(answer));
  const call = (fetch) => async () => {
    const response = await fetch(new Request(url, { headers }));
    if (response.status !== 200) throw new Error(`${title}: ${response.status} ${await response.text()}`);
    await response.text();
  };
  const sides = { hono: call((request) => hono.fetch(request)), stepwell: call(stepwell.fetch) };
  const seen = await cpuInTurns(sides, { calls });
  report(`${title}: Hono, bare`, seen.hono, "µs");
  report(`${title}: stepwell.fetch, key checked`, seen.stepwell, "µs");
  report(`${title}: ratio`, seen.hono / seen.stepwell, "", goal);
}

const VERSION = `/apps/${app.id}/workflows/${workflow.id}/versions/${version.version}`;
await against("GET version", VERSION, 2_000, "at least 0.95");
await against("list of 100 collections", `/apps/${app.id}/collections`, 100, "at least 1.0");
await stepwell.close();
