/** `stepwell mcp`, as an agent starts it. */
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cliOf } from "../support/cli/run-cli.ts";
import { type Mounted, openMounted } from "../support/client/mounted.ts";

const root = join(import.meta.dirname, "../..");

let host: Mounted;
beforeAll(async () => {
  host = await openMounted();
});
afterAll(() => host.close());

it("stepwell mcp serves the workflows that are tools, and ends with its agent", async () => {
  const steps = [{ type: "code" as const, key: "double", code: "return input.n * 2" }];
  const input = { n: { type: "number" as const } };
  const tool = { name: "double", description: "Doubles a number." };
  const { id } = await host.stepwell.workflows.create(host.app, { name: "Double", input, steps, tool });
  await host.stepwell.workflows.deploy(host.app, id);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      "--import",
      join(root, "test/support/typescript/register.js"),
      join(root, "adapters/cli/stepwell.ts"),
      "mcp",
      "--url",
      host.url,
    ],
    env: { STEPWELL_KEY: host.key },
    stderr: "pipe",
  });
  const client = new Client({ name: "tests", version: "1.0.0" });
  await client.connect(transport);
  expect(client.getServerVersion()?.name).toBe("Tests");
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("double");
  const result = await client.callTool({ name: "double", arguments: { n: 21 } });
  expect(result.structuredContent).toMatchObject({ status: "succeeded", output: 42 });
  const { pid } = transport;
  await client.close();
  expect(() => process.kill(pid ?? 0, 0)).toThrow(/ESRCH/);
});

it.each([
  ["an unknown key", ["--key", "sw_unknown"], 1],
  ["an unknown option", ["--jsn"], 2],
] as const)("stepwell mcp prints nothing on standard output for %s", async (_, args, code) => {
  const result = await cliOf(host).run(["mcp", ...args]);
  expect(result).toEqual({
    code,
    stdout: "",
    stderr: expect.any(String),
  });
});
