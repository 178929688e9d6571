/**
 * GET version and list collections through `fetch`, against a bare Hono handler that answers the same JSON: processor time
 * of a request, in turns, once read as text and once as the stream that hosts such as undici read. Runs in Node.js, and
 * with `bun handler.js` and `deno run -A handler.js` in those.
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
  for (const [how, read] of Object.entries({ text: (response) => response.text(), stream: readStream })) {
    const call = (fetch) => async () => {
      const response = await fetch(new Request(url, { headers }));
      if (response.status !== 200) throw new Error(`${title}: ${response.status} ${await response.text()}`);
      await read(response);
    };
    const sides = { hono: call((request) => hono.fetch(request)), stepwell: call(stepwell.fetch) };
    const seen = await cpuInTurns(sides, { calls });
    report(`${title}, as ${how}: Hono, bare`, seen.hono, "µs");
    report(`${title}, as ${how}: stepwell.fetch, key checked`, seen.stepwell, "µs");
    report(`${title}, as ${how}: ratio`, seen.hono / seen.stepwell, "", goal);
  }
}

async function readStream(response) {
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.byteLength;
  return bytes;
}

const VERSION = `/apps/${app.id}/workflows/${workflow.id}/versions/${version.version}`;
await against("GET version", VERSION, 2_000, "at least 0.95");
await against("list of 100 collections", `/apps/${app.id}/collections`, 100, "at least 1.0");
await stepwell.close();
