/** Runs one piece of code in a QuickJS of its own, made ahead of the call and thrown away after it. */
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from "quickjs-emscripten-core";
import { jsonProblem } from "../../src/json.ts";
import type { Ceiling } from "./ceiling.ts";
import { CLOSING, FILE, failureOf, OPENING } from "./failure.ts";
import { PRELUDE } from "./prelude.ts";
import { type Failure, type Job, type Outcome, overLimit } from "./protocol.ts";

export interface Machine {
  /**
   * Gives what became of the code. Throws only when QuickJS itself broke down: it and its module are lost then.
   * @param canceled Asked again and again while the code runs; the code ends once it says true.
   */
  run(job: Job, canceled: () => boolean): Outcome;
  /** Frees all memory. */
  dispose(): void;
}

type Stop = "memory" | "time" | "output" | "canceled";
type Made = { readonly value: QuickJSHandle } | { readonly thrown: QuickJSHandle };

/** More would not fit into the WebAssembly stack. */
const MAX_STACK = 1024 * 1024;
/** Reading what was thrown comes on top of what the code may use, so that it works when nothing is left. */
const READING = { memory: 4 * 1024 * 1024, time: 50 };
/** Between two batches the code may be stopped. */
const JOBS_AT_ONCE = 64;

/** @param ceiling Holds the growth of the module's whole memory: QuickJS's own limit leaves out array buffers. */
export function createMachine(module: QuickJSWASMModule, ceiling: Ceiling): Machine {
  const runtime = module.newRuntime();
  const context = runtime.newContext();
  const held: QuickJSHandle[] = [];
  const hold = (handle: QuickJSHandle): QuickJSHandle => {
    held.push(handle);
    return handle;
  };
  let logged = (_: string): void => {};
  const emit = hold(context.newFunction("emit", (text) => logged(context.getString(text))));
  const prelude = hold(context.unwrapResult(context.evalCode(PRELUDE, "prelude.js")));
  const api = hold(context.unwrapResult(context.callFunction(prelude, context.undefined, emit)));
  const define = hold(context.getProp(api, "define"));
  const write = hold(context.getProp(api, "write"));
  const describe = hold(context.getProp(api, "describe"));

  function call(handle: QuickJSHandle, ...args: QuickJSHandle[]): Made {
    return made(context.callFunction(handle, context.undefined, ...args));
  }

  function made(result: ReturnType<QuickJSContext["callFunction"]>): Made {
    return result.error === undefined ? { value: hold(result.value) } : { thrown: hold(result.error) };
  }

  function run(job: Job, canceled: () => boolean): Outcome {
    const { code, limits } = job;
    const logs: string[] = [];
    let left = limits.output;
    let deadline = performance.now() + limits.time;
    let stop: Stop | null = null;
    let isUnread = false;

    logged = (json) => {
      if (json === "") {
        stop ??= "memory"; // there was none left to read the line
        return;
      }
      const line = `${JSON.parse(json)}`;
      left -= line.length + 1;
      if (left >= 0) logs.push(line);
      else stop ??= "output";
    };
    const isStopped = (): boolean => {
      if (canceled()) stop ??= "canceled";
      else if (performance.now() >= deadline) stop ??= "time";
      return stop !== null;
    };

    function limitMemory(more: number): void {
      runtime.setMemoryLimit(limits.memory + more);
      ceiling.set(limits.memory + more + 3 * (code.length + job.globals.length)); // the host's own copies, in UTF-8
    }

    /** Text that is there already is read whole: without memory for it, it would come out empty. */
    function read(text: QuickJSHandle): string {
      runtime.setMemoryLimit(-1);
      ceiling.lift();
      return context.getString(text);
    }

    /** Starts the code and works until its promise settles: what it gave, or null when it was stopped or waits for ever. */
    function settled(): Made | null {
      const globals = hold(context.newString(job.globals)); // before the limit, which it then counts against
      limitMemory(0);
      runtime.setMaxStackSize(Math.min(limits.stack, MAX_STACK));
      runtime.setInterruptHandler(isStopped);
      const defined = call(define, globals);
      if ("thrown" in defined) return defined;
      const main = made(context.evalCode(OPENING + code + CLOSING, FILE));
      isUnread = "thrown" in main;
      if ("thrown" in main || job.isCheck) return main;
      const promise = call(main.value);
      return "thrown" in promise ? promise : work(promise.value);
    }

    function work(promise: QuickJSHandle): Made | null {
      let broken: Made | null = null;
      for (;;) {
        const state = context.getPromiseState(promise);
        if (state.type === "fulfilled") return { value: hold(state.value) };
        if (state.type === "rejected") return { thrown: hold(state.error) };
        if (isStopped() || !runtime.hasPendingJob()) return broken;
        const jobs = runtime.executePendingJobs(JOBS_AT_ONCE);
        if (jobs.error !== undefined) broken = { thrown: hold(jobs.error) };
      }
    }

    function failure(end: Made | null, returned: boolean): Failure {
      const stopped = stop;
      stop = null;
      deadline = performance.now() + READING.time;
      limitMemory(READING.memory);
      const told =
        end !== null && "thrown" in end ? failureOf({ ...thrownText(end.thrown), returned }, code, limits) : null;
      if (stopped === "canceled") return { code: "canceled", message: "The code was stopped." };
      if (stopped !== null) return overLimit(stopped, limits, told?.line === undefined ? {} : { line: told.line });
      return told ?? { code: "code_failed", message: "The code waits for a promise that never settles." };
    }

    function thrownText(thrown: QuickJSHandle) {
      const told = call(describe, thrown);
      const lines = "value" in told ? read(told.value).split("\n") : [];
      const [name = "Error", message = "unreadable", stack = ""] = lines.map((line) => `${JSON.parse(line)}`);
      return { name, message, stack };
    }

    const end = settled();
    if (end === null || "thrown" in end) return { failure: { ...failure(end, false), logs }, isUnread };
    if (job.isCheck) return { json: "null", logs };
    const written = call(write, end.value);
    if ("thrown" in written || isStopped()) return { failure: { ...failure(written, true), logs } };
    if (context.getNumber(hold(context.getProp(written.value, "length"))) > left)
      return { failure: { ...overLimit("output", limits), logs } };
    const json = read(written.value);
    const wrong = jsonProblem(JSON.parse(json));
    if (wrong === null) return { json, logs };
    return {
      failure: { code: "code_failed", message: `The code returned what cannot be kept: ${wrong.message}`, logs },
    };
  }

  return {
    run,
    dispose() {
      ceiling.lift();
      for (const handle of held) if (handle.alive) handle.dispose();
      context.dispose();
      runtime.dispose();
    },
  };
}

/** Whether QuickJS was brought down by the depth of the code: the runtimes' own stack ended before its limit. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && /stack/i.test(error.message));
}
