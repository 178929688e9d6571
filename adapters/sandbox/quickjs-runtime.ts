/** Executes code in QuickJS. The memory is restored after every call, so that calls share nothing. */
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from "quickjs-emscripten-core";
import { MEBIBYTE } from "../../src/encoding/bytes.ts";
import { type JsonValue, jsonProblem } from "../../src/json.ts";
import { CODE_FILE, failureOf, WRAPPER_END, WRAPPER_START } from "./errors.ts";
import { createHostCalls } from "./host-calls.ts";
import { createKeptGlobals } from "./kept-globals.ts";
import { createLogLines } from "./log-lines.ts";
import type { MemoryCap } from "./memory-cap.ts";
import { takeSnapshot } from "./memory-snapshot.ts";
import { packed } from "./parcel.ts";
import { CHUNK, MAX_URL_CHARS } from "./platform/host.ts";
import { PLATFORM_GLOBALS } from "./platform/sources.ts";
import { PRELUDE } from "./prelude.ts";
import { type Failure, type Job, type Outcome, overLimit } from "./protocol.ts";

export interface QuickjsRuntime {
  /**
   * Executes the code and returns its outcome. Yields the milliseconds that the code waits for a timer. Throws only if
   * QuickJS itself fails; the runtime and its module are then unusable.
   *
   * @param isCanceled Called repeatedly while the code runs. The code stops when it returns true.
   */
  run(job: Job, isCanceled: () => boolean): CodeExecution;
  /** Restores the initial state. Call it before every other `run`. */
  reset(): void;
}

export type CodeExecution = Generator<number, Outcome, void>;

type StopReason = "memoryBytes" | "timeoutMs" | "outputCharacters" | "canceled";
type Evaluation =
  | { readonly ok: true; readonly value: QuickJSHandle }
  | { readonly ok: false; readonly thrown: QuickJSHandle };

/** More would not fit on the WebAssembly stack. */
const MAX_STACK_BYTES = MEBIBYTE;
/** Added to the limits to describe an error, which must work even if the code has used everything. */
const ERROR_ALLOWANCE = { memory: 4 * MEBIBYTE, time: 50 };
/** Added to the limit of the module, for copies of what is handed over. */
const COPIES_BYTES = MEBIBYTE;
/** The code can be stopped between two batches. */
const JOBS_PER_BATCH = 64;

/**
 * @param cap Limits the module's total memory, because QuickJS's own limit excludes array buffers.
 * @param now Returns milliseconds. Called repeatedly while code runs.
 */
export function createQuickjsRuntime(module: QuickJSWASMModule, cap: MemoryCap, now: () => number): QuickjsRuntime {
  const runtime = module.newRuntime();
  const context = runtime.newContext();
  let logged = (_: string): void => {};
  let isStopped = (): boolean => false;
  const emit = context.newFunction("emit", (text) => logged(context.getString(text)));
  const host = createHostCalls(context);
  const kept = createKeptGlobals();
  const prelude = context.unwrapResult(context.evalCode(PRELUDE, "prelude.js"));
  const offered = { chunk: CHUNK, maxUrl: MAX_URL_CHARS, factories: Object.entries(PLATFORM_GLOBALS) };
  const platformGlobals = context.unwrapResult(context.evalCode(`(${JSON.stringify(offered)})`));
  const api = context.unwrapResult(
    context.callFunction(prelude, context.undefined, emit, host.handle, platformGlobals),
  );
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

  function* run(job: Job, isCanceled: () => boolean): CodeExecution {
    const { code, limits } = job;
    const globals = kept.open(job.globals);
    let copied = 3 * (code.length + globals.json.length); // in UTF-8
    const lines = createLogLines();
    let left = limits.outputCharacters;
    let deadline = now() + limits.timeoutMs;
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
      if (isCanceled()) stop ??= "canceled";
      else if (now() >= deadline) stop ??= "timeoutMs";
      return stop !== null;
    };

    function limitMemory(more: number): void {
      runtime.setMemoryLimit(limits.memoryBytes + more);
      cap.set(moduleBytes() + more);
    }

    function moduleBytes(): number {
      return limits.memoryBytes + COPIES_BYTES + copied;
    }

    host.begin({
      globals,
      handOver(work) {
        if (isStopped()) throw new Error("The code was stopped.");
        runtime.setMemoryLimit(-1);
        cap.clear();
        try {
          return work();
        } finally {
          if (cap.isAbove(moduleBytes())) stop ??= "memoryBytes";
          limitMemory(0);
        }
      },
      allow(characters) {
        copied += 3 * characters;
      },
    });

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
    function* evaluate(): Generator<number, Evaluation | null, void> {
      // Created before the limit is set, but counts against it.
      const json = context.newString(globals.json);
      const large = context.newString(globals.paths.length === 0 ? "" : JSON.stringify(globals.paths));
      const seeds = Array.from(crypto.getRandomValues(new Uint32Array(3)), (seed) => context.newNumber(seed));
      limitMemory(0);
      runtime.setMaxStackSize(Math.min(limits.stackBytes, MAX_STACK_BYTES));
      const defined = call(define, json, large, ...seeds);
      if (!defined.ok) return defined;
      const main = evaluationOf(context.evalCode(WRAPPER_START + code + WRAPPER_END, CODE_FILE));
      hasSyntaxError = !main.ok;
      if (!main.ok || job.isCheck) return main;
      const promise = call(main.value);
      return promise.ok ? yield* runUntilSettled(promise.value) : promise;
    }

    function* runUntilSettled(promise: QuickJSHandle): Generator<number, Evaluation | null, void> {
      let jobError: Evaluation | null = null;
      for (;;) {
        const state = context.getPromiseState(promise);
        if (state.type === "fulfilled") return { ok: true, value: state.value };
        if (state.type === "rejected") return { ok: false, thrown: state.error };
        if (isStopped()) return jobError;
        if (!runtime.hasPendingJob()) {
          const next = runTimer();
          if (next === "none") return jobError;
          if (typeof next !== "number") return next;
          if (next > 0) yield next;
          continue;
        }
        const jobs = runtime.executePendingJobs(JOBS_PER_BATCH);
        if (jobs.error !== undefined) jobError = { ok: false, thrown: jobs.error };
      }
    }

    /** Runs the next timer if it is due. Returns the time until then, what it has thrown, or null if it is due too late. */
    function runTimer(): Evaluation | "none" | number | null {
      const turn = host.turn();
      if (turn === null) return "none";
      const turned = call(turn);
      if (!turned.ok) return turned;
      const wait = context.getNumber(turned.value);
      if (wait < 0) return "none";
      const left = deadline - now();
      if (wait > left) {
        stop ??= "timeoutMs"; // nothing else can happen until then
        return null;
      }
      return wait;
    }

    function failure(end: Evaluation | null, returned: boolean): Failure {
      const stopped = stop;
      stop = null;
      deadline = now() + ERROR_ALLOWANCE.time;
      limitMemory(ERROR_ALLOWANCE.memory);
      const described =
        end === null || end.ok ? null : failureOf({ ...thrownText(end.thrown), returned }, code, limits);
      if (stopped === "canceled") return { code: "canceled", message: "The code was canceled." };
      if (stopped !== null) return overLimit(stopped, limits, described?.line);
      return described ?? { code: "code_failed", message: "The code awaits a promise that never settles." };
    }

    function thrownText(thrown: QuickJSHandle) {
      const text = call(describe, thrown);
      const lines = text.ok ? read(text.value).split("\n") : [];
      const [name = "Error", message = "unreadable", stack = ""] = lines.map((line) => `${JSON.parse(line)}`);
      return { name, message, stack };
    }

    function* outcome(): CodeExecution {
      const end = yield* evaluate();
      if (end === null || !end.ok) return { ok: false, failure: failure(end, false), hasSyntaxError };
      if (job.isCheck) return { ok: true, result: "null", logs: [] };
      const written = call(write, end.value);
      if (!written.ok || isStopped()) return { ok: false, failure: failure(written, true) };
      if (context.getNumber(context.getProp(written.value, "length")) > left)
        return { ok: false, failure: overLimit("outputCharacters", limits) };
      const json = read(written.value);
      const value: JsonValue = JSON.parse(json);
      const problem = jsonProblem(value);
      if (problem === null) return { ok: true, result: packed(value), logs: lines.all() };
      return {
        ok: false,
        failure: { code: "code_failed", message: `The return value of the code is invalid: ${problem.message}` },
      };
    }

    const result = yield* outcome();
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
