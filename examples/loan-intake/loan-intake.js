// Signed events become records, rules check them, and a webhook reports the results: npm run demo:intake
import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { createStepwell } from "stepwell";
import { toNodeHandler } from "stepwell/http/node";
import { createLoans } from "./collection.js";
import { sendEvents } from "./sender.js";
import { listen, startReceiver } from "./servers.js";
import { signed } from "./standard-webhooks.js";

const receiver = await startReceiver();
const { server, port } = await listen();
const stepwell = createStepwell({
  baseUrl: `http://127.0.0.1:${port}`,
  secret: randomBytes(32).toString("base64"),
  net: { allow: [`127.0.0.1:${receiver.port}`] }, // otherwise, webhooks are not sent to private addresses
});
server.on("request", toNodeHandler(stepwell));

const app = await stepwell.apps.create({ name: "Lending" });
const loans = await createLoans(stepwell, app);
const [trigger] = loans.triggers;
const { url, secret } = await stepwell.triggers.putSignature(app.id, loans.id, trigger.id, {
  scheme: "standard-webhooks",
});
const events = ["record.*", "rule.failed"];
const webhook = await stepwell.webhooks.create(app.id, { url: receiver.url, events, collection_id: loans.id });
receiver.secret = webhook.secret;

console.log("The loan system sends signed events:");
const sent = await sendEvents(url, secret);

const deliveries = await until(
  async () => (await stepwell.triggers.deliveries(app.id, loans.id, trigger.id)).items,
  (all) => all.every(({ status }) => status !== "pending"),
);
const records = await until(
  async () => (await stepwell.records.list(app.id, loans.id)).items.reverse(),
  (all) => all.every(({ rule_results }) => rule_results.every(({ result }) => result !== "PENDING")),
);
const numbers = new Map(records.map(({ id, data }) => [id, data.loan.number]));

console.log("\nThe outcome of each event:");
for (const id of sent) {
  const { event_id, status, record_id, reason } = deliveries.find(({ event_id }) => event_id === id);
  console.log(`  ${event_id}  ${status.padEnd(8)}  ${reason?.message ?? numbers.get(record_id)}`);
}

console.log("\nThe records, checked by the rules:");
for (const { data, version, rule_results } of records) {
  const { number, borrower, amount, value } = data.loan;
  const results = rule_results.map(({ key, result }) => `${key} ${result}`);
  console.log(`  ${number}  version ${version}: ${borrower}, ${amount} of ${value}  ${results.join(", ")}`);
}

await until(
  async () => (await stepwell.webhooks.deliveries(app.id, webhook.id)).items,
  (all) => all.length === 5 && all.every(({ status }) => status === "delivered"),
);
console.log("\nThe webhook received, with valid signatures:");
for (const [id, number] of numbers) {
  const told = receiver.events.filter(({ data }) => data.id === id || data.record_id === id);
  console.log(`  ${number}  ${told.map(({ type, data }) => `${type} ${data.key ?? data.version}`).join(", ")}`);
}
const forged = { method: "POST", headers: signed(secret, "forged", "{}"), body: "{}" };
const { status } = await fetch(receiver.url, forged);
console.log(`A request that is signed with another secret gets ${status}.`);

await stepwell.close();
for (const one of [server, receiver.server]) {
  one.close();
  one.closeAllConnections();
}

/** Reads until a condition holds. Events are handled, and webhooks sent, in the background. */
async function until(read, holds) {
  for (;;) {
    const found = await read();
    if (holds(found)) return found;
    await setTimeout(20);
  }
}
