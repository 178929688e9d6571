/** A worker thread starts from its file, and from text only where there is no file. */
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { lacksFile, startWorker, type WorkerProgram } from "../../adapters/threads/start-worker.ts";
import { startChild } from "../faults/child.ts";

const HEAP_LIMITS = join(import.meta.dirname, "../support/files/heap-limits.ts");

const READY = 'require("node:worker_threads").parentPort.postMessage("ready")';
const ECHO = `const { parentPort } = require("node:worker_threads");
  parentPort.on("message", (message) => parentPort.postMessage(message)); parentPort.postMessage("ready");`;

const evaluate = (code: string) => new Worker(code, { eval: true });

/** Starts a thread, and ends it when it is ready. Returns `ready`, or why it has ended. */
function started(program: WorkerProgram): Promise<string> {
  return new Promise((resolve) => {
    const worker = startWorker(
      program,
      {},
      {
        onMessage: () => undefined,
        onReady: () => void worker.terminate().then(() => resolve("ready")),
        onEnd: (error) => resolve(error?.message ?? "exited"),
      },
    );
  });
}

/** Runs a command of Node.js with a flag. */
const withFlag = (flag: string) => ["sh", "-c", `shift; exec node ${flag} "$@"`, "sh"];

describe("a worker thread", () => {
  it("starts from its text if there is no file", async () => {
    const program: WorkerProgram = {
      fromFile: () => evaluate('throw Object.assign(new Error("no file"), { code: "MODULE_NOT_FOUND" })'),
      fromText: async () => evaluate(READY),
    };
    expect(await started(program)).toBe("ready");
    expect(lacksFile(program)).toBe(true);
  });

  it("starts from its file again after a thread failed to start, if there is no text", async () => {
    const codes = ['throw new Error("failed")', READY];
    const program: WorkerProgram = {
      fromFile: () => evaluate(codes.shift() ?? READY),
      fromText: () => Promise.reject(new Error("no text")),
    };
    expect(await started(program)).toBe("no text");
    expect(await started(program)).toBe("ready");
    expect(lacksFile(program)).toBe(false);
  });

  it("starts from its file as long as one has, although others fail", async () => {
    const codes = [READY, 'throw new Error("failed")', READY];
    const program: WorkerProgram = {
      fromFile: () => evaluate(codes.shift() ?? READY),
      fromText: () => Promise.reject(new Error("not expected")),
    };
    expect([await started(program), await started(program), await started(program)]).toEqual([
      "ready",
      "failed",
      "ready",
    ]);
  });

  it("starts from its file after another was ended before it was ready", async () => {
    let texts = 0;
    const program: WorkerProgram = {
      fromFile: () => evaluate(READY),
      async fromText() {
        texts++;
        return evaluate(READY);
      },
    };
    await startWorker(program, {}, { onMessage: () => undefined, onEnd: () => undefined }).terminate();
    expect(await started(program)).toBe("ready");
    expect([texts, lacksFile(program)]).toEqual([0, false]);
  });

  it("does not take a lack of memory for a missing file", async () => {
    const program: WorkerProgram = {
      fromFile: () => evaluate('throw Object.assign(new Error("full"), { code: "ERR_WORKER_OUT_OF_MEMORY" })'),
      fromText: () => Promise.reject(new Error("not expected")),
    };
    expect(await started(program)).toBe("full");
    expect(lacksFile(program)).toBe(false);
  });

  it("gets what was sent before it was ready", async () => {
    const program: WorkerProgram = { fromFile: () => evaluate(ECHO), fromText: async () => evaluate(ECHO) };
    const echoed = await new Promise((resolve) => {
      const worker = startWorker<string, string>(program, {}, { onMessage: resolve, onEnd: resolve });
      worker.post("early");
      worker.keepAlive(false);
    });
    expect(echoed).toBe("early");
  });

  it.each([
    ["no flag", [], 0],
    ["--max-old-space-size=1024", withFlag("--max-old-space-size=1024"), 1024],
    ["--max_old_space_size=1024", withFlag("--max_old_space_size=1024"), 1024],
    ["--max-heap-size=1024", withFlag("--max-heap-size=1024"), 1024],
    ["NODE_OPTIONS=--max-old-space-size=1024", ["env", "NODE_OPTIONS=--max-old-space-size=1024"], 1024],
  ])("keeps its heap limit of 64 MiB in a process with %s, which other threads obey", async (_, within, process) => {
    const child = await startChild(HEAP_LIMITS, [], "node", within);
    await child.gone;
    const [limited = 0, other = 0] = child.lines.map(Number);
    expect(limited).toBeGreaterThanOrEqual(64);
    expect(limited).toBeLessThan(256);
    expect(other).toBeGreaterThanOrEqual(Math.max(process, 256));
    if (process > 0) expect(other).toBeLessThan(process + 256);
  });
});
