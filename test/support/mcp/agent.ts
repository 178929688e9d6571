/** An agent with the official client of the protocol, connected to the app of a service. */
import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { createMcpServer, type McpServerOptions } from "../../../adapters/mcp/index.ts";
import { type ApiKeyScope, createStepwell, type Options, type Step, type WorkflowTool } from "../../../src/index.ts";
import { silent } from "../engine/service.ts";

/** Which clients there are: those of the current revision, and those that open with `initialize`. */
export type Era = "auto" | "legacy";

export async function openApp(options: McpServerOptions = {}, more: Options = {}) {
  const stepwell = createStepwell({ logger: silent, mcp: createMcpServer(options), ...more });
  onTestFinished(() => stepwell.close());
  const app = (await stepwell.apps.create({ name: "Agents" })).id;

  async function tool(name: string, steps: readonly Step[], described: WorkflowTool = {}) {
    const { id } = await stepwell.workflows.create(app, { name, tool: described, steps: [...steps] });
    await stepwell.workflows.deploy(app, id);
    return id;
  }

  async function keyWith(scopes?: readonly ApiKeyScope[]) {
    const { key } = await stepwell.keys.create(
      app,
      scopes === undefined ? { name: "Agent" } : { name: "Agent", scopes: [...scopes] },
    );
    return key;
  }

  async function connect({
    era = "auto",
    key,
    capabilities = {},
  }: {
    era?: Era;
    key?: string;
    capabilities?: ClientCapabilities;
  } = {}) {
    const versionNegotiation = { mode: era };
    const client = new Client({ name: "tests", version: "1.0.0" }, { capabilities, versionNegotiation });
    const authorization = `Bearer ${key ?? (await keyWith())}`;
    const transport = new StreamableHTTPClientTransport(new URL(`http://localhost:3000/apps/${app}/mcp`), {
      fetch: (url, init) => stepwell.fetch(new Request(url, init)),
      requestInit: { headers: { authorization } },
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    return client;
  }

  return { stepwell, app, tool, keyWith, connect };
}
