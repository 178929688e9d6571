/** Executes code in QuickJS. The memory is restored after every call, so that calls share nothing. */
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from "quickjs-emscripten-core";
import { MEBIBYTE } from "../../src/encoding/bytes.ts";
import { jsonProblem } from "../../src/json.ts";
import { CODE_FILE, failureOf, WRAPPER_END, WRAPPER_START } from "./errors.ts";
import { createLogLines } from "./log-lines.ts";
import type { MemoryCap } from "./memory-cap.ts";
import { takeSnapshot } from "./memory-snapshot.ts";
import { PRELUDE } from "./prelude.ts";
import { type Failure, type Job, type Outcome, overLimit } from "./protocol.ts";

export interface QuickjsRuntime {
  /**
   * Executes the code and returns its outcome. Throws only if QuickJS itself fails; the runtime and its module are then
   * unusable.
   * @param canceled Called repeatedly while the code runs. The code stops when it returns true.
   */
  run(job: Job, canceled: () => boolean): Outcome;
  /** Restores the initial state. Call it before every other `run`. */
  reset(): void;
}

type StopReason = "memoryBytes" | "timeoutMs" | "outputCharacters" | "canceled";
type Evaluation =
  | { readonly ok: true; readonly value: QuickJSHandle }
  | { readonly ok: false; readonly thrown: QuickJSHandle };

/** More would not fit on the WebAssembly stack. */
const MAX_STACK_BYTES = MEBIBYTE;
/** Added to the limits to describe an error, which must work even if the code has used everything. */
const ERROR_ALLOWANCE = { memory: 4 * MEBIBYTE, time: 50 };
/** The code can be stopped between two batches. */
const JOBS_PER_BATCH = 64;

/** @param cap Limits the module's total memory, because QuickJS's own limit excludes array buffers. */
export function createQuickjsRuntime(module: QuickJSWASMModule, cap: MemoryCap): QuickjsRuntime {
  const runtime = module.newRuntime();
  const context = runtime.newContext();
  let logged = (_: string): void => {};
  let isStopped = (): boolean => false;
  const emit = context.newFunction("emit", (text) => logged(context.getString(text)));
  const prelude = context.unwrapResult(context.evalCode(PRELUDE, "prelude.js"));
  const api = context.unwrapResult(context.callFunction(prelude, context.undefined, emit));
  const define = context.getProp(api, "define");
  const write = context.getProp(api, "write");
  const describe = context.getProp(api, "describe");
  runtime.setInterruptHandler(() => isStopped());
  // Handles created from here on are never disposed, because restoring the memory frees them.
  const snapshot = takeSnapshot(module.getWasmMemory());

  function call(handle: QuickJSHandle, ...args: QuickJSHandle[]): Evaluation {
    return evaluationOf(context.callFunction(handle, context.undefined, ...args));
  }

  function evaluationOf(result: ReturnType<QuickJSContext["callFunction"]>): Evaluation {
    return result.error === undefined ? { ok: true, value: result.value } : { ok: false, thrown: result.error };
  }

  function run(job: Job, canceled: () => boolean): Outcome {
    const { code, limits } = job;
    const lines = createLogLines();
    let left = limits.outputCharacters;
    let deadline = performance.now() + limits.timeoutMs;
    let stop: StopReason | null = null;
    let hasSyntaxError = false;

    logged = (json) => {
      if (json === "") {
        stop ??= "memoryBytes"; // not enough memory to read the line
        return;
      }
      const line = `${JSON.parse(json)}`;
      left -= line.length + 1;
      if (left >= 0) lines.add(line);
      else stop ??= "outputCharacters";
    };
    isStopped = () => {
      if (canceled()) stop ??= "canceled";
      else if (performance.now() >= deadline) stop ??= "timeoutMs";
      return stop !== null;
    };

    function limitMemory(more: number): void {
      runtime.setMemoryLimit(limits.memoryBytes + more);
      // Space for copies of the input in UTF-8.
      cap.set(limits.memoryBytes + more + 3 * (code.length + job.globals.length));
    }

    /** Reads a string without a memory limit. With one, a string that doesn't fit would be read as empty. */
    function read(text: QuickJSHandle): string {
      runtime.setMemoryLimit(-1);
      cap.clear();
      return context.getString(text);
    }

    /**
     * Starts the code and runs jobs until its promise settles. Returns null if the code was stopped or the promise
     * never settles.
     */
    function evaluate(): Evaluation | null {
      const globals = context.newString(job.globals); // created before the limit is set, but counts against it
      const seeds = Array.from(crypto.getRandomValues(new Uint32Array(3)), (seed) => context.newNumber(seed));
      limitMemory(0);
      runtime.setMaxStackSize(Math.min(limits.stackBytes, MAX_STACK_BYTES));
      const defined = call(define, globals, ...seeds);
      if (!defined.ok) return defined;
      const main = evaluationOf(context.evalCode(WRAPPER_START + code + WRAPPER_END, CODE_FILE));
      hasSyntaxError = !main.ok;
      if (!main.ok || job.isCheck) return main;
      const promise = call(main.value);
      return promise.ok ? runUntilSettled(promise.value) : promise;
    }

    function runUntilSettled(promise: QuickJSHandle): Evaluation | null {
      let jobError: Evaluation | null = null;
      for (;;) {
        const state = context.getPromiseState(promise);
        if (state.type === "fulfilled") return { ok: true, value: state.value };
        if (state.type === "rejected") return { ok: false, thrown: state.error };
        if (isStopped() || !runtime.hasPendingJob()) return jobError;
        const jobs = runtime.executePendingJobs(JOBS_PER_BATCH);
        if (jobs.error !== undefined) jobError = { ok: false, thrown: jobs.error };
      }
    }

    function failure(end: Evaluation | null, returned: boolean): Failure {
      const stopped = stop;
      stop = null;
      deadline = performance.now() + ERROR_ALLOWANCE.time;
      limitMemory(ERROR_ALLOWANCE.memory);
      const described =
        end === null || end.ok ? null : failureOf({ ...thrownText(end.thrown), returned }, code, limits);
      if (stopped === "canceled") return { code: "canceled", message: "The code was canceled." };
      if (stopped !== null) return overLimit(stopped, limits, described?.line);
      return described ?? { code: "code_failed", message: "The code waits for a promise that never settles." };
    }

    function thrownText(thrown: QuickJSHandle) {
      const text = call(describe, thrown);
      const lines = text.ok ? read(text.value).split("\n") : [];
      const [name = "Error", message = "unreadable", stack = ""] = lines.map((line) => `${JSON.parse(line)}`);
      return { name, message, stack };
    }

    function outcome(): Outcome {
      const end = evaluate();
      if (end === null || !end.ok) return { ok: false, failure: failure(end, false), hasSyntaxError };
      if (job.isCheck) return { ok: true, json: "null", logs: [] };
      const written = call(write, end.value);
      if (!written.ok || isStopped()) return { ok: false, failure: failure(written, true) };
      if (context.getNumber(context.getProp(written.value, "length")) > left)
        return { ok: false, failure: overLimit("outputCharacters", limits) };
      const json = read(written.value);
      const problem = jsonProblem(JSON.parse(json));
      if (problem === null) return { ok: true, json, logs: lines.all() };
      return {
        ok: false,
        failure: { code: "code_failed", message: `The return value of the code is invalid: ${problem.message}` },
      };
    }

    const result = outcome();
    return result.ok ? result : { ...result, failure: { ...result.failure, logs: lines.all() } };
  }

  return {
    run,
    reset() {
      cap.clear();
      snapshot.restore();
    },
  };
}

/** Whether deeply nested code has exhausted the runtime's own stack before QuickJS's limit. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && /stack/i.test(error.message));
}
