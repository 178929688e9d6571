// Reads an article off a page that its scripts build: node examples/browser/browser.js
import { once } from "node:events";
import { createServer } from "node:http";
import { createStepwell } from "stepwell";
import { createPlaywrightBrowser } from "stepwell/playwright";

const PAGE = `<!doctype html><title>Weather</title><nav>Home | About | Contact</nav><main></main>
<script>
  const report = "<article><h1>Storm over the coast</h1><p>" + "Winds of up to 110 km/h reach the coast at noon. ".repeat(5);
  setTimeout(() => { document.querySelector("main").innerHTML = report; }, 50);
</script>`;
const site = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" }).end(PAGE));
await once(site.listen(0, "127.0.0.1"), "listening");
const { port } = site.address();

const stepwell = createStepwell({
  browser: createPlaywrightBrowser({ executablePath: process.env.CHROMIUM }), // left out, Stepwell looks for one
  net: { allow: [`127.0.0.1:${port}`] }, // private addresses are refused unless you allow them
});
const app = await stepwell.apps.create({ name: "News" });
const workflow = await stepwell.workflows.create(app.id, {
  name: "Read",
  steps: [
    { type: "input", key: "start", input: { link: { type: "string", validation: "url" } } },
    { type: "browser", key: "read", url: "{{ input.link }}", wait_for_selector: "article h1", strip_html: true },
  ],
});
await stepwell.workflows.deploy(app.id, workflow.id);

const { id } = await stepwell.runs.create(app.id, workflow.id, { input: { link: `http://127.0.0.1:${port}/` } });
const run = await stepwell.runs.wait(app.id, id);
if (run.error) console.log(run.error.message);
else console.log(`${run.output.status} ${run.output.title}\n\n${run.output.content}`);

await stepwell.close();
site.close();
site.closeAllConnections();
