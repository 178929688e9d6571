/** Uploads a real file over HTTP, runs a workflow on it and prints the result: `npm run demo`. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { createStepwell } from "stepwell";
import { toNodeHandler } from "stepwell/http/node";
import fsDriver from "stepwell/storage/fs";
import { listen, startAccounting } from "./accounting.js";
import { expenses } from "./workflow.js";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const { STORAGE = here(".stepwell") } = process.env;
const accounting = await startAccounting();
const server = createServer();
const baseUrl = `http://127.0.0.1:${await listen(server)}`;

const stepwell = createStepwell({
  baseUrl,
  storage: { entities: fsDriver({ base: STORAGE }) },
  net: { allow: [`127.0.0.1:${accounting.port}`] },
});
server.on("request", toNodeHandler(stepwell));

// Reuse what an earlier start created.
const [known] = (await stepwell.apps.list()).items;
const app = known ?? (await stepwell.apps.create({ name: "Demo" }));
say(known ? "Found the app of an earlier start" : "Created an app", app.id);

const definition = expenses(`http://127.0.0.1:${accounting.port}`);
const [existing] = (await stepwell.workflows.list(app.id)).items;
const workflow = existing ?? (await stepwell.workflows.create(app.id, definition));
await stepwell.workflows.putDraft(app.id, workflow.id, { steps: definition.steps });
const version = await stepwell.workflows.deploy(app.id, workflow.id, { notes: "from the demo" });
say(`Deployed "${workflow.name}"`, `version ${version.version}, ${version.steps.length} steps`);

// Anybody who has the URL can send the file: no key, no account.
const upload = await stepwell.files.createUpload(app.id, { allowed_types: ["text/csv"] });
say("Created an upload URL", upload.upload_url);
const form = new FormData();
form.append("file", new Blob([await readFile(here("expenses.csv"))], { type: "text/csv" }), "expenses.csv");
const received = await (await fetch(upload.upload_url, { method: "POST", body: form })).json();
say("Uploaded a file", `${received.name}, ${received.size} bytes, ${received.mime_type}`);

const { id } = await stepwell.runs.create(app.id, workflow.id, { input: { report: [upload.future_file_id] } });
say("Started a run", id);
const run = await follow(id);

console.log(`\nThe run ${run.status}. Its output:\n\n${JSON.stringify(run.output, hideLong, 2)}\n`);
const { total } = await stepwell.runs.list(app.id);
console.log(`Everything is stored in ${relative(process.cwd(), STORAGE)}: ${total} run${total === 1 ? "" : "s"} so far.

Next:
  npm run demo                                  run it again; the app and its runs are still there
  npm run demo:intake                           signed events become records with rule results
  npm run demo:cluster                          five processes share the work, while they are killed and replaced
  node examples/quickstart/quickstart.js        the program of the README: kill it, start it again
  node examples/hosts/express/server.js         a server to call with curl (other servers are in examples/hosts)
  ls examples/*/README.md                       the guides, each beside its program
  npm test                                      the tests`);

await stepwell.close();
accounting.close();
server.close();
server.closeAllConnections();
if (run.status !== "succeeded") process.exitCode = 1;

/** Prints each step of a run as it settles, until the run has ended. */
async function follow(runId) {
  const printed = new Set();
  for (;;) {
    const run = await stepwell.runs.wait(app.id, runId, { timeoutMs: 50 });
    for (const step of run.steps) {
      if (printed.has(step.key) || !["succeeded", "failed", "skipped"].includes(step.status)) continue;
      printed.add(step.key);
      console.log(`  ${step.status.padEnd(9)}  ${step.key.padEnd(9)}  ${brief(step)}`);
    }
    if (run.finished_at !== null) return run;
  }
}

function brief({ type, status, output, error, logs }) {
  if (status === "skipped") return `${type}: not on the path that was taken`;
  if (error !== null) return `${type}: ${error.message}`;
  const text = JSON.stringify(output, hideLong);
  return `${type}: ${text.length > 110 ? `${text.slice(0, 109)}…` : text}${logs ? `  (log: ${logs.join("; ")})` : ""}`;
}

function hideLong(key, value) {
  return key === "headers" || key === "contents" ? "…" : value;
}

function say(what, detail) {
  console.log(`${what.padEnd(36)} ${detail}`);
}
