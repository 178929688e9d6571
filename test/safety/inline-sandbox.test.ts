/** The sandbox on the caller's own thread has the limits and the isolation of the one with threads. */
import { afterAll, describe, expect, it } from "vitest";
import { createCodeRunner } from "../../adapters/sandbox/code-runner.ts";
import { createExecutionClock } from "../../adapters/sandbox/execution-clock.ts";
import { createInlineSandbox } from "../../adapters/sandbox/inline.ts";
import { quickjsVariant } from "../../adapters/sandbox/quickjs-variant.ts";
import { SandboxError, type SandboxLimits } from "../../src/ports/sandbox.ts";
import { turnEventLoop } from "../support/event-loop.ts";

const MEBI = 1024 * 1024;
const LIMITS: SandboxLimits = {
  memoryBytes: 16 * MEBI,
  timeoutMs: 600_000,
  stackBytes: MEBI,
  outputCharacters: 100_000,
};

const sandbox = createInlineSandbox();
afterAll(() => sandbox.close());

const run = (code: string, limits: Partial<SandboxLimits> = {}, globals = {}) =>
  sandbox.run({ code, globals, limits: { ...LIMITS, ...limits } });

async function failure(code: string, limits: Partial<SandboxLimits> = {}): Promise<unknown> {
  const error: unknown = await run(code, limits).catch((thrown: unknown) => thrown);
  return error instanceof SandboxError ? [error.code, error.limit] : error;
}

describe("the inline sandbox", () => {
  it("runs JavaScript and TypeScript with globals, logs and timers", async () => {
    const code = `
      const n: number = input.n;
      await new Promise((resolve) => setTimeout(resolve, 1));
      console.log("waited");
      return n + 1;`;
    expect(await run(code, {}, { input: { n: 1 } })).toEqual({ value: 2, logs: ["waited"] });
  });

  it("shares nothing between calls", async () => {
    await run("globalThis.left = 1; Array.prototype.left = 1");
    expect(await run("return [typeof left, [].left ?? null]")).toMatchObject({ value: ["undefined", null] });
  });

  it.each([
    ["time", "for (;;);", { timeoutMs: 50 }, "timeoutMs"],
    ["time while it waits", "await new Promise((done) => setTimeout(done, 1e6))", { timeoutMs: 50 }, "timeoutMs"],
    ["memory", "const all = []; for (;;) all.push({})", {}, "memoryBytes"],
    ["stack", "const f = () => f() + 1; return f()", {}, "stackBytes"],
    ["output", "for (;;) console.log('line')", {}, "outputCharacters"],
  ])("limits %s, and works afterwards", async (_, code, limits, exceeded) => {
    expect(await failure(code, limits)).toEqual(["code_limit", exceeded]);
    expect(await run("return 1")).toMatchObject({ value: 1 });
  });

  it("continues with another QuickJS after a call that used much memory", async () => {
    const code =
      "const all = []; for (let i = 0; i < 110; i++) all.push(new Uint8Array(1024 * 1024)); return all.length";
    expect(await run(code, { memoryBytes: 200 * MEBI })).toMatchObject({ value: 110 });
    expect(await run("return 1")).toMatchObject({ value: 1 });
  });

  it("stops code that waits when its signal aborts, and runs the next call", async () => {
    const stop = new AbortController();
    const code = "await new Promise((done) => setTimeout(done, 1e5))";
    const waiting = sandbox.run({ code, globals: {}, limits: LIMITS, signal: stop.signal });
    await turnEventLoop();
    stop.abort(new Error("no longer needed"));
    await expect(waiting).rejects.toThrow("no longer needed");
    expect(await run("return 1")).toMatchObject({ value: 1 });
  });

  it("rejects globals that are not JSON, and runs the next call", async () => {
    await expect(run("return 1", {}, { n: 1n })).rejects.toThrow(TypeError);
    expect(await run("return 1")).toMatchObject({ value: 1 });
  });

  it("lets the event loop turn between two calls", async () => {
    const order: string[] = [];
    const calls = [1, 2].map((n) => run(`return ${n}`).then(() => order.push(`call ${n}`)));
    await calls[0];
    await turnEventLoop();
    order.push("turn");
    await Promise.all(calls);
    expect(order[0]).toBe("call 1");
    expect(order).toContain("turn");
  });

  it("rejects calls when it is closed", async () => {
    const other = createInlineSandbox();
    const code = "await new Promise((done) => setTimeout(done, 1e5))";
    const waiting = other.run({ code, globals: {}, limits: LIMITS });
    await turnEventLoop();
    await other.close();
    await expect(waiting).rejects.toMatchObject({ code: "canceled" });
    await expect(other.run({ code: "", globals: {}, limits: LIMITS })).rejects.toMatchObject({ code: "canceled" });
  });
});

describe("the execution clock", () => {
  it("returns the time of a clock that moves", () => {
    let time = 0;
    const now = createExecutionClock(() => time++);
    expect([now(), now(), now()]).toEqual([0, 1, 2]);
  });

  it("ends code where the clock stands still while code runs", async () => {
    const runner = await createCodeRunner(
      quickjsVariant,
      createExecutionClock(() => 0),
    );
    const globals = { json: "{}", large: [], forget: [] };
    const job = { id: 1, code: "for (;;);", globals, limits: { ...LIMITS, timeoutMs: 100 }, isCheck: false };
    const { outcome } = await runner.run(job, { isCanceled: () => false, wait: () => undefined });
    expect(outcome).toMatchObject({ ok: false, failure: { code: "code_limit", limit: "timeoutMs" } });
  });
});
