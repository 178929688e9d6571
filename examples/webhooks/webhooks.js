// A signed webhook that starts a run and answers with its output: node examples/webhooks/webhooks.js
import { createHmac, randomBytes } from "node:crypto";
import { createStepwell } from "stepwell";

const stepwell = createStepwell({ secret: randomBytes(32).toString("base64") });
const app = await stepwell.apps.create({ name: "Shop" });
const workflow = await stepwell.workflows.create(app.id, {
  name: "Order",
  steps: [
    {
      type: "input",
      key: "order",
      webhook: { method: "POST", path: "orders/new" },
      input: { item: { type: "string" }, count: { type: "number", default: 1 } },
    },
    { type: "code", key: "confirm", code: "return { confirmed: input.count + ' x ' + input.item }" },
  ],
});
await stepwell.workflows.deploy(app.id, workflow.id);

const [hook] = (await stepwell.hooks.list(app.id, { workflow_id: workflow.id })).items;
const { secret } = await stepwell.hooks.putSignature(app.id, hook.id, { scheme: "standard-webhooks" });
console.log(hook.method, new URL(hook.url).pathname.replace(app.id, "{app_id}"));

const body = JSON.stringify({ item: "Pen", count: 2 });
await send("unsigned", {});
await send("signed  ", sign("msg_1"));
await send("repeated", sign("msg_1"));
console.log((await stepwell.runs.list(app.id)).total, "run");
await stepwell.close();

async function send(title, headers) {
  const json = { "content-type": "application/json", prefer: "wait=10" };
  const request = new Request(hook.url, { method: "POST", headers: { ...json, ...headers }, body });
  const response = await stepwell.fetch(request); // what your server does with a request
  const answer = await response.json();
  console.log(title, response.status, JSON.stringify(answer.code ?? answer));
}

/** What a sender does: https://www.standardwebhooks.com */
function sign(id) {
  const seconds = Math.floor(Date.now() / 1_000);
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${signature}` };
}
