// A service of your own: checked arguments, credentials, retries and idempotency: node examples/services/services.js
import { randomBytes } from "node:crypto";
import { createStepwell, defineService, RetryableError } from "stepwell";
import * as v from "valibot";

/** Stands for a payment provider that fails at first, and charges once for each idempotency key. */
const provider = {
  requests: 0,
  charges: new Map(),
  charge(key, amount) {
    if (++this.requests === 1) throw new RetryableError("The provider answered 503.");
    if (!this.charges.has(key)) this.charges.set(key, { charge: `ch_${this.charges.size + 1}`, amount });
    return this.charges.get(key);
  },
};

const payments = defineService({
  name: "payments",
  connection: v.object({ api_key: v.string() }),
  actions: {
    charge: {
      input: v.object({ amount: v.number() }),
      output: v.object({ charge: v.string(), amount: v.number() }),
      run({ amount }, { connection, idempotencyKey, log }) {
        log(`charging ${amount} with ${connection.api_key}`);
        return provider.charge(idempotencyKey, amount);
      },
    },
  },
});
const stepwell = createStepwell({ services: [payments], secret: randomBytes(32).toString("base64") });

const app = await stepwell.apps.create({ name: "Shop" });
const connection = await stepwell.connections.create(app.id, {
  name: "Live account",
  service: "payments",
  credentials: { api_key: "sk_live_4f9a1c77" },
});
const workflow = await stepwell.workflows.create(app.id, {
  name: "Pay",
  steps: [
    { type: "input", key: "start", input: { amount: { type: "number" } } },
    {
      type: "service",
      key: "charge",
      service: {
        service: "payments",
        action: "charge",
        connection_id: connection.id,
        input: { amount: "{{ input.amount }}" },
      },
    },
  ],
});
await stepwell.workflows.deploy(app.id, workflow.id);

const { id } = await stepwell.runs.create(app.id, workflow.id, { input: { amount: 40 } });
const run = await stepwell.runs.wait(app.id, id);
const [, charge] = run.steps;
console.log(run.status, run.output);
console.log(`${charge.attempts} attempts, ${provider.charges.size} charge`);
console.log(charge.logs.join("\n"));
await stepwell.close();
