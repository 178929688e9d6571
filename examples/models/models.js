// A model that calls a function of the host and answers in JSON: node examples/models/models.js
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createStepwell, defineService } from "stepwell";
import * as v from "valibot";
import { openModelServer, toolCall } from "./model-server.js";

const server = await openModelServer([
  toolCall("invoices_find", { customer: "Ada" }),
  { content: '{ "due": 119, "late": true }' },
]);
const local = createOpenAICompatible({ name: "local", baseURL: server.baseURL });

const invoices = defineService({
  name: "invoices",
  actions: {
    find: {
      description: "Finds the open invoices of a customer.",
      input: v.object({ customer: v.string() }),
      output: v.array(v.object({ number: v.string(), amount: v.number(), days_late: v.number() })),
      run: () => [{ number: "2026-17", amount: 119, days_late: 12 }],
    },
  },
});
const stepwell = createStepwell({ models: { local }, services: [invoices] });

const app = await stepwell.apps.create({ name: "Shop" });
const workflow = await stepwell.workflows.create(app.id, {
  name: "Reminder",
  steps: [
    { type: "input", key: "start", input: { customer: { type: "string" } } },
    {
      type: "model",
      key: "answer",
      provider: {
        provider: "local",
        model: "small",
        messages: [{ role: "user", content: "How much does {{ input.customer }} owe us?" }],
        tools: ["invoices.find"],
        response_format: {
          type: "json_schema",
          schema: {
            type: "object",
            properties: { due: { type: "number" }, late: { type: "boolean" } },
            required: ["due", "late"],
          },
        },
      },
    },
  ],
});
await stepwell.workflows.deploy(app.id, workflow.id);

const { id } = await stepwell.runs.create(app.id, workflow.id, { input: { customer: "Ada" } });
const run = await stepwell.runs.wait(app.id, id);
console.log(run.status, run.output?.object ?? run.error);
console.log(run.steps[1]?.logs?.join("\n"));
console.log(`${run.output?.iterations} answers, ${run.output?.usage.total_tokens} tokens`);

await stepwell.close();
server.close();
