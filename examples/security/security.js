// What keys, private networks and code steps cannot do: node examples/security/security.js
import { createStepwell } from "stepwell";

const stepwell = createStepwell({
  baseUrl: "http://localhost:3000",
  adminKey: "local-admin-key",
  limits: { code: { timeoutMs: 500 } },
});
const app = await stepwell.apps.create({ name: "Shop" });
const other = await stepwell.apps.create({ name: "Another shop" });

const reader = await stepwell.keys.create(app.id, { name: "dashboard", scopes: ["runs:read"] });
await ask("GET", `/apps/${app.id}/runs`, reader.key, "reads runs");
await ask("POST", `/apps/${app.id}/workflows`, reader.key, "writes workflows");
await ask("GET", `/apps/${other.id}/runs`, reader.key, "reads another app");
await ask("GET", "/apps", reader.key, "lists the apps");
await ask("GET", "/apps", "local-admin-key", "lists the apps with the admin key");
await stepwell.keys.remove(app.id, reader.id);
await ask("GET", `/apps/${app.id}/runs`, reader.key, "reads runs with a revoked key");

console.log();
await run({ type: "http_request", key: "metadata", url: "http://169.254.169.254/latest/meta-data/" });
await run({ type: "code", key: "network", code: "return fetch('https://example.com')" });
await run({ type: "code", key: "endless", code: "for (;;);" });
await stepwell.close();

async function ask(method, path, key, what) {
  const headers = { authorization: `Bearer ${key}` };
  const { status } = await stepwell.fetch(new Request(`http://localhost:3000${path}`, { method, headers }));
  console.log(status, what);
}

async function run(step) {
  const workflow = await stepwell.workflows.create(app.id, { name: step.key, steps: [step] });
  await stepwell.workflows.deploy(app.id, workflow.id);
  const { id } = await stepwell.runs.create(app.id, workflow.id);
  const { error } = await stepwell.runs.wait(app.id, id);
  console.log(step.key, error?.code);
}
