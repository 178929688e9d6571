/** A worker thread of a sandbox. It runs one call at a time and is terminated if the call cannot be interrupted. */
import type { SandboxLimits } from "../../../src/ports/sandbox.ts";
import { startWorker } from "../../threads/start-worker.ts";
import type { Thread, ThreadCall, ThreadEvents } from "../call-pool.ts";
import { createThreadGlobals } from "../globals.ts";
import { type Answer, type Job, type Outcome, overLimit, type ThreadData } from "../protocol.ts";
import { sandboxProgram } from "./worker-program.ts";

interface Running {
  readonly limits: SandboxLimits;
  settle(outcome: Outcome): void;
  reject(reason: unknown): void;
}

/**
 * Milliseconds to wait for code in a long built-in function, which cannot be interrupted, before terminating the
 * thread.
 */
const GRACE_MS = { time: 1000, abort: 200 };
/** Stack size in MiB. Deep calls in QuickJS use far more of the thread's stack than of the WebAssembly stack. */
const NATIVE_STACK_MIB = 32;

export function startThread(events: ThreadEvents): Thread {
  const canceled = new Int32Array(new SharedArrayBuffer(4));
  const workerData: ThreadData = { canceled };
  const resourceLimits = { stackSizeMb: NATIVE_STACK_MIB };
  const worker = startWorker<Job, Answer>(
    sandboxProgram,
    { workerData, resourceLimits },
    {
      onReady: onIdle,
      onMessage({ outcome, isExhausted }) {
        clearTimeout(timer);
        running?.settle(outcome);
        running = null;
        if (isExhausted) void end();
        else onIdle();
      },
      onEnd: (error = new Error("The worker thread of the sandbox exited unexpectedly.")) => onEnd(error),
    },
  );
  const kept = createThreadGlobals(events.texts);
  let lastId = 0;
  let running: Running | null = null;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function onEnd(error?: Error): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    running?.reject(error ?? new Error("The worker thread of the sandbox exited before it responded."));
    running = null;
    events.onExit(error);
  }

  async function end(reason?: Error): Promise<void> {
    if (reason !== undefined) running?.reject(reason);
    running = null;
    onEnd();
    await worker.terminate();
  }

  function startTimer(milliseconds: number): void {
    clearTimeout(timer);
    timer = setTimeout(onTimeout, Math.min(milliseconds, 2 ** 31 - 1));
  }

  function onTimeout(): void {
    if (running !== null) running.settle({ ok: false, failure: overLimit("timeoutMs", running.limits) });
    void end();
  }

  function onIdle(): void {
    worker.keepAlive(false); // an idle thread must not keep the process alive
    events.onReady();
  }

  function jobOf(call: ThreadCall, id: number): Job | null {
    try {
      return { ...call, id, globals: kept.message(call.globals) };
    } catch {
      return null;
    }
  }

  return {
    prepare: kept.prepare,
    run: (call, signal) =>
      new Promise((resolve, reject) => {
        lastId = (lastId % 0x7fffffff) + 1;
        const id = lastId;
        const job = jobOf(call, id);
        if (job === null) {
          reject(new TypeError("The globals of the code are not JSON."));
          queueMicrotask(onIdle);
          return;
        }
        const onAbort = () => {
          Atomics.store(canceled, 0, id);
          Atomics.notify(canceled, 0); // if the code waits for a timer
          startTimer(GRACE_MS.abort);
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        const done =
          <T>(then: (value: T) => void) =>
          (value: T) => {
            signal?.removeEventListener("abort", onAbort);
            then(value);
          };
        running = { limits: call.limits, settle: done(resolve), reject: done(reject) };
        worker.keepAlive(true);
        startTimer(call.limits.timeoutMs + GRACE_MS.time);
        worker.post(job);
      }),
    end,
  };
}
