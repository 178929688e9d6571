// A workflow as a tool of an agent, and an agent that uses it: node examples/agents/agents.js
import { once } from "node:events";
import { createServer } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createStepwell } from "stepwell";
import { toNodeHandler } from "stepwell/http/node";
import { createMcpServer } from "stepwell/mcp";

// The server, which serves its workflows to agents. Usually, it is a program of its own.
const server = createServer().listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${server.address().port}`;
const stepwell = createStepwell({ baseUrl: url, mcp: createMcpServer() });
server.on("request", toNodeHandler(stepwell));

const app = await stepwell.apps.create({ name: "Shop" });
const workflow = await stepwell.workflows.create(app.id, {
  name: "Refund",
  tool: { description: "Refunds an order. A person approves amounts above 100." },
  steps: [
    {
      type: "input",
      key: "input",
      input: { order: { type: "string" }, amount: { type: "number", name: "Amount in euros" } },
      destinations: ["check"],
    },
    {
      type: "branch",
      key: "check",
      conditions: { large: { order: 1, condition: "input.amount > 100.0", destinations: ["approve"] } },
      else: ["refund"],
    },
    {
      type: "input",
      key: "approve",
      input: { approved: { type: "boolean", name: "Refund the money?" } },
      destinations: ["refund"],
    },
    {
      type: "code",
      key: "refund",
      code: "const { approved = true } = steps.approve?.output ?? {}; return { order: input.order, refunded: approved ? input.amount : 0 };",
    },
  ],
});
await stepwell.workflows.deploy(app.id, workflow.id);
const { key } = await stepwell.keys.create(app.id, { name: "agent", scopes: ["runs:write", "runs:read"] });

// The agent, with the official client of the protocol. Its person approves everything.
const agent = new Client(
  { name: "agent", version: "1.0.0" },
  { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } },
);
agent.setRequestHandler("elicitation/create", ({ params }) => {
  console.log(params.message, Object.values(params.requestedSchema.properties)[0].title);
  return { action: "accept", content: { approved: true } };
});
const headers = { authorization: `Bearer ${key}` };
await agent.connect(
  new StreamableHTTPClientTransport(new URL(`${url}/apps/${app.id}/mcp`), { requestInit: { headers } }),
);
for (const { name, description } of (await agent.listTools()).tools) console.log(`${name}: ${description}`);
for (const amount of [20, 500]) {
  const { structuredContent } = await agent.callTool({ name: "refund", arguments: { order: "A-17", amount } });
  console.log(structuredContent.status, structuredContent.output);
}

await agent.close();
await stepwell.close();
server.close();
server.closeAllConnections();
