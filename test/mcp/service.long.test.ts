/** Tools of MCP servers as actions. The server is a Stepwell instance of its own, or a process. */
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { toNodeHandler } from "../../adapters/http/node.ts";
import { createMcpServer, mcpService } from "../../adapters/mcp/index.ts";
import { createStepwell, type Step } from "../../src/index.ts";
import { bundleOf } from "../faults/child.ts";
import { openFake } from "../support/client/mounted.ts";
import { silent } from "../support/engine/service.ts";

/** A server whose tool doubles a number, or fails. */
async function openServer() {
  const stepwell = createStepwell({ logger: silent, mcp: createMcpServer() });
  const server = await openFake(toNodeHandler(stepwell));
  onTestFinished(async () => {
    await server.close();
    await stepwell.close();
  });
  const app = (await stepwell.apps.create({ name: "Remote" })).id;
  const { key } = await stepwell.keys.create(app, { name: "Key" });
  const steps: readonly Step[] = [
    { type: "input", key: "input", input: { n: { type: "number" } }, destinations: ["save"] },
    {
      type: "service",
      key: "save",
      service: {
        service: "files",
        action: "create",
        input: { name: "n.txt", text: "{{ [1][input.n] > 0 ? 'x' : 'y' }}" },
      },
    },
  ];
  const { id } = await stepwell.workflows.create(app, {
    name: "Save",
    description: "Saves.",
    tool: {},
    steps: [...steps],
  });
  await stepwell.workflows.deploy(app, id);
  return { url: `${server.url}/apps/${app}/mcp`, headers: { authorization: `Bearer ${key}` } };
}

async function openHost(service: Awaited<ReturnType<typeof mcpService>>) {
  const stepwell = createStepwell({ logger: silent, services: [service] });
  onTestFinished(() => stepwell.close());
  const app = (await stepwell.apps.create({ name: "Host" })).id;
  return {
    stepwell,
    async run(action: string, input: Record<string, string | number>) {
      const steps: Step[] = [{ type: "service", key: "call", service: { service: service.name, action, input } }];
      const { id } = await stepwell.workflows.create(app, { name: "Call", steps });
      await stepwell.workflows.deploy(app, id);
      return stepwell.runs.wait(app, (await stepwell.runs.create(app, id)).id);
    },
  };
}

describe("an MCP server over HTTP", () => {
  it("gives its tools as actions with their schemas", async () => {
    const service = await mcpService({ name: "remote", ...(await openServer()), tools: ["save"] });
    expect(Object.keys(service.actions)).toEqual(["save"]);
    const { stepwell, run } = await openHost(service);
    const ended = await run("save", { n: 0 });
    expect(ended).toMatchObject({ status: "succeeded", output: { status: "succeeded", output: { name: "n.txt" } } });
    const [described] = (await stepwell.services.list()).filter(({ name }) => name === "remote");
    expect(described?.actions).toMatchObject([
      { name: "save", description: "Saves.", input: { properties: { n: { type: "number" } } } },
    ]);
  });

  it("refuses wrong arguments before it is asked, and hands on why a tool failed", async () => {
    const { run } = await openHost(await mcpService({ name: "remote", ...(await openServer()) }));
    expect((await run("save", { n: "{{ 'text' }}" })).error?.message).toMatch(/n/);
    const failed = await run("save", { n: 5 });
    expect(failed.steps[0]?.error).toMatchObject({ code: "tool_failed", message: expect.stringMatching(/index/i) });
  });

  it("must be there, have the wanted tools, and accept the key", async () => {
    const server = await openServer();
    await expect(mcpService({ name: "none", url: "http://127.0.0.1:1/mcp" })).rejects.toMatchObject({
      code: "unavailable",
    });
    await expect(mcpService({ name: "remote", ...server, tools: ["other"] })).rejects.toThrow(/no tools.*other/);
    await expect(mcpService({ name: "remote", url: server.url })).rejects.toMatchObject({ code: "unavailable" });
    await expect(mcpService({ name: "both" })).rejects.toThrow(/url or a command/);
  });
});

describe("an MCP server that misbehaves", () => {
  /** Answers each method with a result, or never. */
  async function openLiar(results: Readonly<Record<string, unknown>>) {
    const server = await openFake((request, response) => {
      let text = "";
      request.on("data", (chunk) => {
        text += chunk;
      });
      request.on("end", () => {
        const { id, method } = JSON.parse(text || "{}");
        const result = results[method];
        if (id === undefined) response.writeHead(202).end();
        else if (result !== undefined)
          response.setHeader("content-type", "application/json").end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      });
    });
    onTestFinished(() => server.close());
    return server.url;
  }
  const initialize = {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "liar", version: "1" },
  };
  const unknown = { resultType: "complete", supportedVersions: ["2025-06-18"] };

  it("is given up in time", async () => {
    const url = await openLiar({});
    const given = mcpService({ name: "silent", url, timeoutMs: 50 });
    await expect(given).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining("50 ms") });
  });

  it("keeps all of its tools apart, whatever their names are", async () => {
    const names = ["users.list", "users/list", "users list", ""];
    const tools = names.map((name) => ({ name, description: "x".repeat(10_000), inputSchema: { type: "object" } }));
    const url = await openLiar({ initialize, "server/discover": unknown, "tools/list": { tools } });
    const { actions } = await mcpService({ name: "liar", url });
    expect(Object.keys(actions)).toEqual(["users_list", "users_list_2", "users_list_3", "tool"]);
    expect(actions["tool"]?.description).toHaveLength(4_096);
  });
});

describe("an MCP server in a process", () => {
  it("is started, and ends with the instance", async () => {
    const bundle = await bundleOf(join(import.meta.dirname, "../support/mcp/stdio-server.ts"));
    const service = await mcpService({ name: "local", command: process.execPath, args: [bundle] });
    expect(Object.keys(service.actions)).toContain("approval");
    const { run } = await openHost(service);
    const ended = await run("approval", {});
    expect(ended).toMatchObject({ status: "succeeded", output: { status: "waiting", forms: [{ step: "approve" }] } });
  });
});
