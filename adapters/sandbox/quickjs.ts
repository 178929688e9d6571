/**
 * Executes code steps in QuickJS (WebAssembly) on reused worker threads, so that the host's event loop is not blocked.
 */
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers";
import { type Sandbox, type SandboxCall, SandboxError, type SandboxResult } from "../../src/ports/sandbox.ts";
import { createFairQueue } from "../../src/queues/fair-queue.ts";
import { unlessAborted } from "../../src/time/unless-aborted.ts";
import { threadCount } from "../threads/thread-count.ts";
import { createGlobalsPacker, type PackedGlobals } from "./globals.ts";
import { type Outcome, overLimit } from "./protocol.ts";
import { startThread, type Thread } from "./thread.ts";

/** Options of the sandbox. */
export interface QuickjsSandboxOptions {
  /**
   * Maximum number of worker threads. Each runs one call at a time and starts on demand. Default: the number of CPUs,
   * but at least 2 and at most 4.
   */
  readonly threads?: number;
}

interface QueuedCall {
  readonly call: SandboxCall;
  readonly isCheck: boolean;
  readonly globals: PackedGlobals;
  resolve(outcome: Outcome | Promise<Outcome>): void;
  reject(reason: unknown): void;
}

/** Length in characters above which parsing a result waits for a separate turn of the event loop. */
const LARGE_RESULT_CHARS = 64 * 1024;

const ANY = () => true;

/**
 * Creates a sandbox that starts threads on demand and reuses them. Idle threads don't keep the process alive. If code
 * cannot be interrupted, its thread is terminated and its logs are lost.
 */
export function createQuickjsSandbox(options: QuickjsSandboxOptions = {}): Sandbox {
  const maxThreads = threadCount(options.threads ?? Math.min(4, Math.max(2, availableParallelism())));
  const threads = new Set<Thread>();
  const idle: Thread[] = [];
  const queue = createFairQueue<QueuedCall>();
  const pause = createEventLoopPause();
  const pack = createGlobalsPacker();
  let starting = 0;
  let isClosed = false;

  function dispatch(): void {
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) {
      const next = nextQueued();
      if (next === undefined) {
        idle.push(thread);
        return;
      }
      const { code, limits, signal, onStart } = next.call;
      onStart?.();
      next.resolve(thread.run({ code, limits, globals: next.globals, isCheck: next.isCheck }, signal));
    }
    while (starting < queue.size && threads.size < maxThreads) start();
  }

  function nextQueued(): QueuedCall | undefined {
    let next = queue.take(ANY);
    while (next?.call.signal?.aborted) next = queue.take(ANY);
    return next;
  }

  function rejectQueued(reason: Error): void {
    for (let next = queue.take(ANY); next !== undefined; next = queue.take(ANY)) next.reject(reason);
  }

  function start(): void {
    let hasStarted = false;
    starting++;
    const thread = startThread({
      onReady() {
        if (!hasStarted) starting--;
        hasStarted = true;
        idle.push(thread);
        dispatch();
      },
      onExit(error) {
        threads.delete(thread);
        if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
        if (!hasStarted) starting--;
        // If one thread cannot start, neither can the next.
        if (!hasStarted) rejectQueued(startError(error));
        if (!isClosed) dispatch();
      },
    });
    threads.add(thread);
  }

  function enqueue(call: SandboxCall, isCheck: boolean): Promise<Outcome> {
    const { code, limits } = call;
    const globals = pack(call.globals);
    if (code.length + globals.characters > limits.memoryBytes)
      return Promise.resolve({ ok: false, failure: overLimit("memoryBytes", limits) });
    return new Promise((resolve, reject) => {
      queue.add(call.tenant ?? "", { call, isCheck, globals, resolve, reject });
      dispatch();
    });
  }

  async function settle(call: SandboxCall, isCheck: boolean): Promise<SandboxResult> {
    if (isClosed) throw closedError();
    call.signal?.throwIfAborted();
    const outcome = await unlessAborted(enqueue(call, isCheck), call.signal);
    if (outcome.ok) {
      if (outcome.json.length > LARGE_RESULT_CHARS) await pause();
      return { value: JSON.parse(outcome.json), logs: outcome.logs };
    }
    const { code, message, ...details } = outcome.failure;
    throw new SandboxError(code, message, details);
  }

  return {
    returnsPlainJson: true,
    reportsStart: true,
    run: (call) => settle(call, false),
    async check(call) {
      await settle({ ...call, globals: {} }, true);
    },
    async close() {
      isClosed = true;
      rejectQueued(closedError());
      await Promise.all([...threads].map((thread) => thread.end(closedError())));
    },
  };
}

/** Resumes one caller per turn of the event loop, so that large results don't block it together. */
function createEventLoopPause(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
}

function closedError(): SandboxError {
  return new SandboxError("canceled", "The sandbox is closed.");
}

function startError(cause?: Error): Error {
  return new Error(`The worker thread of the sandbox failed to start: ${cause?.message ?? "it exited"}.`, { cause });
}
