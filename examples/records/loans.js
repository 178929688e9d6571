// Loans that are polled from a loan-origination system with a cursor: node examples/records/loans.js
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { createStepwell } from "stepwell";

// A stand-in for the system: a log of changes, two on a page. The cursor is the number of changes before it.
const changes = [
  { id: "c1", milestone: "Submittal", loan: { number: "L-1", amount: 90_000 } },
  { id: "c2", milestone: "Inquiry", loan: { number: "L-2", amount: 40_000 } },
  { id: "c3", milestone: "Submittal", loan: { number: "L-1", amount: 85_000 } },
];
const server = createServer((request, response) => {
  console.log("GET", request.url, request.headers.authorization);
  const start = Number(new URL(request.url, "http://localhost").searchParams.get("after") ?? 0);
  const events = changes.slice(start, start + 2);
  const end = start + events.length;
  response.end(JSON.stringify({ events, cursor: String(end), more: end < changes.length }));
}).listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address();

const secret = randomBytes(32).toString("base64");
const stepwell = createStepwell({ secret, net: { allow: [`127.0.0.1:${port}`] } });
const app = await stepwell.apps.create({ name: "Lending" });
const connection = await stepwell.connections.create(app.id, {
  name: "Lender",
  service: "loan_origination",
  credentials: { url: `http://127.0.0.1:${port}/changes`, token: "a_token" },
});
const { id, triggers } = await stepwell.collections.create(app.id, {
  name: "Loans",
  triggers: [
    {
      type: "loan_origination",
      name: "Submitted loans",
      connection_id: connection.id,
      config: {
        type: "loan_origination",
        mappings: [
          { type: "key", entity_path: "loan:number", input_path: ["loan", "number"], name: "Number" },
          { type: "field", entity_path: "loan:amount", input_path: ["loan", "amount"], name: "Amount" },
        ],
        pull_on_millestones: ["Submittal"],
        pull_on_folders: [],
      },
    },
  ],
});

const deliveries = async () => (await stepwell.triggers.deliveries(app.id, id, triggers[0].id)).items;
const isHandled = (items) => items.length === 3 && items.every(({ status }) => status !== "pending");
while (!isHandled(await deliveries())) await setTimeout(10);
console.log(
  (await deliveries())
    .map(({ event_id, status }) => `${event_id} ${status}`)
    .sort()
    .join("\n"),
);
for (const { data } of (await stepwell.records.list(app.id, id)).items) console.log(JSON.stringify(data));
await stepwell.close();
server.close();
server.closeAllConnections();
