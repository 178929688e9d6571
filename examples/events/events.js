// Listens to records, in this process and at a URL: node examples/events/events.js
import { createHmac, randomBytes } from "node:crypto";
import { createStepwell } from "stepwell";

let arrived;
const delivered = new Promise((resolve) => {
  arrived = resolve;
});
// Stands for your receiver, because examples don't use the network. Leave out `fetch` to send for real.
const fetch = async (_url, { headers, body }) => {
  arrived({ headers, body: new TextDecoder().decode(body) });
  return new Response(null, { status: 204 });
};

const stepwell = createStepwell({ secret: randomBytes(32).toString("base64"), fetch });
const app = await stepwell.apps.create({ name: "Lending" });
const loans = await stepwell.collections.create(app.id, { name: "Loans" });

const end = stepwell.on("record.*", (event) => console.log(event.type, event.data.version));
stepwell.on("record.updated", ({ data }) => console.log("amount", data.data?.loan?.amount));
const { secret } = await stepwell.webhooks.create(app.id, {
  url: "https://receiver.example/stepwell",
  events: ["record.deleted"],
});

const loan = await stepwell.records.create(app.id, loans.id, { data: { loan: { amount: 90_000 } } });
await stepwell.records.update(app.id, loans.id, loan.id, { data: { loan: { amount: 80_000 } } });
end();
await stepwell.records.remove(app.id, loans.id, loan.id);

const { headers, body } = await delivered;
const key = Buffer.from(secret.slice("whsec_".length), "base64");
const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
const signature = `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
console.log("received", JSON.parse(body).type, headers["webhook-signature"] === signature ? "signed" : "not signed");
await stepwell.close();
