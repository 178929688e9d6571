// A workflow that sends an e-mail with the app's account: node examples/mail/run.js
import { randomBytes } from "node:crypto";
import { createStepwell } from "stepwell";
import { mail } from "./mail.js";
import { openMailServer } from "./server.js";

const account = { user: "sales", password: randomBytes(12).toString("hex") };
const server = await openMailServer(account);
const stepwell = createStepwell({ services: [mail], secret: randomBytes(32).toString("base64") });

const app = await stepwell.apps.create({ name: "Lending" });
const connection = await stepwell.connections.create(app.id, {
  name: "Sales",
  service: "mail",
  credentials: { host: "127.0.0.1", port: server.port, ...account }, // stored encrypted, never shown again
});
const workflow = await stepwell.workflows.create(app.id, {
  name: "Welcome",
  steps: [
    { type: "input", key: "start", input: { name: { type: "string" }, email: { type: "string" } } },
    {
      type: "service",
      key: "welcome",
      service: {
        service: "mail",
        action: "send",
        connection_id: connection.id,
        input: {
          from: "Sales <sales@example.com>",
          to: "{{ input.email }}",
          subject: "Welcome, {{ input.name }}",
          text: "Dear {{ input.name }},\n\nwe have received your request.\n",
        },
      },
    },
  ],
});
await stepwell.workflows.deploy(app.id, workflow.id);

const { id } = await stepwell.runs.create(app.id, workflow.id, { input: { name: "Ada", email: "ada@example.com" } });
const run = await stepwell.runs.wait(app.id, id);
console.log(run.status, run.output ?? run.error);
for (const { to, text } of server.mails) console.log(`\nto ${to}\n\n${text.trim()}`);

await stepwell.close();
await server.close();
