/** Responses of one process of a cluster whose access ends in another one. */
import { afterEach, describe, expect, it } from "vitest";
import type { Step, Stepwell } from "../../src/index.ts";
import { type HeldProcesses, openHeldProcesses } from "../support/cluster/held-processes.ts";

const BASE = "https://stepwell.example/api";
const ask: Step = { type: "input", key: "ask", input: { ok: { type: "boolean" } } };
const start: Step = { type: "input", key: "start", input: {}, destinations: ["ask"] };

const opened: HeldProcesses[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((processes) => processes.close()));
});

interface Access {
  readonly app: string;
  readonly key: { readonly id: string; readonly key: string };
}

const ENDS: Readonly<Record<string, (stepwell: Stepwell, access: Access) => Promise<void>>> = {
  "a key is revoked": ({ keys }, { app, key }) => keys.remove(app, key.id),
  "an app is deleted": ({ apps }, { app }) => apps.remove(app),
};

/** An MCP server whose answer ends only with the request. */
const mcp = {
  async respond({ signal }: Request) {
    const start = (answer: ReadableStreamDefaultController) => signal.addEventListener("abort", () => answer.close());
    return new Response(new ReadableStream({ start }));
  },
  close: async () => undefined,
};

async function open() {
  const processes = await openHeldProcesses({ baseUrl: BASE, mcp });
  opened.push(processes);
  const { one, other, until } = processes;
  const { id: app } = await one.stepwell.apps.create({ name: "Tests" });
  const key = await one.stepwell.keys.create(app, { name: "Key" });
  const { id: workflow } = await one.stepwell.workflows.create(app, { name: "W", steps: [start, ask] });
  await one.stepwell.workflows.deploy(app, workflow);
  const { id: run } = await one.stepwell.runs.create(app, workflow, {});
  await until(async () => (await other.stepwell.runs.get(app, run)).status === "waiting");
  const ended: Record<string, boolean> = {};

  /** A response of the other process that lasts. */
  async function follow(name: string, path: string, init: RequestInit = {}): Promise<void> {
    const headers = { authorization: `Bearer ${key.key}`, "content-type": "application/json" };
    const response = await other.stepwell.fetch(new Request(`${BASE}/apps/${app}${path}`, { ...init, headers }));
    expect(response.status).toBe(200);
    ended[name] = false;
    void response.text().then(
      () => void Object.assign(ended, { [name]: true }),
      () => void Object.assign(ended, { [name]: true }),
    );
  }
  await follow("events", `/runs/${run}/events`);
  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  await follow("mcp", "/mcp", { method: "POST", body: message });
  return { ...processes, access: { app, key }, ended };
}

describe.each(Object.entries(ENDS))("when %s in one process of a cluster", (_, end) => {
  it("event streams and MCP responses of the others end at once", async () => {
    const { one, clock, access, ended } = await open();
    await clock.advance("10s");
    expect(ended).toEqual({ events: false, mcp: false });
    await end(one.stepwell, access);
    await clock.advance(1);
    expect(ended).toEqual({ events: true, mcp: true });
  });

  it("they end within two beats if messages are lost", async () => {
    const { one, clock, access, ended, queue } = await open();
    queue.losesMessages = true;
    await end(one.stepwell, access);
    await clock.advance("6s");
    expect(ended).toEqual({ events: true, mcp: true });
  });
});
