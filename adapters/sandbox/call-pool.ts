/** Distributes calls to threads. */
import { setImmediate } from "node:timers";
import { type Sandbox, type SandboxCall, SandboxError, type SandboxResult } from "../../src/ports/sandbox.ts";
import { createFairQueue } from "../../src/queues/fair-queue.ts";
import { unlessAborted } from "../../src/time/unless-aborted.ts";
import { createGlobalsPacker, type PackedGlobals } from "./globals.ts";
import { createKnownTexts, type KnownTexts } from "./known-texts.ts";
import { opened, type Parcel } from "./parcel.ts";
import { type Job, type Outcome, overLimit } from "./protocol.ts";

export interface SandboxParts {
  /** Maximum number of threads. Each runs one call at a time. */
  readonly maxThreads: number;
  startThread(events: ThreadEvents): Thread;
}

export interface ThreadEvents {
  /** Of the sandbox. */
  readonly texts: KnownTexts;
  /** Called when the thread can take a call: after its start and after each call. */
  onReady(): void;
  /** Called when the thread takes no more calls. @param error Set if the thread failed. */
  onExit(error?: Error): void;
}

export interface ThreadCall extends Omit<Job, "id" | "globals"> {
  readonly globals: PackedGlobals;
}

export interface Thread {
  /** Writes the globals of the next call in parts. Null if none is long. @param pause Called after each part. */
  prepare(globals: PackedGlobals, pause: () => Promise<void>): Promise<void> | null;
  /**
   * Runs a call. Rejects if its globals are not JSON. Allowed once after each `onReady`. Aborting the signal stops the
   * code, which then fails with `canceled`.
   */
  run(call: ThreadCall, signal?: AbortSignal): Promise<Outcome>;
  /** Terminates the thread. A running call rejects with the reason. */
  end(reason: Error): Promise<void>;
}

interface QueuedCall {
  readonly call: SandboxCall;
  readonly isCheck: boolean;
  readonly globals: PackedGlobals;
  resolve(outcome: Outcome | Promise<Outcome>): void;
  reject(reason: unknown): void;
}

const ANY = () => true;

/** Creates a sandbox that starts threads on demand and reuses them. */
export function createSandbox({ maxThreads, startThread }: SandboxParts): Sandbox {
  const threads = new Set<Thread>();
  const idle: Thread[] = [];
  const queue = createFairQueue<QueuedCall>();
  const pause = createEventLoopPause();
  const texts = createKnownTexts();
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
      const preparing = thread.prepare(next.globals, pause);
      const onPrepared = () => resume(thread, next);
      if (preparing === null) runOn(thread, next);
      else preparing.then(onPrepared, onPrepared); // if a value is not JSON, the thread refuses the call
    }
    while (starting < queue.size && threads.size < maxThreads) start();
  }

  function runOn(thread: Thread, { call, globals, isCheck, resolve }: QueuedCall): void {
    const { code, limits, signal, onStart } = call;
    onStart?.();
    resolve(thread.run({ code, limits, globals, isCheck }, signal));
  }

  /** Runs a call whose globals were written in the meantime. */
  function resume(thread: Thread, next: QueuedCall): void {
    const isAborted = next.call.signal?.aborted === true;
    if (isClosed) {
      next.reject(closedError());
    } else if (threads.has(thread) && !isAborted) {
      runOn(thread, next);
    } else {
      if (threads.has(thread)) idle.push(thread);
      if (!isAborted) queue.add(next.call.tenant ?? "", next);
      dispatch();
    }
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
      texts,
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
    if (code.length + globals.characters > limits.memoryBytes) {
      const message = `The code and what it can read have more characters than its limit of ${limits.memoryBytes} bytes of memory.`;
      return Promise.resolve({ ok: false, failure: { ...overLimit("memoryBytes", limits), message } });
    }
    return new Promise((resolve, reject) => {
      queue.add(call.tenant ?? "", { call, isCheck, globals, resolve, reject });
      dispatch();
    });
  }

  async function settle(call: SandboxCall, isCheck: boolean): Promise<SandboxResult> {
    if (isClosed) throw closedError();
    call.signal?.throwIfAborted();
    const outcome = await unlessAborted(enqueue(call, isCheck), call.signal);
    if (outcome.ok) return { ...(await open(outcome.result)), logs: outcome.logs };
    const { code, message, ...details } = outcome.failure;
    throw new SandboxError(code, message, details);
  }

  async function open(result: Parcel): Promise<Pick<SandboxResult, "value" | "json">> {
    if (typeof result === "string") return { value: JSON.parse(result) };
    const { value, json } = await opened(result, pause);
    texts.add(value, json);
    return { value, json: json.reduce((all, part) => all + part, "") }; // V8 copies nothing yet
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
  return new Error(`The sandbox failed to start: ${cause?.message ?? "its thread exited"}.`, { cause });
}
