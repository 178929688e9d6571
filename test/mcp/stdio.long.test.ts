/** Agents that start a process and talk to it over its standard input and output. */
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, it } from "vitest";
import { bundleOf } from "../faults/child.ts";

const bundle = bundleOf(join(import.meta.dirname, "../support/mcp/stdio-server.ts"));

it.each(["auto", "legacy"] as const)("asks the person at a client of the era %s, and ends with it", async (mode) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [await bundle],
    stderr: "pipe",
  });
  const capabilities = { elicitation: { form: {} } };
  const client = new Client({ name: "tests", version: "1.0.0" }, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler("elicitation/create", () => ({ action: "accept" as const, content: { ok: true } }));
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("approval");
  const result = await client.callTool({ name: "approval", arguments: {} });
  expect(result.structuredContent).toMatchObject({ status: "succeeded", output: { ok: true } });
  const { pid } = transport;
  await client.close();
  expect(() => process.kill(pid ?? 0, 0)).toThrow(/ESRCH/);
});
