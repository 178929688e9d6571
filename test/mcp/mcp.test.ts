/** Agents that use workflows as tools, with the official client of the protocol. */

import * as v from "valibot";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMcpServer } from "../../adapters/mcp/index.ts";
import { createStepwell, defineService, type Step } from "../../src/index.ts";
import { isRecord } from "../../src/json.ts";
import { silent } from "../support/engine/service.ts";
import { createGate } from "../support/gate.ts";
import { type Era, openApp } from "../support/mcp/agent.ts";
import { until } from "../support/until.ts";

const sum: readonly Step[] = [
  {
    type: "input",
    key: "input",
    input: { a: { type: "number", name: "First" }, b: { type: "number" } },
    destinations: ["sum"],
  },
  { type: "branch", key: "sum", conditions: {}, else: ["total"] },
  {
    type: "service",
    key: "total",
    service: { service: "files", action: "create", input: { name: "sum.txt", text: "Sum: {{ input.a + input.b }}" } },
  },
];

const approval: readonly Step[] = [
  { type: "input", key: "input", input: { amount: { type: "number" } }, destinations: ["approve"] },
  {
    type: "input",
    key: "approve",
    input: {
      ok: { type: "boolean", name: "Approved?" },
      level: { type: "select", options: [{ value: "low" }, { value: "high" }] },
    },
    destinations: ["end"],
  },
  { type: "branch", key: "end", conditions: {} },
];

const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "tests", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const eras: readonly Era[] = ["auto", "legacy"];

describe("tools", () => {
  it.each(eras)("are the workflows that are marked and deployed, for clients of the era %s", async (era) => {
    const { stepwell, app, tool, connect } = await openApp();
    await tool("Sum of numbers", sum, { description: "Adds two numbers." });
    await tool("Été 2026!", sum);
    const again = await tool("Sum of numbers", sum);
    await stepwell.workflows.create(app, { name: "Not deployed", tool: {} });
    const unmarked = await stepwell.workflows.create(app, { name: "Unmarked", steps: [...sum] });
    await stepwell.workflows.deploy(app, unmarked.id);
    const { tools } = await (await connect({ era })).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "sum_of_numbers",
      "ete_2026",
      `sum_of_numbers_${again.slice(-6)}`,
      "get_run",
      "wait_for_run",
    ]);
    expect(tools[0]).toMatchObject({
      title: "Sum of numbers",
      description: "Adds two numbers.",
      inputSchema: { type: "object", properties: { a: { type: "number", title: "First" } }, required: ["a", "b"] },
    });
  });

  it.each(eras)("run their workflow and return its output, for clients of the era %s", async (era) => {
    const { stepwell, app, tool, connect } = await openApp();
    await tool("Sum", sum);
    const client = await connect({ era });
    const result = await client.callTool({ name: "sum", arguments: { a: 2, b: 3 } });
    expect(result.isError).not.toBe(true);
    expect(result.structuredContent).toMatchObject({ status: "succeeded", output: { name: "sum.txt", size: 6 } });
    const { items } = await stepwell.runs.list(app);
    expect(items.map(({ trigger }) => trigger.type)).toEqual(["mcp"]);
  });

  it("tell the model what was wrong with its arguments, and start nothing", async () => {
    const { stepwell, app, tool, connect } = await openApp();
    await tool("Sum", sum);
    const result = await (await connect()).callTool({ name: "sum", arguments: { a: "two" } });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result.content)).toMatch(/\/a: .*\/b: /);
    expect((await stepwell.runs.list(app)).total).toBe(0);
  });

  it("return the error of a run that failed, and refuse names that are no tools", async () => {
    const failing: Step = {
      type: "service",
      key: "fail",
      service: { service: "files", action: "read", input: { file_id: "file_none" } },
    };
    const { tool, connect } = await openApp();
    await tool("Fail", [failing]);
    const client = await connect();
    const failed = await client.callTool({ name: "fail", arguments: {} });
    expect(failed).toMatchObject({ isError: true, structuredContent: { status: "failed" } });
    const unknown = await client.callTool({ name: "none", arguments: {} });
    expect(unknown).toMatchObject({ isError: true });
  });
});

describe("names of tools", () => {
  it("stay when other tools come and go", async () => {
    const { stepwell, app, tool, connect } = await openApp();
    const first = await tool("Refund", sum);
    await tool("refund", approval);
    const client = await connect();
    const names = async () =>
      (await client.listTools(undefined, { cacheMode: "refresh" })).tools.map(({ name }) => name);
    const [, second = ""] = await names();
    await stepwell.workflows.remove(app, first);
    expect(await names()).toEqual([second, "get_run", "wait_for_run"]);
    expect(await client.callTool({ name: "refund", arguments: {} })).toMatchObject({ isError: true });
    const { tool: kept } = await stepwell.workflows.get(app, (await stepwell.workflows.list(app)).items[0]?.id ?? "");
    expect(kept?.name).toBe(second);
  });

  it("that are given must be free", async () => {
    const { stepwell, app, tool } = await openApp();
    const first = await tool("One", sum, { name: "pay" });
    await stepwell.workflows.update(app, first, { tool: { name: "pay", description: "Pays." } });
    await expect(tool("Two", sum, { name: "pay" })).rejects.toMatchObject({ code: "conflict" });
    await expect(tool("Three", sum, { name: "get_run" })).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("long runs", () => {
  const open = () => {
    const { released, release } = createGate();
    const wait = defineService({
      name: "work",
      actions: {
        wait: {
          description: "Waits.",
          input: v.object({}),
          output: v.object({ done: v.boolean() }),
          async run() {
            await released;
            return { done: true };
          },
        },
      },
    });
    const steps: readonly Step[] = [
      { type: "service", key: "wait", service: { service: "work", action: "wait", input: {} } },
    ];
    return { release, services: [wait], steps };
  };

  it("report progress while they are followed", async () => {
    const { release, services, steps } = open();
    const { tool, connect } = await openApp({}, { services });
    await tool("Work", steps);
    const seen: number[] = [];
    const call = (await connect()).callTool(
      { name: "work", arguments: {} },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    release();
    expect((await call).structuredContent).toMatchObject({ status: "succeeded", output: { done: true } });
    expect(seen).toEqual([1]);
  });

  it("go on after the call, and can be waited for", async () => {
    const { release, services, steps } = open();
    const { tool, connect } = await openApp({ waitMs: 1 }, { services });
    await tool("Work", steps);
    const client = await connect();
    const { structuredContent } = await client.callTool({ name: "work", arguments: {} });
    expect(structuredContent).toMatchObject({ status: "running" });
    const of = { run_id: isRecord(structuredContent) ? structuredContent["run_id"] : "" };
    expect((await client.callTool({ name: "get_run", arguments: of })).structuredContent).toMatchObject({
      status: "running",
    });
    release();
    const ended = async () => {
      const { structuredContent: now } = await client.callTool({ name: "wait_for_run", arguments: of });
      return isRecord(now) && now["status"] === "succeeded" && isRecord(now["output"]);
    };
    await until(ended);
  });

  it("are canceled with the call", async () => {
    const { services, steps } = open();
    const { stepwell, app, tool, connect } = await openApp({}, { services });
    await tool("Work", steps);
    const controller = new AbortController();
    const call = (await connect()).callTool({ name: "work", arguments: {} }, { signal: controller.signal });
    const count = async (status: "running" | "canceled") => (await stepwell.runs.list(app, { status: [status] })).total;
    await until(async () => (await count("running")) === 1);
    controller.abort();
    await expect(call).rejects.toThrow();
    await until(async () => (await count("canceled")) === 1);
  });
});

describe("waiting for a run", () => {
  it("leaves the run as it is when the client gives up, and sees only runs of tools", async () => {
    const { stepwell, app, tool, connect } = await openApp();
    const workflow = await tool("Approval", approval);
    const { id: run_id } = await stepwell.runs.create(app, workflow, { input: { amount: 1 } });
    const client = await connect({ capabilities: { elicitation: { form: {} } } });
    const controller = new AbortController();
    client.setRequestHandler("elicitation/create", async () => {
      controller.abort();
      return { action: "cancel" as const };
    });
    const waiting = client.callTool({ name: "wait_for_run", arguments: { run_id } }, { signal: controller.signal });
    await expect(waiting).rejects.toThrow();
    expect((await stepwell.runs.get(app, run_id)).status).toBe("waiting");
    await stepwell.workflows.update(app, workflow, { tool: null });
    const hidden = await client.callTool({ name: "get_run", arguments: { run_id } });
    expect(JSON.stringify(hidden.content)).toContain("not started by the tool");
    const missing = await client.callTool({ name: "get_run", arguments: {} });
    expect(JSON.stringify(missing.content)).toContain("run_id is required");
  });
});

describe("input that a run waits for", () => {
  it("is that of a run of the called tool, whatever state the client sends", async () => {
    const { stepwell, app, tool, keyWith } = await openApp();
    const workflow = await tool("Approval", approval);
    await tool("Sum", sum);
    const { id } = await stepwell.runs.create(app, workflow, { input: { amount: 1 } });
    const key = await keyWith();
    const content = { action: "accept", content: { ok: true, level: "low" } };
    const params = {
      name: "sum",
      arguments: {},
      requestState: id,
      inputResponses: { approve: content },
      _meta: MODERN,
    };
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "sum",
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const url = `http://localhost:3000/apps/${app}/mcp`;
    const response = await stepwell.fetch(new Request(url, { method: "POST", headers, body }));
    expect(await response.text()).toContain("not started by the tool");
    expect((await stepwell.runs.get(app, id)).status).toBe("waiting");
  });

  it("is asked of the person at the client, again if it was wrong", async () => {
    const { tool, connect } = await openApp();
    await tool("Approval", approval);
    const client = await connect({ capabilities: { elicitation: { form: {} } } });
    const asked: unknown[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params);
      return {
        action: "accept" as const,
        content: asked.length === 1 ? { ok: true, level: "none" } : { ok: true, level: "high" },
      };
    });
    const result = await client.callTool({ name: "approval", arguments: { amount: 5 } });
    expect(result.structuredContent).toMatchObject({ status: "succeeded" });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({
      message: "Approval needs input.",
      requestedSchema: {
        properties: { ok: { type: "boolean", title: "Approved?" }, level: { type: "string", enum: ["low", "high"] } },
        required: ["ok", "level"],
      },
    });
  });

  it("stays open if the person declines", async () => {
    const { stepwell, app, tool, connect } = await openApp();
    await tool("Approval", approval);
    const client = await connect({ capabilities: { elicitation: {} } });
    client.setRequestHandler("elicitation/create", () => ({ action: "decline" as const }));
    const { structuredContent } = await client.callTool({ name: "approval", arguments: { amount: 5 } });
    expect(structuredContent).toMatchObject({ status: "waiting", forms: [{ step: "approve" }] });
    expect((await stepwell.runs.list(app, { status: ["waiting"] })).total).toBe(1);
  });

  it("is asked for in a browser where the client has no fields for it", async () => {
    const { stepwell, app, tool, connect } = await openApp();
    const steps: readonly Step[] = [{ type: "input", key: "papers", input: { papers: { type: "file", array: true } } }];
    await tool("Papers", [{ type: "input", key: "start", input: {}, destinations: ["papers"] }, ...steps]);
    const client = await connect({ capabilities: { elicitation: { url: {} } } });
    const opened: string[] = [];
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      if (params.mode === "url") opened.push(params.url);
      const { id } = (await stepwell.runs.list(app)).items[0] ?? { id: "" };
      const file = await stepwell.files.create(app, { name: "a.txt", body: new TextEncoder().encode("Hello") });
      await stepwell.runs.provide(app, id, "papers", { papers: [file.id] });
      return { action: "accept" as const };
    });
    const result = await client.callTool({ name: "papers", arguments: {} });
    expect(result.structuredContent).toMatchObject({ status: "succeeded" });
    expect(opened).toEqual([expect.stringMatching(/^http:\/\/localhost:3000\/public\/apps\/inputs\//)]);
  });

  it.each(eras)("is shown as a link to clients of the era %s that cannot ask", async (era) => {
    const { stepwell, app, tool, connect } = await openApp();
    await tool("Approval", approval);
    const client = await connect({ era });
    const { structuredContent, content } = await client.callTool({ name: "approval", arguments: { amount: 5 } });
    expect(structuredContent).toMatchObject({ status: "waiting", forms: [{ step: "approve" }] });
    expect(JSON.stringify(content)).toContain("A person must fill in http://localhost:3000/public/apps/inputs/");
    const { run_id } = v.parse(v.object({ run_id: v.string() }), structuredContent);
    await stepwell.runs.provide(app, run_id, "approve", { ok: true, level: "low" });
    const ended = await client.callTool({ name: "wait_for_run", arguments: { run_id } });
    expect(ended.structuredContent).toMatchObject({ status: "succeeded" });
  });
});

describe("files", () => {
  it("in an output are links to resources, which can be read", async () => {
    const { stepwell, app, tool, connect } = await openApp();
    await tool("Sum", sum);
    const client = await connect();
    const { content } = await client.callTool({ name: "sum", arguments: { a: 2, b: 3 } });
    const link = content.find(({ type }) => type === "resource_link");
    expect(link).toMatchObject({ name: "sum.txt", mimeType: expect.stringContaining("text/plain"), size: 6 });
    const { contents } = await client.readResource({ uri: link?.type === "resource_link" ? link.uri : "" });
    expect(contents).toMatchObject([{ text: "Sum: 5" }]);
    const image = await stepwell.files.create(app, { name: "a.bin", body: new Uint8Array([0, 255]) });
    const read = await client.readResource({ uri: `stepwell://files/${image.id}` });
    expect(read.contents).toMatchObject([{ blob: "AP8=" }]);
    await expect(client.readResource({ uri: "stepwell://files/afile_none" })).rejects.toThrow(/file/);
    await expect(client.readResource({ uri: "file:///etc/passwd" })).rejects.toThrow(/no resource/);
  });

  it("are not shown to a key that cannot read files", async () => {
    const { tool, connect, keyWith } = await openApp();
    await tool("Sum", sum);
    const client = await connect({ key: await keyWith(["runs:write", "runs:read"]) });
    const { content } = await client.callTool({ name: "sum", arguments: { a: 2, b: 3 } });
    expect(content.map(({ type }) => type)).toEqual(["text"]);
    await expect(client.readResource({ uri: "stepwell://files/afile_1" })).rejects.toThrow(/files:read/);
  });
});

describe("access", () => {
  const call = (headers: Record<string, string>) => ({
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });

  it("needs a key of the app that may read and start runs", async () => {
    const { stepwell, app, keyWith } = await openApp();
    const other = await stepwell.apps.create({ name: "Other" });
    const { key: foreign } = await stepwell.keys.create(other.id, { name: "Other" });
    const status = async (key: string) => {
      const request = new Request(`http://localhost:3000/apps/${app}/mcp`, call({ authorization: `Bearer ${key}` }));
      return (await stepwell.fetch(request)).status;
    };
    expect(await status(await keyWith())).toBe(200);
    expect(await status(await keyWith(["runs:write"]))).toBe(403);
    expect(await status(await keyWith(["runs:read"]))).toBe(403);
    expect(await status(foreign)).toBe(404);
    expect(await status("none")).toBe(401);
  });

  it("ends with the key, also in the middle of a call, which cancels its run", async () => {
    const waiting: readonly Step[] = [
      { type: "service", key: "wait", service: { service: "scheduler", action: "delay", input: { seconds: 3_600 } } },
    ];
    const { stepwell, app, tool, connect } = await openApp();
    await tool("Wait", waiting);
    const { id, key } = await stepwell.keys.create(app, { name: "Agent" });
    const call = (await connect({ key })).callTool({ name: "wait", arguments: {} });
    await until(async () => (await stepwell.runs.list(app)).total === 1);
    await stepwell.keys.remove(app, id);
    await expect(call).rejects.toThrow();
    await until(async () => (await stepwell.runs.list(app, { status: ["canceled"] })).total === 1);
  });

  it("ends at the app: runs of others are not found", async () => {
    const { stepwell, connect } = await openApp();
    const other = await stepwell.apps.create({ name: "Other" });
    const workflow = await stepwell.workflows.create(other.id, { name: "Other", steps: [...approval] });
    await stepwell.workflows.deploy(other.id, workflow.id);
    const { id } = await stepwell.runs.create(other.id, workflow.id, { input: { amount: 1 } });
    const result = await (await connect()).callTool({ name: "get_run", arguments: { run_id: id } });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result.content)).toMatch(/no run/i);
  });

  it("needs a server", async () => {
    const stepwell = createStepwell({ logger: silent });
    onTestFinished(() => stepwell.close());
    const app = await stepwell.apps.create({ name: "App" });
    const { key } = await stepwell.keys.create(app.id, { name: "Key" });
    const request = new Request(`http://localhost:3000/apps/${app.id}/mcp`, call({ authorization: `Bearer ${key}` }));
    const response = await stepwell.fetch(request);
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({ code: "not_configured" });
  });

  it.each([-1, 55_001, 0.5])("refuses to wait %d milliseconds", (waitMs) => {
    expect(() => createMcpServer({ waitMs })).toThrow(/waitMs/);
  });
});
