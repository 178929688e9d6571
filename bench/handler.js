/** GET version and list collections through `fetch`, against a bare Hono handler that answers the same JSON. */
import { Hono } from "hono";
import { createStepwell } from "stepwell";
import { deployed, fill } from "./fixture.js";
import { rates, report } from "./measure.js";

const stepwell = createStepwell({ baseUrl: "http://localhost" });
const { app, key, workflow, version } = await deployed(stepwell);
await fill(stepwell, app.id, 0, 100);
const headers = { authorization: `Bearer ${key}` };

async function against(title, path, goal) {
  const url = `http://localhost${path}`;
  const answer = await (await stepwell.fetch(new Request(url, { headers }))).json();
  const hono = new Hono().get(path, (context) => context.json(answer));
  const call = (fetch) => async () => {
    const response = await fetch(new Request(url, { headers }));
    if (response.status !== 200) throw new Error(`${title}: ${response.status} ${await response.text()}`);
    await response.text();
  };
  const seen = await rates({ hono: call((request) => hono.fetch(request)), stepwell: call(stepwell.fetch) });
  report(`${title}: Hono, bare`, seen.hono, "req/s");
  report(`${title}: stepwell.fetch, key checked`, seen.stepwell, "req/s");
  report(`${title}: ratio`, seen.stepwell / seen.hono, "", goal);
}

await against("GET version", `/apps/${app.id}/workflows/${workflow.id}/versions/${version.version}`, "at least 0.8");
await against("list of 100 collections", `/apps/${app.id}/collections`, "");
await stepwell.close();
