// Web search through a SearXNG instance, here a stand-in on loopback: node examples/services/web-search.js
import { once } from "node:events";
import { createServer } from "node:http";
import { createStepwell } from "stepwell";
import { searxng } from "stepwell/search";

const results = [{ title: "Stepwell", url: "https://example.com/stepwell", content: "A well that you walk down to." }];
const instance = createServer((_, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results }));
});
await once(instance.listen(0, "127.0.0.1"), "listening");

const stepwell = createStepwell({ webSearch: searxng({ url: `http://127.0.0.1:${instance.address().port}` }) });
const app = await stepwell.apps.create({ name: "Research" });
const workflow = await stepwell.workflows.create(app.id, {
  name: "Look up",
  steps: [
    { type: "input", key: "start", input: { topic: { type: "string" } } },
    {
      type: "service",
      key: "search",
      service: { service: "web_search", action: "search", input: { query: "{{ input.topic }}", count: 5 } },
    },
  ],
});
await stepwell.workflows.deploy(app.id, workflow.id);

const { id } = await stepwell.runs.create(app.id, workflow.id, { input: { topic: "stepwell" } });
const run = await stepwell.runs.wait(app.id, id);
console.log(run.output?.results ?? run.error);

await stepwell.close();
instance.close();
instance.closeAllConnections();
