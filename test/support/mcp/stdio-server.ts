/** A process that serves an app over standard input and output. */
import { serveMcpStdio } from "../../../adapters/mcp/index.ts";
import { createStepwell } from "../../../src/index.ts";

const logger = { debug() {}, info() {}, warn() {}, error() {} };
const stepwell = createStepwell({ logger });
const app = await stepwell.apps.create({ name: "Agents" });
const approve = { type: "input", key: "approve", input: { ok: { type: "boolean" } } } as const;
const start = { type: "input", key: "start", input: {}, destinations: ["approve"] } as const;
const workflow = await stepwell.workflows.create(app.id, { name: "Approval", tool: {}, steps: [start, approve] });
await stepwell.workflows.deploy(app.id, workflow.id);
await serveMcpStdio(stepwell, app.id);
await stepwell.close();
